import type { SourceRecord } from '../../source/export.ts';
import { textOf } from '../condition.ts';
import type { LeftOutRows } from './left-out.ts';
import { ignores, takes, type RowsPlan } from './rows.ts';
import { cellAt, type BuildFault, type Run } from './run.ts';

/**
 * Finds the rows of child tables that have no place in any payload, or no certain one, so that nothing of an account
 * is lost silently. Runs after everything else of the account is built. Returns the tables whose rows should have a
 * place.
 */
export function findUnplacedRows(
  run: Run,
  plansByTable: ReadonlyMap<string, readonly RowsPlan[]>,
  leftOut: LeftOutRows,
): ReadonlySet<string> {
  const tables = new Set<string>();
  for (const [table, plans] of plansByTable) {
    const records = run.bundle.records(table);
    if (records.length === 0) continue;
    const found: BuildFault[] = [];
    for (const plan of plans) found.push(...uncertain(run, plan));
    for (const record of records) {
      if (run.claimed.has(record)) continue;
      if (run.possible.has(record) || isParentUnread(run, plans, plansByTable)) tables.add(table);
      else if (leftOut.has(table, record)) run.ignoredRows += 1;
      else found.push(...unplaced(run, record, plans));
    }
    if (found.some(({ severity }) => severity === 'error')) tables.add(table);
    run.findings.push(...found);
  }
  return tables;
}

/** Whether a parent of the rows may be one that cannot be read. */
function isParentUnread(
  run: Run,
  plans: readonly RowsPlan[],
  plansByTable: ReadonlyMap<string, readonly RowsPlan[]>,
): boolean {
  if (run.incomplete.size === 0) return false;
  return plans.some(
    ({ parentTable }) =>
      run.incomplete.has(parentTable) ||
      isParentUnread(run, plansByTable.get(parentTable) ?? [], plansByTable),
  );
}

function uncertain(run: Run, plan: RowsPlan): BuildFault[] {
  const state = run.rows[plan.number];
  if (!plan.onlyParent || state?.several !== true) return [];
  return state.unnamed.map(({ record }) => {
    const column = plan.match[0]?.column;
    const remedy = column === undefined ? 'Give the mapping a match.' : `Name one in ${column}.`;
    return {
      code: 'parent_not_named',
      path: '',
      detail: `The account has several records that this row may belong to. ${remedy}`,
      severity: 'error',
      cell: cellAt(record, column ?? ''),
    };
  });
}

/** The values that the excluding conditions found in the row. */
function refusedBy(record: SourceRecord, plans: readonly RowsPlan[]): string {
  const asked = plans.flatMap(({ where }) => where.filter(({ read, holds }) => holds(read(record)) !== true));
  const found = asked.map(({ column, read }) => `${column}: ${textOf(read(record)) || '(empty)'}`);
  return [...new Set(found)].join(', ');
}

function unplaced(run: Run, record: SourceRecord, plans: readonly RowsPlan[]): BuildFault[] {
  // It is not known which part a row is for if a value that decides it cannot be read.
  const isDecided = plans[0] !== undefined && ignores(plans[0], record, run) === false;
  if (!isDecided || plans.some((candidate) => takes(candidate, record) === undefined)) return [];
  const plan = plans.find(
    (candidate) => takes(candidate, record) === true && run.rows[candidate.number]?.excluded !== true,
  );
  return [plan === undefined ? notMapped(record, plans) : withoutParent(record, plan)];
}

function notMapped(record: SourceRecord, plans: readonly RowsPlan[]): BuildFault {
  return {
    code: 'row_not_mapped',
    path: '',
    detail:
      'No part of the mapping uses this row: every where or when excludes it. ' +
      "If that is intended, set the table's ignore.",
    severity: 'warning',
    cell: cellAt(record, ''),
    value: refusedBy(record, plans),
  };
}

function withoutParent(record: SourceRecord, plan: RowsPlan): BuildFault {
  return {
    code: 'parent_not_found',
    path: '',
    detail: 'The account has no record that this row belongs to. Correct the reference, or add the record.',
    severity: 'error',
    cell: cellAt(record, plan.match[0]?.column ?? ''),
  };
}
