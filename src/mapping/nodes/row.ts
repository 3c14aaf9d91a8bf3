import { textOf } from '../condition.ts';
import { allHold } from './cases.ts';
import { areRowsUnknown, rowsOf, withChoice, type RowsPlan } from './rows.ts';
import { cellAt, isUnreadable, withBehind, type BuildFault, type Node, type Scope } from './run.ts';

/** The value from the parent's only row in a child table or, of several, the first by `order`. */
export function rowNode(plan: RowsPlan): Node {
  return {
    build(scope) {
      const { findings, claimed } = scope.run;
      const rows = rowsOf(plan, scope);
      for (const { record } of rows) claimed.add(record);
      const [, second] = rows;
      const first = chosen(plan, rows);
      // The missing row may be one that could not be read.
      if (areRowsUnknown(plan, scope) || isOrderUnknown(plan, rows))
        findings.push({ isList: false, path: '' });
      else if (first === undefined && allHold(plan.when, scope) === true)
        findings.push(...missingRow(plan, scope));
      if (second !== undefined && wantsOne(plan)) findings.push(severalRows(second));
      return first === undefined ? undefined : plan.each.build(first);
    },
    locate(scope, path) {
      const first = chosen(plan, rowsOf(plan, scope));
      if (first === undefined) return cellAt(scope.record, '');
      const cell = plan.each.locate(first, path);
      if (cell === undefined) return undefined;
      const ordered = plan.order.map(({ column }) => cellAt(first.record, column));
      return withBehind(withChoice(cell, plan, first, scope), ordered);
    },
  };
}

function chosen({ take }: RowsPlan, rows: readonly Scope[]): Scope | undefined {
  return take === 'last' ? rows.at(-1) : rows[0];
}

/** Whether the order that chooses one of several rows depends on a value that cannot be read. */
function isOrderUnknown({ order }: RowsPlan, rows: readonly Scope[]): boolean {
  return (
    rows.length > 1 && rows.some(({ record }) => order.some(({ column }) => isUnreadable(record, column)))
  );
}

/** Whether several rows are a fault. */
function wantsOne({ take, order }: RowsPlan): boolean {
  return take === 'only' || (take === undefined && order.length === 0);
}

/** A parent that refers to a row that does not exist. */
function missingRow({ match, table }: RowsPlan, scope: Scope): BuildFault[] {
  const [first] = match;
  if (first === undefined || match.some(({ parent }) => textOf(parent(scope)) === '')) return [];
  return [
    {
      code: 'row_not_found',
      path: '',
      detail: `The account has no such row in ${table}. Correct the reference, or add the row.`,
      severity: 'error',
      cell: cellAt(scope.record, first.parentColumn),
    },
  ];
}

function severalRows({ record }: Scope): BuildFault {
  return {
    code: 'several_rows',
    path: '',
    detail: 'Only one row is possible here, and this is the second. Remove one, or select one with order.',
    severity: 'error',
    cell: cellAt(record, ''),
  };
}
