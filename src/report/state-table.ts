import {
  accountStates,
  withTotal,
  type AccountCounts,
  type AccountState,
  type RunCounts,
} from '../domain/account-state.ts';
import { formatCount } from './format.ts';
import { table } from './table.ts';
import type { Page } from './terminal.ts';

const meanings: Readonly<Record<AccountState, string>> = {
  pending: 'nothing was sent yet',
  staged: 'the data is staged on the platform',
  imported: 'the account exists, extra data is not all there',
  completed: 'everything is there',
  rejected: 'refused; fix the data',
  failed: 'gave up after retries, can be run again as it is',
  uncertain: 'the effect of a step cannot be known',
  skipped: 'left alone',
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

/** Accounts by state: those that there are, and their total. */
export function stateTable(page: Page, counts: AccountCounts & Pick<RunCounts, 'uncounted'>): string {
  const { uncounted = 0 } = counts;
  const rows = accountStates
    .filter((state) => counts[state] > 0)
    .map((state) => [state, formatCount(counts[state]), meanings[state]]);
  const columns = [
    { title: '', paint: (state: string) => paintState(page, state) },
    { title: '', align: 'right' as const },
    { title: '', paint: (meaning: string) => page.paint.dim(meaning) },
  ];
  const total = [uncounted === null ? 'counted' : 'total', formatCount(withTotal(counts).total), ''];
  if (uncounted === 0) return table(page, columns, [...rows, total]);
  const rest = [
    'not counted',
    uncounted === null ? '?' : formatCount(uncounted),
    'it ended before it came to them',
  ];
  return table(page, columns, uncounted === null ? [...rows, total, rest] : [...rows, rest, total]);
}
