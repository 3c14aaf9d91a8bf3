import type { FieldKind } from '../contract/schemas/fields.ts';
import type { Cell } from '../domain/cell.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import { nearest, remedyFor } from '../domain/nearest.ts';
import {
  codeOf,
  convertByCodes,
  convertByLookup,
  convertMinorUnits,
  convertPhone,
  convertTo,
  Fault,
  interfaceFormats,
  type Convert,
  type Formats,
} from './convert.ts';
import { combinedColumns } from './combined-columns.ts';
import { caseEntry, shapeIn, valueEntry, type ValueEntry } from './mapping-keys.ts';
import { readKeys } from './read-keys.ts';
import type { KeyPath } from './mapping-text.ts';
import { checkMarks, emptyTexts, fault, formatsFor, readWhen, type Reading } from './reading.ts';
import type { CasesSpec, ColumnSpec, ConstantSpec, LookupConvert, Spec, Stated } from './spec.ts';
import { valueShape, type Exact } from './text-shape.ts';
import { convertCountry } from './country-names.ts';
import { amountKinds, misplacedKey } from './misplaced-keys.ts';
import { monthEnd } from './month-ends.ts';
import { phonesOfCountry } from './phone-of-country.ts';
import { rounded } from './rounding.ts';

/** The sources of a value; one of these. */
export const origins = ['column', 'template', 'calc', 'cases', 'constant'] as const;

/** The conversion by the mapping's `type`, for a value that the interface does not define. */
const openKinds = {
  date: 'date',
  datetime: 'datetime',
  boolean: 'boolean',
  number: 'number',
  amount: 'decimal-string',
} as const satisfies Record<NonNullable<ValueEntry['type']>, FieldKind>;

/** Whether this is a value with keys, and not an object of fields. */
export function isValueEntry(content: JsonValue): content is JsonObject {
  return isJsonObject(content) && origins.some((key) => Object.hasOwn(content, key));
}

/** Reads a value: a column's name, or an entry with keys. `kind` is `json` if any type is allowed. */
export function readValue(
  reading: Reading,
  kind: FieldKind,
  content: JsonValue,
  path: KeyPath,
  table: string,
): ColumnSpec | ConstantSpec | CasesSpec | null {
  if (typeof content !== 'string' && !isValueEntry(content)) {
    const near = Object.keys(content ?? {}).flatMap((key) => nearest(key, origins) ?? []);
    const meant = near[0] === undefined ? '' : ` Did you mean ${near[0]}?`;
    return fault(
      reading,
      path,
      `One value is required here: the name of a column, or an entry with column or constant.${meant}`,
    );
  }
  const entries = typeof content === 'string' ? { column: content } : content;
  const entry = readKeys(reading.text, path, valueEntry, entries, reading.problems);
  if (entry === null) return null;
  if (entry.type !== undefined && kind !== 'json')
    return fault(reading, [...path, 'type'], 'The interface defines the type of this field. Remove the key.');
  const [first, second] = origins.filter((key) => entry[key] !== undefined);
  if (second !== undefined) return fault(reading, [...path, second], `Give ${first} or ${second}, not both.`);
  const real = entry.type === undefined ? kind : openKinds[entry.type];
  if (entry.constant !== undefined) return readConstant(reading, real, entry.constant, entry, path);
  if (entry.cases !== undefined) return readCases(reading, kind, entry.cases, entry, path, table);
  return readColumn(reading, real, entry, path, table);
}

