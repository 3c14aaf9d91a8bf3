import { answers, isOneOf } from './condition.ts';
import type { Conditions } from './mapping-keys.ts';
import type { KeyPath } from './mapping-text.ts';
import { formatsFor, type Reading } from './reading.ts';
import { accountsTable, type ConditionSpec } from './spec.ts';

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
