import type { FieldKind } from '../contract/schemas/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import type { Problem } from '../domain/problem.ts';
import type { TableSpec } from '../source/export.ts';
import { convertByCodes, convertTo, Fault, interfaceFormats, type Convert } from './convert.ts';
import { decimalFormat } from './decimal-format.ts';
import { readKeys, valueEntry, type FormatKeys, type ValueEntry } from './mapping-keys.ts';
import { mappingProblem } from './mapping-problem.ts';
import type { KeyPath, MappingText } from './mapping-text.ts';
import type { ColumnSpec, ConstantSpec, Stated } from './spec.ts';

/** A table that the mapping declares, and how its file is written. */
export interface ReadTable {
  readonly spec: TableSpec;
  readonly format: FormatKeys;
}

/** The mapping file that is being read, and what was found in it so far. */
export interface Reading {
  readonly text: MappingText;
  readonly tables: ReadonlyMap<string, ReadTable>;
  readonly problems: Problem[];
}

/** What the mapping's `type` makes of a value that the interface does not show. */
const openKinds = {
  date: 'date',
  datetime: 'datetime',
  boolean: 'boolean',
  number: 'number',
  amount: 'decimal-string',
} as const satisfies Record<NonNullable<ValueEntry['type']>, FieldKind>;

/** Whether this is a value with keys of its own, and not an object of fields. */
export function isValueEntry(content: JsonValue): content is JsonObject {
  return isJsonObject(content) && (Object.hasOwn(content, 'column') || Object.hasOwn(content, 'constant'));
}

/** Notes a fault of the mapping file at its line. */
export function fault({ text, problems }: Reading, path: KeyPath, detail: string): null {
  problems.push(mappingProblem('invalid_value', text.cell(path), detail));
  return null;
}

/** Reads what makes one value: a column's name, or an entry with keys. `kind` is `json` where any type will do. */
export function readValue(
  reading: Reading,
  kind: FieldKind,
  content: JsonValue,
  path: KeyPath,
  table: string,
): ColumnSpec | ConstantSpec | null {
  if (typeof content !== 'string' && !isValueEntry(content))
    return fault(
      reading,
      path,
      'One value is required here: the name of a column, or an entry with column or constant.',
    );
  const entries = typeof content === 'string' ? { column: content } : content;
  const entry = readKeys(reading.text, path, valueEntry, entries, reading.problems);
  if (entry === null) return null;
  if (entry.type !== undefined && kind !== 'json')
    return fault(reading, [...path, 'type'], 'The interface says the type of this field. Remove the key.');
  const real = entry.type === undefined ? kind : openKinds[entry.type];
  const { column, constant } = entry;
  if (column === undefined) return readConstant(reading, real, entry, path);
  if (constant !== undefined)
    return fault(reading, [...path, 'constant'], 'Give a column or a constant, not both.');
  const fallback = stated(reading, real, entry.default, [...path, 'default']);
  return {
    type: 'column',
    column,
    convert:
      entry.codes === undefined
        ? conversion(reading, real, entry, table)
        : codeTable(reading, real, entry.codes, path),
    ...(fallback === undefined ? {} : { fallback }),
    origin: reading.text.cell(path),
  };
}

function readConstant(
  reading: Reading,
  kind: FieldKind,
  entry: ValueEntry,
  path: KeyPath,
): ConstantSpec | null {
  const beside = Object.keys(entry).find((key) => key !== 'constant' && key !== 'type');
  if (beside !== undefined)
    return fault(reading, [...path, beside], 'This says nothing about a constant. Remove the key.');
  const value = literal(reading, kind, entry.constant ?? '', [...path, 'constant']);
  return value === null ? null : { type: 'constant', value, origin: reading.text.cell(path) };
}

function conversion({ tables }: Reading, kind: FieldKind, entry: ValueEntry, table: string): Convert {
  const format = tables.get(table)?.format ?? {};
  const mark = entry.decimal_mark ?? format.decimal_mark ?? '.';
  return convertTo(kind, {
    dates: entry.date ?? format.dates ?? interfaceFormats.dates,
    datetimes: entry.date ?? format.datetimes ?? interfaceFormats.datetimes,
    decimal: decimalFormat(mark, entry.thousands_mark ?? format.thousands_mark ?? ''),
  });
}

function codeTable(
  reading: Reading,
  kind: FieldKind,
  codes: Readonly<Record<string, string>>,
  path: KeyPath,
): Convert {
  const meanings = new Map<string, JsonValue>();
  for (const [code, text] of Object.entries(codes)) {
    const meaning = literal(reading, kind, text, [...path, 'codes', code]);
    if (meaning !== null) meanings.set(code, meaning);
  }
  return convertByCodes(meanings);
}

function stated(
  reading: Reading,
  kind: FieldKind,
  text: string | undefined,
  path: KeyPath,
): Stated | undefined {
  const value = text === undefined ? null : literal(reading, kind, text, path);
  return value === null ? undefined : { value, origin: reading.text.cell(path) };
}

/** A value that the mapping itself writes, in the interface's own form. */
function literal(reading: Reading, kind: FieldKind, text: string, path: KeyPath): JsonValue | null {
  const value = convertTo(kind, interfaceFormats)(text);
  return value instanceof Fault ? fault(reading, path, value.detail) : value;
}
