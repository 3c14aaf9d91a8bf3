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
  return typeof text === 'string' ? readJson(text) : { ok: false, problem: text };
}

/** The same, for a body that was read as text already. */
export function readJson(text: string): JsonBody {
  const marks = scan(text);
  if (marks.depth > deepest) return refuse('too_deep', `The body is nested deeper than ${deepest} levels.`);
  let value: JsonValue;
  try {
    value = marks.exact ? parseJson(text) : (JSON.parse(text) as JsonValue);
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

interface Marks {
  readonly depth: number;
  /** Members of all objects, counted by their colons. */
  readonly members: number;
  /** Whether there may be a number that a float cannot hold. */
  readonly exact: boolean;
}

/**
 * One pass over the text, before anything is built from it. Every character of every request goes through here, so it
 * is written for speed: strings, of which a body mostly consists, are passed over at once. The codes are, in this order,
 * `"`, `,`, `:`, `0` to `9` and `.`, `{` and `[`, `}` and `]`, `e` and `E`.
 */
function scan(text: string): Marks {
  const { length } = text;
  const endOfString = text.includes('\\') ? endOfEscapedString : endOfPlainString;
  let [at, depth, most, members, digits, exact] = [0, 0, 0, 0, 0, false];
  while (at < length) {
    const code = text.charCodeAt(at++);
    if ((code >= 0x30 && code <= 0x39) || code === 0x2e) {
      if (++digits > 15) exact = true;
      continue;
    }
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x3a) members++;
    else if (code === 0x7b || code === 0x5b) most = Math.max(most, ++depth);
    else if (code === 0x7d || code === 0x5d) depth--;
    else if (digits > 0 && (code === 0x65 || code === 0x45)) exact = true;
    digits = 0;
  }
  return { depth: most, members, exact };
}

/** Where the text goes on after a string that begins here. */
function endOfPlainString(text: string, from: number): number {
  const quote = text.indexOf('"', from);
  return quote < 0 ? text.length : quote + 1;
}

/** The same where there are backslashes: what one of them escapes is passed over, a quote above all. */
function endOfEscapedString(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at++);
    if (code === 0x22) break;
    if (code === 0x5c) at++;
  }
  return at;
}

function faultOf(value: JsonObject, text: string, members: number): PayloadProblem | undefined {
  // An escape is the only way to a NUL or to half a character.
  const fault = text.includes('\\u') ? faultyText(value, '') : undefined;
  if (fault !== undefined) return fault;
  if (countMembers(value) === members) return undefined;
  return problem('duplicate_key', '', 'An object of the body holds a key twice, or the key __proto__.');
}

/** Members as parsed; a `__proto__` is not counted, so that it shows. */
function countMembers(value: JsonValue): number {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countMembers(item);
  else
    for (const key in value) {
      count += countMembers(value[key] as JsonValue);
      if (key !== '__proto__') count++;
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
