import { isUtf8 } from 'node:buffer';
import { jsonMarks } from '../../domain/json-marks.ts';
import {
  countMembers,
  isJsonObject,
  parseMarked,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import { problem } from '../refusals.ts';

/** Deepest nesting that is read; documented payloads need eight, metadata may hold any object. */
const deepest = 100;

export type JsonBody =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly problem: PayloadProblem };

/** A request's body as text, or why it is none. */
export function readText(bytes: Buffer): string | PayloadProblem {
  return isUtf8(bytes) ? bytes.toString() : problem('parse_error', '', 'The body is not valid UTF-8.');
}

/** Reads a request's body: one JSON object in UTF-8, each key once, no character that text cannot hold. */
export function readJsonBody(bytes: Buffer): JsonBody {
  const text = readText(bytes);
  return typeof text === 'string' ? readJson(text) : { ok: false, problem: text };
}

/** The same, for a body that was read as text already. */
export function readJson(text: string): JsonBody {
  const marks = jsonMarks(text);
  if (marks.depth > deepest) return refuse('too_deep', `The body is nested deeper than ${deepest} levels.`);
  let value: JsonValue;
  try {
    value = parseMarked(text, marks);
  } catch {
    return refuse('parse_error', 'The body is not valid JSON.');
  }
  if (!isJsonObject(value)) return refuse('not_an_object', 'The body must be a JSON object.');
  const fault = faultOf(value, text, marks.members);
  return fault === undefined ? { ok: true, value } : { ok: false, problem: fault };
}

function refuse(code: string, detail: string): JsonBody {
  return { ok: false, problem: problem(code, '', detail) };
}

function faultOf(value: JsonObject, text: string, members: number): PayloadProblem | undefined {
  // An escape is the only way to a NUL or to half a character.
  const fault = text.includes('\\u') ? faultyText(value, '') : undefined;
  if (fault !== undefined) return fault;
  if (countMembers(value) === members) return undefined;
  return problem('duplicate_key', '', 'An object in the body has a duplicate key, or the key __proto__.');
}

const halfCharacter = /\p{Surrogate}/u;

function faultyText(value: JsonValue, path: string): PayloadProblem | undefined {
  if (typeof value === 'string') return faultOfText(value, path);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const inner = path === '' ? key : `${path}.${key}`;
    // The answer repeats the path, so the path must be valid in an answer.
    const fault = faultOfText(key, path) ?? faultyText(item as JsonValue, inner);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfText(text: string, path: string): PayloadProblem | undefined {
  if (text.includes('\0'))
    return problem('null_characters_not_allowed', path, 'Null characters are not allowed.');
  if (halfCharacter.test(text))
    return problem('surrogate_characters_not_allowed', path, 'Lone surrogates are not allowed.');
  return undefined;
}

/** JSON with the members of every object in the order of their keys, for comparing. */
export function canonicalJson(value: JsonValue): string {
  return stringifyJson(sorted(value));
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
