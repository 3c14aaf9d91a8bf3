import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import { nearest } from '../domain/nearest.ts';
import { z } from 'zod';
import { operatorSchema, type OperatorConfig } from './operator.ts';

/** What is wrong with the operator's wishes, and where. */
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
  return `Unknown key '${key}'.${meant === undefined ? '' : ` Is '${meant}' meant?`}`;
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
