import { isUtf8 } from 'node:buffer';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import { problem } from '../refusals.ts';

/** Deepest nesting that is read; documented payloads need eight, metadata may hold any object. */
const deepest = 100;

export type JsonBody =
  | { readonly ok: true; readonly text: string; readonly value: JsonObject }
  | { readonly ok: false; readonly problem: PayloadProblem };

/** Reads a request's body: one JSON object in UTF-8, each key once, no character that text cannot hold. */
export function readJsonBody(bytes: Buffer): JsonBody {
  if (!isUtf8(bytes)) return refuse('parse_error', 'The body is not valid UTF-8.');
  const marks = scan(bytes);
  if (marks.depth > deepest) return refuse('too_deep', `The body is nested deeper than ${deepest} levels.`);
  const text = bytes.toString('utf8');
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch {
    return refuse('parse_error', 'The body is not valid JSON.');
  }
  if (!isJsonObject(value)) return refuse('not_an_object', 'The body must be a JSON object.');
  const fault = faultOf(value, marks);
  return fault === undefined ? { ok: true, text, value } : { ok: false, problem: fault };
}

function refuse(code: string, detail: string): JsonBody {
  return { ok: false, problem: problem(code, '', detail) };
}

interface Marks {
  readonly depth: number;
  /** Members of all objects, counted by their colons. */
  readonly members: number;
  /** Whether a string holds a \u escape, the only way to a NUL or to half a character. */
  readonly escapes: boolean;
}

const [quote, backslash, u, colon] = [0x22, 0x5c, 0x75, 0x3a];

/** One pass over the bytes, before anything is built from them. */
function scan(bytes: Buffer): Marks {
  let [at, depth, most, members] = [0, 0, 0, 0];
  let [inText, escapes] = [false, false];
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inText) {
      if (byte === backslash) {
        if (bytes[at + 1] === u) escapes = true;
        at++;
      } else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === colon) members++;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > most) most = depth;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return { depth: most, members, escapes };
}

function faultOf(value: JsonObject, marks: Marks): PayloadProblem | undefined {
  if (marks.escapes) {
    const fault = faultyText(value, '');
    if (fault !== undefined) return fault;
  }
  const members = countMembers(value);
  if (members === marks.members) return undefined;
  return problem('duplicate_key', '', 'An object of the body holds a key twice, or the key __proto__.');
}

/** Members as parsed; a `__proto__` is not counted, so that it shows. */
function countMembers(value: JsonValue): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countMembers(item), 0);
  if (!isJsonObject(value)) return 0;
  let count = 0;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (key === '__proto__' || item === undefined) continue;
    count += 1 + (typeof item === 'object' ? countMembers(item) : 0);
  }
  return count;
}

const halfCharacter = /\p{Surrogate}/u;

function faultyText(value: JsonValue, path: string): PayloadProblem | undefined {
  if (typeof value === 'string') return faultOfText(value, path);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const inner = path === '' ? key : `${path}.${key}`;
    // A path is told in the answer, so it must not hold what the answer cannot.
    const fault = faultOfText(key, path) ?? faultyText(item as JsonValue, inner);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfText(text: string, path: string): PayloadProblem | undefined {
  if (text.includes('\0'))
    return problem('null_characters_not_allowed', path, 'Null characters are not allowed.');
  if (halfCharacter.test(text))
    return problem('surrogate_characters_not_allowed', path, 'Half a surrogate pair is not a character.');
  return undefined;
}
