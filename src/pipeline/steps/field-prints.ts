import type { Schema } from '../../contract/schemas/schema.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { joinPath } from '../../domain/paths.ts';
import type { PartEntry } from '../../journal/journal.ts';
import {
  digitOf,
  eachField,
  hashed,
  holdsFields,
  nameLength,
  nameOfItem,
  namePrint,
  numberOf,
  start,
  valueLength,
  valuePrint,
} from './field-walk.ts';
import { nameInRecord, readRecordPrints, recordPrints } from './record-prints.ts';

/** Separates the prints of fields from those of items (item-prints.ts). */
export const fieldsBegin = '|';

/** Follows it where the prints are those of records (record-prints.ts). */
const recordsBegin = '*';

/** The most fields of a request whose names are written out: 256 characters in the journal. */
const mostFields = 64;

/** Payloads are not nested deeper. */
const mostLevels = 9;

/**
 * The prints of what a request sends, field by field: from the separator on, the number of levels, then for each field
 * its name and its value. A value has six bits, so that most changes are noticed and no value can be guessed from
 * them. A request with many fields has them record by record, and one with very many has prints of its upper levels.
 */
export function fieldPrints(content: JsonObject): string {
  const levels = levelsOf(content);
  if (levels < mostLevels) {
    const prints = recordPrints(content, mostLevels);
    if (prints !== undefined) return fieldsBegin + recordsBegin + prints;
  }
  if (levels < 2) return '';
  let prints = `${fieldsBegin}${digitOf(levels)}`;
  eachField(content, levels, ({ name, value }) => {
    prints += namePrint(name) + valuePrint(value);
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
  // Of a request with many fields, names are kept in another way.
  const nameOf = (name: number, record: number, key: string): string => {
    const inRecord = nameInRecord(record, key);
    return known.has(inRecord) ? inRecord : namePrint(name);
  };
  const seen = new Set<string>();
  const paths: string[] = [];
  let same = 0;
  eachField(
    content,
    first.levels,
    ({ name: hash, record, key, value, path }) => {
      const name = nameOf(hash, record, key);
      seen.add(name);
      if (known.get(name) === valuePrint(value)) same += 1;
      // Two fields with the print of one name cannot be told apart.
      else if (!known.has(name) || known.get(name) !== undefined) paths.push(path);
    },
    '',
  );
  const gone = new Set([...known.keys()].filter((name) => !seen.has(name)));
  for (const { path, name, record, key } of absentFields(schema, content, first.levels))
    if (gone.delete(nameOf(name, record, key))) paths.push(path);
  return { paths, same, gone: gone.size };
}

/** A field that is not there. */
interface Absent {
  readonly path: string;
  readonly name: number;
  readonly record: number;
  readonly key: string;
}

/** The fields of a schema that a payload does not have, where it has the object that they belong to. */
function* absentFields(
  schema: JsonValue | undefined,
  value: JsonValue | undefined,
  levels: number,
  path = '',
  name = start,
): Generator<Absent> {
  if (levels === 0 || !isJsonObject(schema)) return;
  const { items, properties } = schema;
  if (Array.isArray(value))
    for (const [at, item] of value.entries())
      yield* absentFields(items, item, levels - 1, joinPath(path, String(at)), nameOfItem(item, at, name));
  if (!isJsonObject(value) || !isJsonObject(properties)) return;
  for (const [key, field] of Object.entries(properties)) {
    const [inner, hash] = [joinPath(path, key), hashed(key, name)];
    if (Object.hasOwn(value, key)) yield* absentFields(field, value[key], levels - 1, inner, hash);
    else yield { path: inner, name: hash, record: name, key };
  }
}

interface Sent {
  readonly levels: number;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

function readPrints({ prints = '' }: Pick<PartEntry, 'prints'>): Sent | undefined {
  const at = prints.indexOf(fieldsBegin);
  if (at < 0) return undefined;
  const kind = prints.charAt(at + 1);
  if (kind === recordsBegin) return { levels: mostLevels, fields: readRecordPrints(prints, at + 2) };
  const fields: (readonly [string, string])[] = [];
  const size = nameLength + valueLength;
  for (let from = at + 2; from < prints.length; from += size)
    fields.push([prints.slice(from, from + nameLength), prints.slice(from + nameLength, from + size)]);
  return { levels: numberOf(kind), fields };
}
