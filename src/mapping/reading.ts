import type { FieldKind } from '../contract/schemas/fields.ts';
import type { JsonValue } from '../domain/json.ts';
import type { Problem } from '../domain/problem.ts';
import type { TableSpec } from '../source/export.ts';
import { answers, isOneOf } from './condition.ts';
import { interfaceFormats, type Formats } from './convert.ts';
import { inZone } from './date-format.ts';
import { decimalFormat } from './decimal-format.ts';
import type { Conditions, FormatKeys, ValueEntry } from './mapping-keys.ts';
import { mappingProblem } from './mapping-problem.ts';
import type { AmountColumn } from './plan.ts';
import type { KeyPath, MappingText } from './mapping-text.ts';
import { accountsTable, type ConditionSpec, type LookupSpec, type ModuleSpec, type Spec } from './spec.ts';

/** A table that the mapping declares, and the format of its file. */
export interface ReadTable {
  readonly spec: TableSpec;
  readonly format: FormatKeys;
  /** Rows that are excluded on purpose: those for which all conditions of one list match. */
  readonly ignore: readonly Conditions[];
}

/** The mapping file that is being read, and the problems found so far. */
export interface Reading {
  readonly text: MappingText;
  readonly tables: ReadonlyMap<string, ReadTable>;
  readonly lookups: ReadonlyMap<string, LookupSpec>;
  readonly module?: ModuleSpec | undefined;
  readonly problems: Problem[];
  /** Reads a value that may be one of another table's row. */
  readonly part?: (kind: FieldKind, content: JsonValue, path: KeyPath, table: string) => Spec | null;
  /** The columns that amounts are made of, found so far. */
  readonly amounts: AmountColumn[];
}

/** Records a fault of the mapping file at its line. */
export function fault({ text, problems }: Reading, path: KeyPath, detail: string): null {
  problems.push(mappingProblem('invalid_value', text.cell(path), detail));
  return null;
}

/** A format's keys, with the path of the section that states them. */
export interface StatedFormat {
  readonly keys: Pick<FormatKeys, 'decimal_mark' | 'thousands_mark'>;
  readonly path: KeyPath;
}

/** Records a fault if the same character is both marks. `stated`: the formats that apply, the closest first. */
export function checkMarks(reading: Reading, stated: readonly StatedFormat[]): void {
  const sourceOf = (key: 'decimal_mark' | 'thousands_mark'): StatedFormat | undefined =>
    stated.find(({ keys }) => keys[key] !== undefined);
  const [decimal, thousands] = [sourceOf('decimal_mark'), sourceOf('thousands_mark')];
  const mark = decimal?.keys.decimal_mark ?? defaultMark;
  if (thousands === undefined || thousands.keys.thousands_mark !== mark) return;
  const isDecimalCloser = decimal !== undefined && stated.indexOf(decimal) < stated.indexOf(thousands);
  const at = isDecimalCloser ? [...decimal.path, 'decimal_mark'] : [...thousands.path, 'thousands_mark'];
  const isDefault = decimal === undefined ? ', the default,' : '';
  fault(
    reading,
    at,
    `decimal_mark${isDefault} and thousands_mark are both '${mark}', so amounts are ambiguous. Set both, to different characters, or thousands_mark to '' for none.`,
  );
}

const defaultMark = '.';

/** The format of a table's file, and of this value in it. */
export function formatsFor({ tables }: Reading, table: string, entry: Partial<ValueEntry> = {}): Formats {
  const format = tables.get(table)?.format ?? {};
  const mark = entry.decimal_mark ?? format.decimal_mark ?? defaultMark;
  const datetimes = entry.date ?? format.datetimes ?? interfaceFormats.datetimes;
  const zone = entry.zone ?? format.zone;
  const dates = entry.date ?? format.dates ?? interfaceFormats.dates;
  return {
    dates,
    datetimes: zone === undefined ? datetimes : inZone(datetimes, zone.toUtc),
    decimal: decimalFormat(
      mark,
      entry.thousands_mark ?? format.thousands_mark ?? '',
      entry.sign ?? format.sign,
      entry.currency ?? format.currency,
    ),
    typed: { zone, mayLose: (entry.may_lose ?? format.may_lose) === true, isTimed: dates.hasTime },
  };
}

interface WhenKeys {
  readonly when?: Conditions | undefined;
  readonly when_account?: Conditions | undefined;
}

/** The tests on a table's columns, in `where` or `when`. */
export function readConditions(
  reading: Reading,
  conditions: Conditions,
  path: KeyPath,
  table: string,
): ConditionSpec[] {
  return Object.entries(conditions).map(([column, asked]) => ({
    column,
    holds: Array.isArray(asked) ? isOneOf(asked) : answers(asked, formatsFor(reading, table)),
    origin: reading.text.cell([...path, column]),
  }));
}

/** The tests of an entry on the current record (`when`), and on the account's own (`when_account`). */
export function readWhen(
  reading: Reading,
  { when = {}, when_account: whenAccount = {} }: WhenKeys,
  path: KeyPath,
  table: string,
): ConditionSpec[] {
  const ofAccount = readConditions(reading, whenAccount, [...path, 'when_account'], accountsTable);
  return [
    ...readConditions(reading, when, [...path, 'when'], table),
    ...ofAccount.map((condition): ConditionSpec => ({ ...condition, isOfAccount: true })),
  ];
}

/** Texts that count as empty, without the white space around them; '' stands for blank texts. */
export function emptyTexts(texts: readonly string[] | undefined = []): ReadonlySet<string> {
  return new Set(texts.map((text) => text.trim()));
}
