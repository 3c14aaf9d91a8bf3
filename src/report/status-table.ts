import { stepNames } from '../domain/steps.ts';
import type { StepCounts, SupplierOverview } from '../journal/journal.ts';
import { formatCount } from './format.ts';
import { withTotal } from './json-records.ts';
import { stateTable } from './state-table.ts';
import { paragraph, table, type Column } from './table.ts';
import type { Page } from './terminal.ts';

/** For programs: the fields of the summary of `status`. */
export function statusSummary(suppliers: readonly SupplierOverview[]): object {
  return {
    suppliers: suppliers.map(({ platform, supplier, accounts, steps }) => ({
      supplier,
      platform,
      accounts: withTotal(accounts),
      steps,
    })),
  };
}

/** For people: each supplier's accounts by state and its steps. */
export function statusText(page: Page, suppliers: readonly SupplierOverview[]): string {
  if (suppliers.length === 0) return 'Nothing was run yet: the journal has no accounts.';
  return suppliers.map((supplier) => supplierText(page, supplier)).join('\n\n');
}

const counts = ['done', 'failed', 'uncertain', 'pending'] as const satisfies readonly (keyof StepCounts)[];

function supplierText(page: Page, overview: SupplierOverview): string {
  const columns: Column[] = [
    { title: 'Step' },
    ...counts.map((count) => ({ title: count, align: 'right' as const })),
  ];
  const rows = stepNames.map((step) => [
    step,
    ...counts.map((count) => formatCount(overview.steps[step][count])),
  ]);
  return [
    page.paint.bold(paragraph(page, `${overview.supplier} on ${overview.platformLabel}`, '')),
    stateTable(page, overview.accounts),
    '',
    table(page, columns, rows),
  ].join('\n');
}
