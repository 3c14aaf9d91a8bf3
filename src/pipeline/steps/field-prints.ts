import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { joinPath } from '../../domain/paths.ts';
import type { PartEntry } from '../../journal/journal.ts';

/** Separates the prints of fields from those of items (item-prints.ts). */
export const fieldsBegin = '|';

/** The most fields of a request that have a print: 256 characters in the journal. */
const mostFields = 64;

/** Payloads are not nested deeper. */
const mostLevels = 9;

/** Characters of six bits: of the hash of a field's name, and of that of its value. */
const nameLength = 3;
const valueLength = 1;

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * The prints of what a request sends, field by field: from the separator on, the number of levels, then for each field
 * its name and its value. A value has six bits, so that most changes are noticed and no value can be guessed from
 * them. A request with many fields has prints of its upper levels.
 */
export function fieldPrints(content: JsonObject): string {
  for (let levels = mostLevels; levels > 1; levels--) {
    const fields = upTo(mostFields, fieldsOf(content, levels));
    if (fields !== undefined)
      return `${fieldsBegin}${digits[levels] ?? ''}${fields.map(({ print }) => print).join('')}`;
  }
  return '';
}

/** What differs from a request that was sent. */
export interface ChangedFields {
  /** The paths of fields with another value, or with one where none was sent. */
  readonly paths: readonly string[];
  /** How many fields are as they were sent. */
  readonly same: number;
  /** How many fields that were sent are not there. */
  readonly gone: number;
}

/** Compares a payload with what was sent in these requests; undefined if they have no prints of fields. */
export function changedFields(
  entries: readonly Pick<PartEntry, 'prints'>[],
  content: JsonObject,
): ChangedFields | undefined {
  const sent = entries.flatMap((entry) => readPrints(entry) ?? []);
  const [first] = sent;
  if (first === undefined || sent.some(({ levels }) => levels !== first.levels)) return undefined;
  const known = new Map<string, string | undefined>();
  for (const { fields } of sent)
    for (const [name, value] of fields) known.set(name, known.has(name) ? undefined : value);
  const seen = new Set<string>();
  const paths: string[] = [];
  let same = 0;
  for (const { path, print } of fieldsOf(content, first.levels)) {
    const name = print.slice(0, nameLength);
    const isTold = known.get(name) === print.slice(nameLength);
    seen.add(name);
    if (isTold) same += 1;
    // Two fields with the print of one name cannot be told apart.
    else if (!known.has(name) || known.get(name) !== undefined) paths.push(path);
  }
  return { paths, same, gone: [...known.keys()].filter((name) => !seen.has(name)).length };
}

interface Sent {
  readonly levels: number;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

function readPrints({ prints = '' }: Pick<PartEntry, 'prints'>): Sent | undefined {
  const at = prints.indexOf(fieldsBegin);
  if (at < 0) return undefined;
  const fields: (readonly [string, string])[] = [];
  const size = nameLength + valueLength;
  for (let from = at + 2; from < prints.length; from += size)
    fields.push([prints.slice(from, from + nameLength), prints.slice(from + nameLength, from + size)]);
  return { levels: digits.indexOf(prints.charAt(at + 1)), fields };
}

interface Field {
  readonly path: string;
  readonly print: string;
}

function upTo(most: number, fields: Iterable<Field>): readonly Field[] | undefined {
  const found: Field[] = [];
  for (const field of fields) {
    if (found.length === most) return undefined;
    found.push(field);
  }
  return found;
}

function* fieldsOf(value: JsonValue, levels: number, path = '', name = start): Generator<Field> {
  if (levels > 0 && Array.isArray(value) && value.length > 0) {
    for (const [at, item] of value.entries())
      yield* fieldsOf(item, levels - 1, joinPath(path, String(at)), hashed(idOf(item) ?? `${at}`, name));
    return;
  }
  if (levels > 0 && isJsonObject(value)) {
    for (const [key, field] of Object.entries(value))
      yield* fieldsOf(field, levels - 1, joinPath(path, key), hashed(key, name));
    return;
  }
  const text = typeof value === 'string' ? value : stringifyJson(value);
  yield { path, print: digitsOf(name, nameLength) + digitsOf(hashed(text, start), valueLength) };
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

/** FNV-1a, as 32 bits. */
const start = 0x811c9dc5;

function hashed(text: string, from: number): number {
  let hash = Math.imul(from ^ 0x2f, 0x01000193);
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
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
