import type { AccountCounts } from '../domain/account-state.ts';
import { formatCount } from './format.ts';

/** States of accounts that wait for a run, without those that failed. */
const states = ['pending', 'staged', 'scheduled', 'imported'] as const;

/** Accounts that wait for a run, each state by its own name: such as "3 pending, 1 imported"; '' if there are none. */
export function toDoText(accounts: Pick<AccountCounts, (typeof states)[number]>): string {
  return states
    .filter((state) => accounts[state] > 0)
    .map((state) => `${formatCount(accounts[state])} ${state}`)
    .join(', ');
}
