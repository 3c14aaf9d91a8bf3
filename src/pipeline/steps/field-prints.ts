import type { Schema } from '../../contract/schemas/schema.ts';
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
  const levels = levelsOf(content);
  if (levels < 2) return '';
  let prints = `${fieldsBegin}${digits.charAt(levels)}`;
  eachField(content, levels, (name, value) => {
    prints += printOf(name, value);
  });
  return prints;
}

/** How many levels of a request have prints. */
function levelsOf(content: JsonObject): number {
  const values = new Array<number>(mostLevels + 1).fill(0);
  const holders = new Array<number>(mostLevels + 1).fill(0);
  const count = (value: JsonValue, level: number): void => {
    const isHolder = level < mostLevels && holdsFields(value);
    const counts = isHolder ? holders : values;
    counts[level] = (counts[level] ?? 0) + 1;
    if (!isHolder) return;
    if (Array.isArray(value)) for (const item of value) count(item, level + 1);
    else for (const key of Object.keys(value)) count(value[key] ?? null, level + 1);
  };
  count(content, 0);
  let levels = 0;
  for (let level = 1, above = 0; level <= mostLevels; level++) {
    above += values[level] ?? 0;
    if (above + (holders[level] ?? 0) <= mostFields) levels = level;
  }
  return levels;
}

function holdsFields(value: JsonValue): value is JsonValue[] | JsonObject {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) && Object.keys(value).length > 0;
}

/** What differs from a request that was sent. */
export interface ChangedFields {
  /** The paths of fields with another value, with one where none was sent, or with none where one was. */
  readonly paths: readonly string[];
  /** How many fields are as they were sent. */
  readonly same: number;
  /** How many fields that were sent are not there, and cannot be named. */
  readonly gone: number;
}

/**
 * Compares a payload with what was sent in these requests; undefined if they have no prints of fields. `schema`: that of
 * the payload, for the names of fields that are not there now.
 */
export function changedFields(
  entries: readonly Pick<PartEntry, 'prints'>[],
  content: JsonObject,
  schema: Schema,
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
  eachField(
    content,
    first.levels,
    (hash, value, path) => {
      const print = printOf(hash, value);
      const name = print.slice(0, nameLength);
      seen.add(name);
      if (known.get(name) === print.slice(nameLength)) same += 1;
      // Two fields with the print of one name cannot be told apart.
      else if (!known.has(name) || known.get(name) !== undefined) paths.push(path);
    },
    '',
  );
  const gone = new Set([...known.keys()].filter((name) => !seen.has(name)));
  for (const { path, name } of absentFields(schema, content, first.levels))
    if (gone.delete(name)) paths.push(path);
  return { paths, same, gone: gone.size };
}

/** The fields of a schema that a payload does not have, where it has the object that they belong to. */
function* absentFields(
  schema: JsonValue | undefined,
  value: JsonValue | undefined,
  levels: number,
  path = '',
  name = start,
): Generator<{ readonly path: string; readonly name: string }> {
  if (levels === 0 || !isJsonObject(schema)) return;
  const { items, properties } = schema;
  if (Array.isArray(value))
    for (const [at, item] of value.entries())
      yield* absentFields(items, item, levels - 1, joinPath(path, String(at)), nameOfItem(item, at, name));
  if (!isJsonObject(value) || !isJsonObject(properties)) return;
  for (const [key, field] of Object.entries(properties)) {
    const [inner, hash] = [joinPath(path, key), hashed(key, name)];
    if (Object.hasOwn(value, key)) yield* absentFields(field, value[key], levels - 1, inner, hash);
    else yield { path: inner, name: digitsOf(hash, nameLength) };
  }
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

/** Calls with each field down to a level: the hash of its name, its value and, if one is given to start from, its path. */
function eachField(
  value: JsonValue,
  levels: number,
  see: (name: number, value: JsonValue, path: string) => void,
  path?: string,
  name = start,
): void {
  if (levels === 0 || !holdsFields(value)) {
    see(name, value, path ?? '');
    return;
  }
  const at = (key: string) => (path === undefined ? undefined : joinPath(path, key));
  if (Array.isArray(value))
    for (const [index, item] of value.entries())
      eachField(item, levels - 1, see, at(String(index)), nameOfItem(item, index, name));
  else
    for (const key of Object.keys(value))
      eachField(value[key] ?? null, levels - 1, see, at(key), hashed(key, name));
}

function printOf(name: number, value: JsonValue): string {
  const text = typeof value === 'string' ? value : stringifyJson(value);
  return digitsOf(name, nameLength) + digitsOf(hashed(text, start), valueLength);
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

function nameOfItem(item: JsonValue, at: number, name: number): number {
  return hashed(idOf(item) ?? String(at), name);
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
