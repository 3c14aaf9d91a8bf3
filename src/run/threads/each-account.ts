import { processors } from '../../host/processors.ts';
import type { Reporter } from '../../host/environment.ts';
import type { Fix } from '../../domain/fix.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import type { Recognise } from '../../source/export.ts';
import type { PlansPart } from '../reading/elsewhere.ts';
import { AccountThreads } from './account-threads.ts';
import type { Found, FoundBy, Job } from './jobs.ts';
import type { AccountSettings } from './account-settings.ts';

export interface Threads {
  /** With 1, there is no other thread. */
  readonly count: number;
  /** Parts with fewer accounts are read in this one. */
  readonly fewest: number;
}

export const oneThread: Threads = { count: 1, fewest: 0 };

/** Fewer accounts are done before a thread has started. */
const notWorthIt = 1_000;

/** As the setting `threads` says, else one less than there are processors: this thread reads and counts. */
export function threadsOf({ threads }: { readonly threads?: number | undefined }): Threads {
  if (threads !== undefined) return { count: threads, fewest: 0 };
  return { count: Math.max(1, processors() - 1), fewest: notWorthIt };
}

/** What is done with each account. */
export interface Work<Of extends Job> {
  readonly job: Of;
  /** The same job in this thread. */
  readonly here: (plan: AccountPlan) => FoundBy<Of>;
  /** What other threads need for it. */
  readonly settings: AccountSettings;
  readonly threads: Threads;
  readonly reporter: Reporter;
  /** Looks accounts up by their rows, and calls none unchanged; where some are replaced by fixes, it is not asked. */
  readonly recognise?: Recognise | undefined;
}

/** An account whose job was done in this thread has its plan. */
type Done<Of extends Job> = FoundBy<Of> & { readonly fix?: Fix; readonly plan?: AccountPlan };

/** What starting threads needs of `Work`. */
type Start<Of extends Job> = Pick<Work<Of>, 'job' | 'settings' | 'threads' | 'reporter'> & {
  /** Whether they fingerprint the rows too. */
  readonly isPrinted: boolean;
};

/**
 * Does a job with each account of these parts, in their order, in so many threads: with one, in this one. Others are used where a part
 * is large enough, and where they find the same.
 */
export async function* eachAccount<Of extends Job>(
  parts: readonly PlansPart[],
  work: Work<Of>,
): AsyncGenerator<Done<Of>> {
  const { threads: several, here, recognise } = work;
  const { count, fewest } = several;
  let threads: AccountThreads<Of> | undefined;
  try {
    for (const part of parts) {
      const isWorth = count > 1 && part.accounts >= fewest;
      const elsewhere = isWorth ? await part.elsewhere() : undefined;
      if (elsewhere !== undefined)
        threads ??= await startedThreads({
          ...work,
          isPrinted: recognise !== undefined && part.plansSince !== undefined,
        });
      if (elsewhere === undefined || threads === undefined) {
        const plans = (recognise && part.plansSince?.(recognise)) ?? part.plans;
        for await (const plan of plans) yield { ...here(plan), ...part.fixOf?.(plan.key.account), plan };
        continue;
      }
      await threads.bind(elsewhere);
      const isRecognised = recognise !== undefined && part.plansSince !== undefined;
      for await (const found of threads.found(elsewhere)) {
        const known = isRecognised ? await recognised(found, recognise) : found;
        for (const one of known) yield { ...one, ...part.fixOf?.(one.key.account) };
      }
    }
  } finally {
    await threads?.close();
  }
}

/** undefined where the machine allows no further thread. */
export async function startedThreads<Of extends Job>({
  job,
  threads: { count },
  settings,
  reporter,
  isPrinted,
}: Start<Of>): Promise<AccountThreads<Of> | undefined> {
  try {
    const threads = await AccountThreads.open(count, job, { settings, isPrinted });
    reporter.detail(`Reading accounts in ${count} threads.`);
    return threads;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_INIT_FAILED')) throw error;
    reporter.detail('Reading accounts in one thread: this machine allows no further one.');
    return undefined;
  }
}

/** The same accounts, with what is known of them by their rows. */
async function recognised<One extends Found>(
  accounts: readonly One[],
  recognise: Recognise,
): Promise<readonly One[]> {
  const asked = accounts.flatMap(({ key: { account }, rows }) =>
    rows === undefined ? [] : [{ account, print: rows.print }],
  );
  const answers = (asked.length === 0 ? [] : await recognise(asked)).values();
  return accounts.map((one) => {
    if (one.rows === undefined) return one;
    const found = answers.next().value ?? 'unknown';
    if (found === 'unchanged') throw new Error('an account is to be read, however it is known');
    return { ...one, rows: { ...one.rows, found } };
  });
}
