import {
  accountStates,
  withTotal,
  type AccountCounts,
  type AccountState,
  type RunCounts,
} from '../domain/account-state.ts';
import type { AccountEntry, SupplierOverview } from '../journal/journal.ts';
import { formatCount } from './format.ts';
import { table } from './table.ts';
import type { Page } from './terminal.ts';

const meanings: Readonly<Record<AccountState, string>> = {
  pending: 'waiting for a run',
  staged: 'the data is staged on the platform',
  scheduled: 'the platform has a task that will create it',
  imported: 'the account exists, some of its data is missing',
  completed: 'everything has arrived',
  rejected: 'refused; fix the data',
  failed: 'gave up after retries; run again',
  uncertain: 'the effect of a step cannot be known',
  skipped: 'not created by this journal',
};

/** A state in the colour that it has everywhere. */
export function paintState(page: Page, state: string): string {
  const { green, red, yellow } = page.paint;
  if (state === 'completed' || state === 'done') return green(state);
  if (state === 'rejected' || state === 'failed' || state === 'refused') return red(state);
  return state === 'uncertain' || state === 'sent' ? yellow(state) : state;
}

export function stateMeaning(state: AccountState): string {
  return meanings[state];
}

/** A dry run staged its data on the platform, and no run has created it. */
export function isStagedByDryRun({ state, stagedHash }: Pick<AccountEntry, 'state' | 'stagedHash'>): boolean {
  return state === 'pending' && stagedHash !== undefined;
}

/** Its data arrived, and the data that the export has now is refused. */
export function isRefusedNow({ state, code }: Pick<AccountEntry, 'state' | 'code'>): boolean {
  return state === 'completed' && code !== '';
}

export const refusedNow = 'the data in the export is refused now';

/** Explains pending accounts if a dry run staged some of them. */
export function pendingMeaning(pending: number, stagedByDryRun: number): string {
  if (stagedByDryRun === 0) return meanings.pending;
  if (stagedByDryRun >= pending) return 'staged on the platform by a dry run, not created';
  return `${formatCount(stagedByDryRun)} staged by a dry run; the others wait for a run`;
}

/** Accounts of a state that mean something else than the others of that state. */
type Apart = Partial<
  Pick<SupplierOverview, 'stagedByDryRun' | 'changedAfterImport' | 'alreadyHeld' | 'refusedData'>
>;

/** What the accounts of a state wait for. */
export function meaningIn(
  state: AccountState,
  counts: AccountCounts,
  { stagedByDryRun = 0, changedAfterImport = 0, alreadyHeld = 0, refusedData = 0 }: Apart,
): string {
  if (state === 'pending') return pendingMeaning(counts.pending, stagedByDryRun);
  if (state === 'completed' && refusedData > 0)
    return `everything arrived; the data of ${formatCount(refusedData)} in the export is refused now`;
  if (state === 'rejected' && alreadyHeld > 0)
    return alreadyHeld >= counts.rejected ? heldMeaning : 'refused, or on the platform already';
  return state === 'rejected' ? rejectedMeaning(counts.rejected, changedAfterImport) : meanings[state];
}

/** Of rejected accounts for which the platform refused what it has. */
export const heldMeaning = 'the platform has such data already';

/** Explains rejected accounts if some of them changed after they were imported. */
export function rejectedMeaning(rejected: number, changed: number): string {
  if (changed === 0) return meanings.rejected;
  return changed >= rejected ? 'changed after the import' : 'refused, or changed after the import';
}

/** Accounts by state: those that there are, and their total. */
export function stateTable(
  page: Page,
  counts: AccountCounts & Pick<RunCounts, 'uncounted'>,
  apart: Apart = {},
): string {
  const { uncounted = 0 } = counts;
  const rows = accountStates
    .filter((state) => counts[state] > 0)
    .map((state) => [state, formatCount(counts[state]), meaningIn(state, counts, apart)]);
  const columns = [
    { title: '', paint: (state: string) => paintState(page, state) },
    { title: '', align: 'right' as const },
    { title: '', paint: (meaning: string) => page.paint.dim(meaning) },
  ];
  const total = [uncounted === null ? 'counted' : 'total', formatCount(withTotal(counts).total), ''];
  if (uncounted === 0) return table(page, columns, [...rows, total]);
  const rest = ['not counted', uncounted === null ? '?' : formatCount(uncounted), 'no run has read them yet'];
  return table(page, columns, uncounted === null ? [...rows, total, rest] : [...rows, rest, total]);
}