function readColumn(
  reading: Reading,
  kind: FieldKind,
  entry: ValueEntry,
  path: KeyPath,
  table: string,
): ColumnSpec | null {
  const misplaced = misplacedKey(entry, {
    kind,
    exact: exactness(kind),
    hasOwnMeaning: hasOwnMeaning(entry),
    canBeInvalid: canBeInvalid(entry),
    hasModule: reading.module !== undefined,
    isCsv: !/\.(?:ndjson|jsonl?)\b/i.test(reading.tables.get(table)?.spec.file ?? ''),
  });
  if (misplaced !== undefined) return fault(reading, [...path, misplaced.key], misplaced.why);
  const convert = conversion(reading, kind, entry, path, table);
  if (convert === null) return null;
  const fallback = stated(reading, kind, entry.default, [...path, 'default']);
  const exact = hasOwnMeaning(entry) ? undefined : exactness(kind);
  const ofTable = reading.tables.get(table)?.format.may_lose;
  const mayLose = entry.may_lose ?? (exact === undefined ? undefined : ofTable);
  const shape = valueShape({ split: entry.split, take: entry.take, text: shapeIn(entry), mayLose }, exact);
  checkOwnMarks(reading, entry, path, table);
  const parts = readParts(reading, entry, path, table);
  const keys = lookupKeys(reading, entry, path);
  if (parts === null || keys === null) return null;
  const cells = combinedColumns(entry, { formats: formatsFor(reading, table, entry), parts, keys, shape });
  const origin = reading.text.cell(path);
  if (exact === 'amount' && entry.round === undefined)
    for (const column of cells.columns)
      if (!parts.has(column)) reading.amounts.push({ table, column, origin });
  const onInvalid = entry.on_invalid === 'reject' ? undefined : entry.on_invalid;
  const byCountry =
    typeof entry.phone === 'object'
      ? phonesOfCountry(cells.columns, entry.phone.country, (entry.may_lose ?? ofTable) === true, {
          shape,
          onInvalid,
        })
      : undefined;
  return {
    type: 'column',
    ...cells,
    ...byCountry,
    call: entry.call,
    empty: entry.empty && emptyTexts(entry.empty),
    parts,
    shape: byCountry === undefined && keys.length < 2 ? shape : undefined,
    convert,
    fallback,
    onInvalid,
    codes: entry.codes && codeLines(reading, Object.keys(entry.codes), path),
    origin,
  };
}

/** The marks of numbers that a value names itself, beside those of its table. */
function checkOwnMarks(reading: Reading, entry: ValueEntry, path: KeyPath, table: string): void {
  if (entry.decimal_mark === undefined && entry.thousands_mark === undefined) return;
  checkMarks(reading, [
    { keys: entry, path },
    { keys: reading.tables.get(table)?.format ?? {}, path: ['tables', table] },
  ]);
}

/** The values by name that a template or a calculation names beside columns. */
function readParts(
  reading: Reading,
  { parts = {}, template, calc }: ValueEntry,
  path: KeyPath,
  table: string,
): ReadonlyMap<string, Spec> | null {
  const named = template?.columns ?? calc?.columns ?? [];
  const read = new Map<string, Spec>();
  for (const [name, content] of Object.entries(parts)) {
    const at = [...path, 'parts', name];
    if (!named.includes(name))
      return fault(
        reading,
        at,
        `No template or calc here names {${name}}. Name it there, or remove the key.`,
      );
    const part = reading.part?.(template === undefined ? 'decimal-string' : 'string', content, at, table);
    if (part === null || part === undefined) return null;
    read.set(name, part);
  }
  return read;
}

/** The columns of the codes in the code table that a value is looked up in; none without one. */
function lookupKeys(
  reading: Reading,
  { lookup, column = [] }: ValueEntry,
  path: KeyPath,
): readonly string[] | null {
  const keys = (lookup === undefined ? undefined : reading.lookups.get(lookup)?.keys) ?? [];
  if (keys.length < 2 || column.length === keys.length) return keys;
  return fault(
    reading,
    [...path, 'lookup'],
    `The codes of this table are in ${keys.length} columns (${keys.join(', ')}). Name as many with column, in this order.`,
  );
}

/** Whether a code table or a function says what a text means, whatever was left out of it. */
function hasOwnMeaning({ codes, lookup, phone, country, call }: ValueEntry): boolean {
  return [codes, lookup, phone, country, call].some((said) => said !== undefined);
}

/** Whether something decides which texts are valid. */
function canBeInvalid({ codes, lookup, phone, country, call, match, check, ...entry }: ValueEntry): boolean {
  const { digits, take, calc } = entry;
  const deciding = [codes, lookup, phone, country, call, match, check, calc];
  return deciding.some((said) => said !== undefined) || digits === true || take === 'only';
}

function exactness(kind: FieldKind): Exact {
  if (amountKinds.has(kind)) return 'amount';
  return kind === 'date' || kind === 'datetime' ? 'date' : undefined;
}

function readConstant(
  reading: Reading,
  kind: FieldKind,
  constant: string,
  entry: ValueEntry,
  path: KeyPath,
): ConstantSpec | null {
  const beside = Object.keys(entry).find((key) => key !== 'constant' && key !== 'type');
  if (beside !== undefined)
    return fault(reading, [...path, beside], 'This has no effect on a constant. Remove the key.');
  const value = literal(reading, kind, constant, [...path, 'constant']);
  return value === null ? null : { type: 'constant', value, origin: reading.text.cell(path) };
}

