import { answers, isOneOf } from './condition.ts';
import type { Conditions } from './mapping-keys.ts';
import type { KeyPath } from './mapping-text.ts';
import { formatsFor, type Reading } from './reading.ts';
import type { ConditionSpec } from './spec.ts';

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
