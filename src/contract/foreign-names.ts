import { isJsonObject, numberText, type JsonObject, type JsonValue } from '../domain/json.ts';
import { publishedCodes } from './published-codes.ts';

/**
 * Names in an answer are written by others, and may repeat a customer's data. Only what cannot is passed on.
 */

/** Stands for a name that is not passed on. */
export const invalidName = 'invalid';

const name = /^[A-Za-z0-9_.-]{1,64}$/;
const mediaType = /^[A-Za-z0-9!#$&^_.+-]{1,30}\/[A-Za-z0-9!#$&^_.+-]{1,60}$/;

/** A value of the payload is found anywhere in a text from this length on; a shorter one only as a whole word. */
const shortest = 4;

/** A machine code as it was given; `invalid` if it has no code's form, or repeats a value of the payload. */
export function foreignCode(code: string, payload: () => JsonValue): string {
  if (publishedCodes.has(code)) return code;
  return name.test(code) && !repeatsData(code, payload()) ? code : invalidName;
}

/** The name of a member as it was given; `invalid` under the same conditions. */
export function foreignName(member: string, payload: () => JsonValue): string {
  return name.test(member) && !repeatsData(member, payload()) ? member : invalidName;
}

/** A media type without its parameters, or that it is none. */
export function foreignMediaType(header: string, payload: () => JsonValue): string {
  const type = (header.split(';')[0] ?? '').trim();
  return mediaType.test(type) && !repeatsData(type, payload()) ? type : 'an invalid media type';
}

/** Whether a text contains a value of the payload, in any case. */
export function repeatsData(text: string, payload: JsonValue): boolean {
  const lower = text.toLowerCase();
  const words = new Set(lower.split(/[^\p{L}\p{N}]+/u));
  for (const leaf of leavesOf(payload)) {
    const value = leaf.toLowerCase();
    if (value === '') continue;
    if (words.has(value) || (value.length >= shortest && lower.includes(value))) return true;
  }
  return false;
}

function* leavesOf(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value.trim();
  else if (Array.isArray(value)) for (const inner of value) yield* leavesOf(inner);
  else if (isJsonObject(value)) for (const inner of Object.values(value)) yield* leavesOf(inner);
  else {
    const digits = numberText(value);
    // A short number is in every text.
    if (digits !== undefined && digits.length >= shortest) yield digits;
  }
}

/**
 * The part of a path that the payload has, and after it the names of fields that the endpoint's schema has there: a
 * required field that is missing. '' if not even its first name is known.
 */
export function foreignPath(path: string, payload: JsonValue, schema: JsonObject | undefined): string {
  const known: string[] = [];
  let at: JsonValue | undefined = payload;
  let form: JsonValue | undefined = schema;
  for (const part of path === '' ? [] : path.split('.')) {
    const inner: JsonValue | undefined = memberOf(at, part);
    const field: JsonValue | undefined = fieldOf(form, part);
    const isField = isJsonObject(form) && isJsonObject(form['properties']) && field !== undefined;
    if (inner === undefined && !isField) break;
    known.push(part);
    [at, form] = [inner, field];
  }
  return known.join('.');
}

function memberOf(value: JsonValue | undefined, part: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d{1,9}$/.test(part) ? value[Number(part)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
}

function fieldOf(schema: JsonValue | undefined, part: string): JsonValue | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { properties, items } = schema;
  if (isJsonObject(properties)) return Object.hasOwn(properties, part) ? properties[part] : undefined;
  return items;
}
