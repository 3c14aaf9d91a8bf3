import { readFileSync } from 'node:fs';
import { requireTrusted, whyUnread } from '../domain/trusted-file.ts';
import { isMap, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import { nearest } from '../domain/nearest.ts';
import { operatorSchema, type OperatorConfig } from './operator.ts';

/** What is wrong with the operator's settings, and where. */
export interface OperatorProblem {
  readonly path: readonly PropertyKey[];
  readonly detail: string;
}

export type OperatorReading =
  | { readonly ok: true; readonly operator: OperatorConfig }
  | { readonly ok: false; readonly problems: readonly OperatorProblem[] };

/** Reads what an operator file holds; unknown keys are named, with the nearest known one. */
export function readOperator(values: unknown): OperatorReading {
  const result = operatorSchema.safeParse(values);
  if (result.success) return { ok: true, operator: result.data };
  return { ok: false, problems: result.error.issues.flatMap(problemsOf) };
}

/** The operator's settings after a change: a merge patch, in which null resets a key to its default. */
export function changeOperator(operator: OperatorConfig, patch: JsonObject): OperatorReading {
  return readOperator(merged(operator as JsonObject, patch));
}

function problemsOf(issue: z.core.$ZodIssue): OperatorProblem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...issue.path, key], detail: unknownKey(key) }));
  if (issue.code === 'invalid_key')
    return [{ path: issue.path, detail: unknownKey(String(issue.path.at(-1))) }];
  return [{ path: issue.path, detail: `${issue.path.join('.')}: ${issue.message}` }];
}

function unknownKey(key: string): string {
  const meant = nearest(
    key,
    knownKeys(z.toJSONSchema(operatorSchema, { io: 'input', unrepresentable: 'any' })),
  );
  return `Unknown key '${key}'.${meant === undefined ? '' : ` Did you mean '${meant}'?`}`;
}

/** Every key that a JSON Schema names, at whatever depth. */
function* knownKeys(schema: unknown): Generator<string> {
  if (Array.isArray(schema)) for (const item of schema) yield* knownKeys(item);
  else if (typeof schema === 'object' && schema !== null)
    for (const [name, value] of Object.entries(schema)) {
      if (name === 'properties') yield* Object.keys(value as object);
      if (name === 'propertyNames' && 'enum' in (value as object)) yield* (value as { enum: string[] }).enum;
      yield* knownKeys(value);
    }
}

/** JSON merge patch. */
function merged(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const result = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [key, value] of Object.entries(patch))
    if (value === null) result.delete(key);
    else result.set(key, merged(result.get(key), value));
  return Object.fromEntries(result);
}

type OperatorFile =
  | { readonly ok: true; readonly operator: OperatorConfig }
  /** Each problem in one sentence, with the file and the line. */
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads an operator file: YAML, or JSON, which YAML includes. A key that it does not name has its value in `instead`, or its
 * default.
 */
export function readOperatorFile(file: string, instead: JsonObject = {}): OperatorFile {
  let text: string;
  try {
    requireTrusted(file);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return { ok: false, problems: [`The operator file ${file} ${whyUnread(error)}`] };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => `${file}:${lines.linePos(offset).line}`;
  const [fault] = document.errors;
  // The parser's own wording may quote the file, which holds keys.
  if (fault !== undefined)
    return { ok: false, problems: [`${at(fault.pos[0])}: not valid YAML (${fault.code}).`] };

  const written: unknown = document.toJS({ maxAliasCount: 100 }) ?? {};
  const reading = readOperator(isJsonObject(written) ? { ...instead, ...written } : written);
  if (reading.ok) return reading;
  return {
    ok: false,
    problems: reading.problems.map(({ path, detail }) => `${at(offsetOf(document, path))}: ${detail}`),
  };
}

/** The place of the key that a path leads to, or of the nearest one above it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let offset = 0;
  for (let depth = 1; depth <= path.length; depth++) {
    const parent: unknown = document.getIn(path.slice(0, depth - 1), true);
    const name = String(path[depth - 1]);
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      : undefined;
    const node: unknown = pair?.key ?? document.getIn(path.slice(0, depth), true);
    if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) break;
    offset = Number(node.range[0]);
  }
  return offset;
}