function readCases(
  reading: Reading,
  kind: FieldKind,
  cases: readonly JsonValue[],
  entry: ValueEntry,
  path: KeyPath,
  table: string,
): CasesSpec | null {
  const beside = Object.keys(entry).find((key) => key !== 'cases');
  if (beside !== undefined)
    return fault(reading, [...path, beside], 'This belongs in each then. Remove the key here.');
  const read = cases.flatMap((content, index): CasesSpec['cases'][number][] => {
    const at = [...path, 'cases', index];
    const said = readKeys(reading.text, at, caseEntry, content, reading.problems);
    if (said === null) return [];
    const when = readWhen(reading, said, at, table);
    if (when.length === 0 && index < cases.length - 1)
      fault(reading, at, 'Only the last case may be without a when: those after it are never reached.');
    const then: Spec | null = readValue(reading, kind, said.then, [...at, 'then'], table);
    return then === null ? [] : [{ when, then }];
  });
  return { type: 'cases', cases: read };
}

function conversion(
  reading: Reading,
  kind: FieldKind,
  entry: ValueEntry,
  path: KeyPath,
  table: string,
): Convert | LookupConvert | null {
  const { codes, lookup, phone, country, round, month, minor_units: currency } = entry;
  const [first, second] = (['codes', 'lookup', 'phone', 'minor_units'] as const).filter(
    (key) => entry[key] !== undefined,
  );
  if (second !== undefined) return fault(reading, [...path, second], `Give ${first} or ${second}, not both.`);
  if (country !== undefined) {
    const named = convertCountry(country === 'true' ? undefined : country);
    if (lookup !== undefined || phone !== undefined || currency !== undefined)
      return fault(reading, [...path, 'country'], 'Only codes can be given beside country. Remove the key.');
    return codes === undefined ? named : exceptions(codes, named);
  }
  if (codes !== undefined) return codeTable(reading, kind, codes, path);
  if (lookup !== undefined) return byLookup(reading, kind, lookup, [...path, 'lookup']);
  const mayLose = (entry.may_lose ?? reading.tables.get(table)?.format.may_lose) === true;
  if (typeof phone === 'object') return convertTo(kind, interfaceFormats);
  if (phone !== undefined) return convertPhone(phone === 'international' ? undefined : phone, mayLose);
  const formats =
    entry.calc === undefined && entry.call === undefined
      ? formatsFor(reading, table, entry)
      : interfaceFormats;
  if (month !== undefined) return monthEnd(month, convertTo(kind, formats));
  const inFormat = (given: Formats): Convert =>
    currency === undefined ? convertTo(kind, given) : convertMinorUnits(currency, given);
  if (currency === undefined || amountKinds.has(kind))
    return round === undefined
      ? inFormat(formats)
      : rounded(round, formats.decimal, inFormat(interfaceFormats), inFormat(formats));
  return fault(reading, [...path, 'minor_units'], 'This field does not accept an amount. Remove the key.');
}

/** The names of countries that the mapping itself gives come first. */
function exceptions(codes: Readonly<Record<string, string>>, named: Convert): Convert {
  const given = new Map(Object.entries(codes));
  return (raw) => codeOf(raw, given) ?? named(raw);
}

function byLookup(reading: Reading, kind: FieldKind, name: string, path: KeyPath): LookupConvert | null {
  const lookup = reading.lookups.get(name);
  if (lookup !== undefined) return { lookup: name, by: (codes) => convertByLookup(kind, lookup.file, codes) };
  const remedy = reading.lookups.size === 0 ? '' : `${remedyFor(name, [...reading.lookups.keys()])} `;
  return fault(reading, path, `There is no code table ${name}. ${remedy}Declare it under lookups.`);
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

function codeLines(reading: Reading, codes: readonly string[], path: KeyPath): ReadonlyMap<string, Cell> {
  return new Map(codes.map((code) => [code, reading.text.cell([...path, 'codes', code])]));
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

/** A value that the mapping itself contains, in the interface's own form. */
function literal(reading: Reading, kind: FieldKind, text: string, path: KeyPath): JsonValue | null {
  const value = convertTo(kind, interfaceFormats)(text);
  return value instanceof Fault ? fault(reading, path, value.detail) : value;
}
