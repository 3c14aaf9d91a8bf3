import { stepNames } from '../domain/steps.ts';
import type { StepCounts, SupplierOverview } from '../journal/journal.ts';
import { counted, formatCount, formatDuration, formatRate } from './format.ts';
import { withTotal } from './json-records.ts';
import { stateTable } from './state-table.ts';
import { paragraph, table, type Column } from './table.ts';
import type { Page } from './terminal.ts';

/** What the platform lists of a supplier (interface, section 4, endpoint 5). */
interface Remote {
  readonly accounts: number;
  /** Staged, and not created. */
  readonly pending: number;
  readonly imported: number;
}

/** One supplier in the journal and, where it was asked, on the platform. */
export interface SupplierStatus extends SupplierOverview {
  readonly remote?: Remote;
  /** While it is watched: accounts that came to an end per second lately, and how many have not. */
  readonly pace?: { readonly perSecond: number; readonly rest: number };
}

/** For programs: the fields of the summary of `status`. */
export function statusSummary(suppliers: readonly SupplierStatus[]): object {
  return {
    suppliers: suppliers.map(({ platform, supplier, accounts, steps, remote, pace }) => ({
      supplier,
      platform,
      accounts: withTotal(accounts),
      steps,
      ...(remote === undefined ? {} : { remote }),
      ...(pace === undefined ? {} : { perSecond: pace.perSecond }),
    })),
  };
}

/** For people: each supplier's accounts by state and its steps. */
export function statusText(page: Page, suppliers: readonly SupplierStatus[]): string {
  if (suppliers.length === 0) return 'Nothing was run yet: the journal has no accounts.';
  return suppliers.map((supplier) => supplierText(page, supplier)).join('\n\n');
}

const counts = ['done', 'failed', 'uncertain', 'pending'] as const satisfies readonly (keyof StepCounts)[];

function supplierText(page: Page, overview: SupplierStatus): string {
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
    ...(overview.remote === undefined ? [] : [remoteText(page, overview, overview.remote)]),
    ...(overview.pace === undefined ? [] : [paceText(page, overview.pace)]),
    '',
    table(page, columns, rows),
  ].join('\n');
}

/** What the platform lists, beside what the journal has of it. */
function remoteText(page: Page, { steps }: SupplierStatus, { accounts, pending, imported }: Remote): string {
  const created = `${formatCount(imported)} created (by the journal ${formatCount(steps.process.done)})`;
  return paragraph(
    page,
    `The platform lists ${formatCount(accounts)}: ${created}, ${formatCount(pending)} staged.`,
  );
}

/** How fast it goes now; the time left goes by the accounts that the journal knows. */
function paceText(page: Page, { perSecond, rest }: NonNullable<SupplierStatus['pace']>): string {
  const left =
    perSecond > 0 && rest > 0 ? `, ${formatDuration((rest / perSecond) * 1000)} left at this rate` : '';
  return paragraph(
    page,
    `${formatRate(perSecond)} over the last minute; ${counted(rest, 'account')} under way or waiting${left}.`,
  );
}
