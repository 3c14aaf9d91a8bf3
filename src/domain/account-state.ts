/**
 * The state of an account. The journal keeps it; status and summaries count it.
 *
 * - `pending`: waiting for a run; a run that was killed may have begun it
 * - `staged`: its data is staged on the platform
 * - `scheduled`: the platform has a task that will create it
 * - `imported`: the account exists; some of its data is missing
 * - `completed`: everything in its plan has arrived
 * - `rejected`: the data was refused, locally or by the platform; it needs a fix
 * - `failed`: gave up after retries; can be run again unchanged
 * - `uncertain`: a step's effect cannot be known; it needs a person's ruling
 * - `skipped`: not sent, for the given reason
 */
export const accountStates = [
  'pending',
  'staged',
  'scheduled',
  'imported',
  'completed',
  'rejected',
  'failed',
  'uncertain',
  'skipped',
] as const;

export type AccountState = (typeof accountStates)[number];

/** Accounts counted by state. */
export type AccountCounts = Record<AccountState, number>;

/** Counts of accounts; some may not be counted yet. */
export type RunCounts = AccountCounts & {
  readonly total: number;
  /**
   * Accounts of the total that no run has read from their export yet, because it was not read to its end. null: their
   * number is unknown, and the total has only the accounts that were counted.
   */
  readonly uncounted?: number | null;
};

/** Counts by state with their total, for summaries. */
export function withTotal(counts: AccountCounts): { readonly total: number } & AccountCounts {
  return { total: Object.values(counts).reduce((sum, count) => sum + count, 0), ...counts };
}

/** The same with the accounts that no run has read yet. */
export function withUncounted(counts: AccountCounts, uncounted: number | null = 0): RunCounts {
  const counted = withTotal(counts);
  return uncounted === 0 ? counted : { ...counted, total: counted.total + (uncounted ?? 0), uncounted };
}

/** Whether the next run of the same export would have work: accounts that need a fix or a ruling do not count. */
export function leavesWork({ uncounted = 0, ...counts }: RunCounts): boolean {
  return uncounted === null || unfinishedOf(counts) + uncounted > 0;
}

/** The accounts that a run takes up again without a fix or a ruling. */
export function unfinishedOf({ pending, staged, scheduled, imported, failed }: AccountCounts): number {
  return pending + staged + scheduled + imported + failed;
}

export function zeroCounts(): AccountCounts {
  return {
    pending: 0,
    staged: 0,
    scheduled: 0,
    imported: 0,
    completed: 0,
    rejected: 0,
    failed: 0,
    uncertain: 0,
    skipped: 0,
  };
}

const after: Readonly<Record<AccountState, readonly AccountState[]>> = {
  pending: ['staged', 'scheduled', 'imported', 'completed', 'rejected', 'failed', 'uncertain', 'skipped'],
  staged: ['scheduled', 'imported', 'completed', 'rejected', 'failed', 'uncertain', 'skipped'],
  scheduled: ['pending', 'imported', 'completed', 'rejected', 'failed', 'uncertain', 'skipped'],
  imported: ['completed', 'rejected', 'failed', 'uncertain'],
  // A completed account whose export changed gets more data, or is reported as changed after import.
  completed: ['imported', 'rejected', 'failed', 'uncertain'],
  rejected: ['pending', 'staged', 'scheduled', 'imported', 'completed', 'failed', 'uncertain', 'skipped'],
  failed: ['pending', 'staged', 'scheduled', 'imported', 'completed', 'rejected', 'uncertain', 'skipped'],
  uncertain: ['pending', 'staged', 'scheduled', 'imported', 'completed', 'rejected', 'failed', 'skipped'],
  skipped: ['pending', 'staged', 'scheduled', 'imported', 'completed', 'rejected', 'failed', 'uncertain'],
};

/** Whether an account may go from one state to the other; staying is always allowed. */
export function mayBecome(from: AccountState, to: AccountState): boolean {
  return from === to || after[from].includes(to);
}

/** How many accounts no run has read, of exports that were not read to their ends; null if that is not known. */
export function uncountedOf(exports: readonly { readonly unread?: number }[]): number | null {
  let sum = 0;
  for (const { unread } of exports) {
    if (unread === undefined) return null;
    sum += unread;
  }
  return sum;
}

/**
 * What a run would do with an account.
 *
 * - `new`: it was never run, and will be
 * - `changed`: the export or the mapping changed since it was run, and it is run again
 * - `unfinished`: work is left
 * - `done`: nothing is left to send
 * - `blocked`: not complete, and nothing will be sent: it needs a fix, a ruling, or other steps than those chosen
 */
export const plannedActions = ['new', 'changed', 'unfinished', 'done', 'blocked'] as const;

export type PlannedAction = (typeof plannedActions)[number];
