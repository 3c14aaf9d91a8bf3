import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { joinPath } from '../../domain/paths.ts';

/** A field of a payload, as its print is made. */
export interface Field {
  /** The hash of its whole name, and that of the record that has it. */
  readonly name: number;
  readonly record: number;
  /** Its name within that record. */
  readonly key: string;
  readonly value: JsonValue;
  /** '' unless a path was given to start from. */
  readonly path: string;
}

/** The hash of no name. */
export const start = 0x811c9dc5;

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A number below 64 as a character, and back; -1 for no such character. */
export function digitOf(number: number): string {
  return digits.charAt(number);
}

export function numberOf(digit: string): number {
  return digit === '' ? -1 : digits.indexOf(digit);
}

export function holdsFields(value: JsonValue): value is JsonValue[] | JsonObject {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) && Object.keys(value).length > 0;
}

/** Calls with each field down to a level. `path`: that of the value, if paths are wanted. */
export function eachField(
  value: JsonValue,
  levels: number,
  see: (field: Field) => void,
  path?: string,
  name = start,
  record = start,
  own = '',
): void {
  if (levels === 0 || !holdsFields(value)) {
    see({ name, record, key: own, value, path: path ?? '' });
    return;
  }
  const at = (key: string) => (path === undefined ? undefined : joinPath(path, key));
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) {
      const key = String(index);
      eachField(item, levels - 1, see, at(key), nameOfItem(item, index, name), name, key);
    }
  else
    for (const key of Object.keys(value))
      eachField(value[key] ?? null, levels - 1, see, at(key), hashed(key, name), name, key);
}

/** The members that name an item, wherever it stands in its array. */
const ids = [
  'transaction_id',
  'statement_id',
  'billing_document_identifier',
  'identifier',
  'ledger_number',
  'ledger_code',
  'key',
];

function idOf(item: JsonValue): string | undefined {
  if (!isJsonObject(item)) return undefined;
  for (const id of ids) {
    const value = item[id];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

export function nameOfItem(item: JsonValue, at: number, name: number): number {
  return hashed(idOf(item) ?? String(at), name);
}

/** FNV-1a, as 32 bits. */
export function hashed(text: string, from: number): number {
  let hash = Math.imul(from ^ 0x2f, 0x01000193);
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** Characters of six bits of the print of a name, and of that of a value. */
export const nameLength = 3;
export const valueLength = 1;

export function namePrint(hash: number): string {
  return digitsOf(hash, nameLength);
}

export function valuePrint(value: JsonValue): string {
  const text = typeof value === 'string' ? value : stringifyJson(value);
  return digitsOf(hashed(text, start), valueLength);
}

/** The lowest bits of a hash, after each bit has had its effect on them. */
function digitsOf(hash: number, count: number): string {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  mixed ^= mixed >>> 16;
  let text = '';
  for (let at = 0; at < count; at++) text += digits.charAt((mixed >>> (6 * at)) & 63);
  return text;
}
