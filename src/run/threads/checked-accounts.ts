import { processors } from '../../host/processors.ts';
import type { Reporter } from '../../host/environment.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import type { PlansPart } from '../reading/elsewhere.ts';
import { checkAccount, type AccountRules, type CheckedAccount } from './check-account.ts';
import { CheckingThreads } from './checking-threads.ts';
import type { CheckSettings } from './messages.ts';

/** An account that was checked in this thread has its plan. */
export type Checked = CheckedAccount & { readonly plan?: AccountPlan };

export interface Threads {
  /** With 1, there is no other thread. */
  readonly count: number;
  /** Parts with fewer accounts are checked in this one. */
  readonly fewest: number;
}

export const oneThread: Threads = { count: 1, fewest: 0 };

/** Fewer accounts are checked before a thread has started. */
const notWorthIt = 1_000;

/** As the setting `threads` says, else one less than there are processors: this thread reads and counts. */
export function threadsOf({ threads }: { readonly threads?: number | undefined }): Threads {
  if (threads !== undefined) return { count: threads, fewest: 0 };
  return { count: Math.max(1, processors() - 1), fewest: notWorthIt };
}

/**
 * Checks the accounts of these parts, in their order, in so many threads: with one, in this one, which gives the plans too. Others
 * are used where a part is large enough, and where they find the same.
 */
export async function* checkedAccounts(
  parts: readonly PlansPart[],
  how: AccountRules,
  {
    threads: { count, fewest },
    settings,
    reporter,
  }: { readonly threads: Threads; readonly settings: CheckSettings; readonly reporter: Reporter },
): AsyncGenerator<Checked> {
  let threads: CheckingThreads | undefined;
  try {
    for (const part of parts) {
      const isWorth = count > 1 && part.accounts >= fewest;
      const elsewhere = isWorth ? await part.elsewhere() : undefined;
      if (elsewhere !== undefined) threads ??= await started(count, settings, reporter);
      if (elsewhere !== undefined && threads !== undefined) yield* threads.checked(elsewhere);
      else for await (const plan of part.plans) yield { ...checkAccount(plan, how), plan };
    }
  } finally {
    await threads?.close();
  }
}

/** undefined where the machine allows no further thread. */
async function started(
  count: number,
  settings: CheckSettings,
  reporter: Reporter,
): Promise<CheckingThreads | undefined> {
  try {
    const threads = await CheckingThreads.open(count, settings);
    reporter.detail(`Checking in ${count} threads.`);
    return threads;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_INIT_FAILED')) throw error;
    reporter.detail('Checking in one thread: this machine allows no further one.');
    return undefined;
  }
}
