/**
 * Where an account stands. The journal keeps it, status and summaries count it.
 *
 * - `pending`: nothing was sent yet
 * - `staged`: its data is staged on the platform
 * - `imported`: the account exists; extra data is not all there
 * - `completed`: everything in its plan is there
 * - `rejected`: the data was refused, locally or by the platform; it needs a fix
 * - `failed`: gave up after retries; can be run again as it is
 * - `uncertain`: a step's effect cannot be known; it needs a person's ruling
 * - `skipped`: left alone, with the reason
 */
export const accountStates = [
  'pending',
  'staged',
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

/** What a run tells of the accounts that it was to take. */
export type RunCounts = AccountCounts & {
  readonly total: number;
  /**
   * Of the total, those that a run that was ended at once did not come to: how they stand is not looked up. null: nor
   * is it known how many these are, and the total is of those that were counted.
   */
  readonly uncounted?: number | null;
};

/** Counts by state with their total, as every summary has them. */
export function withTotal(counts: AccountCounts): { readonly total: number } & AccountCounts {
  return { total: Object.values(counts).reduce((sum, count) => sum + count, 0), ...counts };
}

/** Whether the next run of the same export would find accounts to drive: what needs a fix or a ruling is none. */
export function leavesWork({ pending, staged, imported, failed, uncounted = 0 }: RunCounts): boolean {
  return uncounted === null || pending + staged + imported + failed + uncounted > 0;
}

export function zeroCounts(): AccountCounts {
  return {
    pending: 0,
    staged: 0,
    imported: 0,
    completed: 0,
    rejected: 0,
    failed: 0,
    uncertain: 0,
    skipped: 0,
  };
}

const after: Readonly<Record<AccountState, readonly AccountState[]>> = {
  pending: ['staged', 'imported', 'completed', 'rejected', 'failed', 'uncertain', 'skipped'],
  staged: ['imported', 'completed', 'rejected', 'failed', 'uncertain', 'skipped'],
  imported: ['completed', 'rejected', 'failed', 'uncertain'],
  // A completed account whose export changed gets more data, or is told that it changed after import.
  completed: ['imported', 'rejected', 'failed', 'uncertain'],
  rejected: ['pending', 'staged', 'imported', 'completed', 'failed', 'uncertain', 'skipped'],
  failed: ['pending', 'staged', 'imported', 'completed', 'rejected', 'uncertain', 'skipped'],
  uncertain: ['pending', 'staged', 'imported', 'completed', 'rejected', 'failed', 'skipped'],
  skipped: ['pending', 'staged', 'imported', 'completed', 'rejected', 'failed', 'uncertain'],
};

/** Whether an account may go from one state to the other; staying is always allowed. */
export function mayBecome(from: AccountState, to: AccountState): boolean {
  return from === to || after[from].includes(to);
}
