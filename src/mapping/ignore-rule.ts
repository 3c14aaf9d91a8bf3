import type { IgnoreRule, SourceRecord, Table } from '../source/export.ts';
import { Columns } from './columns.ts';
import { allHoldOf, type ConditionPlan } from './nodes/cases.ts';
import type { ConditionSpec, MappingSpec } from './spec.ts';

/** The rows of a table that `ignore` leaves out, for the reading of its file. `said`: the conditions as they are written. */
export function ignoreRule(
  cases: readonly (readonly ConditionSpec[])[],
  empty: MappingSpec['empty'],
  said: unknown,
): IgnoreRule {
  const bound = new WeakMap<Table, readonly (readonly ConditionPlan[])[]>();
  const casesOf = (table: Table): readonly (readonly ConditionPlan[])[] => {
    const known = bound.get(table);
    if (known !== undefined) return known;
    const columns = new Columns([table], { columns: 'stated', empty });
    const found = cases.map((conditions) =>
      conditions.map(({ column, holds }) => ({ column, holds, read: columns.reader(table.name, column) })),
    );
    bound.set(table, found);
    return found;
  };
  return {
    said: JSON.stringify([said, [...empty].map(([name, texts]) => [name, ...texts])]),
    holds: (record: SourceRecord) =>
      casesOf(record.table).some((conditions) => allHoldOf(conditions, record) === true),
  };
}
