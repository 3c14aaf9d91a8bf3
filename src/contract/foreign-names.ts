import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import { publishedCodes } from './published-codes.ts';
import type { SentValues } from './sent-values.ts';

/**
 * Names in an answer are written by others, and may repeat a customer's data. Only what cannot is passed on.
 */

/** Stands for a name that is not passed on. */
export const invalidName = 'invalid';

const name = /^[A-Za-z0-9_.-]{1,64}$/;
const mediaType = /^[A-Za-z0-9!#$&^_.+-]{1,30}\/[A-Za-z0-9!#$&^_.+-]{1,60}$/;

/** A machine code as it was given; `invalid` if it has no code's form, or repeats a value that was sent. */
export function foreignCode(code: string, sent: SentValues): string {
  if (publishedCodes.has(code)) return code;
  return name.test(code) && !sent.repeatedIn(code) ? code : invalidName;
}

/** The name of a member as it was given; `invalid` under the same conditions. */
export function foreignName(member: string, sent: SentValues): string {
  return name.test(member) && !sent.repeatedIn(member) ? member : invalidName;
}

/** A media type without its parameters, or that it is none. */
export function foreignMediaType(header: string, sent: SentValues): string {
  const type = (header.split(';')[0] ?? '').trim();
  return mediaType.test(type) && !sent.repeatedIn(type) ? type : 'an invalid media type';
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
