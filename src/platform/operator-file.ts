import { readFileSync } from 'node:fs';
import { isMap, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { isJsonObject, type JsonObject } from '../domain/json.ts';
import { readOperator } from './operator-change.ts';
import type { OperatorConfig } from './operator.ts';

export type OperatorFile =
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
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return { ok: false, problems: [`The operator file ${file} cannot be read (${why}). Check the path.`] };
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
