import type { SourceRecord } from '../../source/export.ts';
import { cellAt } from './cell-at.ts';
import { takes, type RowsPlan } from './rows.ts';
import type { Finding, Run } from './run.ts';

/**
 * Rows of child tables that found no place in any payload, or no certain one: nothing of an account is lost silently.
 * Run after everything else of the account was built.
 */
export function findUnplacedRows(run: Run, plansByTable: ReadonlyMap<string, readonly RowsPlan[]>): void {
  for (const [table, plans] of plansByTable) {
    for (const plan of plans) reportUncertain(run, plan);
    for (const record of run.bundle.records(table))
      if (!run.claimed.has(record)) run.findings.push(unplaced(record, plans));
  }
}

function reportUncertain(run: Run, plan: RowsPlan): void {
  const state = run.rows[plan.number];
  if (!plan.onlyParent || state?.several !== true) return;
  for (const { record } of state.unnamed) {
    const column = plan.match[0]?.column;
    const remedy = column === undefined ? 'Give the mapping a match.' : `Name one in ${column}.`;
    run.findings.push({
      code: 'parent_not_named',
      path: '',
      detail: `The account has several records that this row may belong to. ${remedy}`,
      severity: 'error',
      cell: cellAt(record, column ?? ''),
    });
  }
}

function unplaced(record: SourceRecord, plans: readonly RowsPlan[]): Finding {
  const plan = plans.find((candidate) => takes(candidate, record));
  if (plan === undefined)
    return {
      code: 'row_not_mapped',
      path: '',
      detail: 'No part of the mapping takes this row: each leaves it out by its where.',
      severity: 'warning',
      cell: cellAt(record, ''),
    };
  return {
    code: 'parent_not_found',
    path: '',
    detail: 'The account has no record that this row belongs to. Correct the reference, or add the record.',
    severity: 'error',
    cell: cellAt(record, plan.match[0]?.column ?? ''),
  };
}
