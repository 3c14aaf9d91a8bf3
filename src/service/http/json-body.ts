import { isUtf8 } from 'node:buffer';
import { ExactNumber, isJsonObject, parseJson, type JsonObject, type JsonValue } from '../../domain/json.ts';
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
  return typeof text === 'string' ? readJson(bytes, text) : { ok: false, problem: text };
}

/** The same, for a body that was read as text already. */
export function readJson(bytes: Buffer, text: string): JsonBody {
  const marks = scan(bytes);
  if (marks.depth > deepest) return refuse('too_deep', `The body is nested deeper than ${deepest} levels.`);
  let value: JsonValue;
  try {
    value = marks.exact ? parseJson(text) : (JSON.parse(text) as JsonValue);
  } catch {
    return refuse('parse_error', 'The body is not valid JSON.');
  }
  if (!isJsonObject(value)) return refuse('not_an_object', 'The body must be a JSON object.');
  const fault = faultOf(value, marks);
  return fault === undefined ? { ok: true, value } : { ok: false, problem: fault };
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
  /** Whether there may be a number that a float cannot hold. */
  readonly exact: boolean;
}

/**
 * One pass over the bytes, before anything is built from them. Every byte of every request goes through here, so it
 * is written for speed. The codes are, in this order, `0` to `9` and `.`, `"`, `\`, `u`, `:`, `{` and `[`, `}` and `]`,
 * `e` and `E`.
 */
function scan(bytes: Buffer): Marks {
  const { length } = bytes;
  let [at, depth, most, members, digits] = [0, 0, 0, 0, 0];
  let [escapes, exact] = [false, false];
  while (at < length) {
    const byte = bytes[at++] ?? 0;
    if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2e) {
      if (++digits > 15) exact = true;
      continue;
    }
    if (byte === 0x22)
      while (at < length) {
        const inside = bytes[at++];
        if (inside === 0x22) break;
        // What a backslash escapes is passed over, a quote above all.
        if (inside === 0x5c && bytes[at++] === 0x75) escapes = true;
      }
    else if (byte === 0x3a) members++;
    else if (byte === 0x7b || byte === 0x5b) most = Math.max(most, ++depth);
    else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (digits > 0 && (byte === 0x65 || byte === 0x45)) exact = true;
    digits = 0;
  }
  return { depth: most, members, escapes, exact };
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
function countMembers(value: JsonObject | JsonValue[]): number {
  let count = 0;
  for (const key of Object.keys(value)) {
    if (key === '__proto__') continue;
    const item = (value as JsonObject)[key];
    if (typeof item === 'object' && item !== null && !(item instanceof ExactNumber))
      count += countMembers(item);
    count++;
  }
  return Array.isArray(value) ? count - value.length : count;
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
