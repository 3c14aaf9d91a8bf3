import type { Cell } from '../../domain/cell.ts';
import type { Fix } from '../../domain/fix.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { preflight } from '../../pipeline/check/preflight.ts';
import { comparedPlans, type AccountsComparison } from '../compare-accounts.ts';
import type { RowsElsewhere } from '../reading/elsewhere.ts';
import type { Plans } from '../reading/plans.ts';
import type { AccountRules } from '../threads/check-account.ts';
import type { AccountThreads } from '../threads/account-threads.ts';
import { startedThreads, type Work } from '../threads/each-account.ts';
import type { Packing } from './packing.ts';

/** An account that a run is given. */
export interface GivenAccount extends Pick<AccountPlan, 'key' | 'ignoredRows'> {
  readonly fix?: Fix | undefined;
  readonly locate: (...place: Parameters<AccountPlan['locate']>) => MaybePromise<Cell | undefined>;
  /** Packs it under a number. */
  readonly pack: (packing: Packing, number: number) => void;
}

type MaybePromise<Value> = Value | Promise<Value>;

/** How accounts are given. */
export interface Giving {
  readonly how: AccountRules & { readonly mostBytes: number };
  /** Identifies what decides how rows are mapped; absent: rows are not fingerprinted. */
  readonly mapping: string | undefined;
}

/** Accounts that are read, mapped and checked in this thread. */
export async function* givenHere(
  plans: Plans,
  comparison: AccountsComparison,
  { how, mapping, ...passing }: Giving & Parameters<typeof comparedPlans>[2],
): AsyncGenerator<GivenAccount> {
  const { rules, cutting, mostBytes } = how;
  for await (const plan of comparedPlans(plans, comparison, passing))
    yield {
      ...plan,
      pack: (packing, number) => packing.add(number, plan, preflight(plan, rules), { cutting, mapping, mostBytes }), // prettier-ignore
    };
}

/** Threads that are ready to read the accounts of an export. */
export interface GivingThreads {
  readonly threads: AccountThreads<'ready'>;
  readonly rows: RowsElsewhere;
}

/**
 * Starts threads that read an export's accounts for a run: before it is approved, so that all of it is mapped by the code and the contract
 * of that moment. undefined where other threads cannot read the accounts by themselves, or fixes replace some.
 */
export async function givingThreads(
  plans: Plans,
  work: Pick<Work<'ready'>, 'settings' | 'threads' | 'reporter'>,
): Promise<GivingThreads | undefined> {
  const [part] = plans.partsOf(() => true);
  const rows = plans.plansSince === undefined ? undefined : await part?.elsewhere();
  if (rows?.ranges === undefined) return undefined;
  const threads = await startedThreads({ ...work, job: 'ready', isPrinted: true });
  if (threads === undefined) return undefined;
  try {
    await threads.bind(rows);
    return { threads, rows };
  } catch (error) {
    await threads.close();
    throw error;
  }
}

/**
 * The same accounts, from several threads: for a run that knows no account by its rows, so that all are mapped. Of an account whose cell
 * is asked for, the rows are read again.
 */
export async function* givenByThreads(
  plans: Plans,
  { across, seen }: AccountsComparison,
  { threads, rows: elsewhere, mapping }: GivingThreads & Pick<Giving, 'mapping'>,
): AsyncGenerator<GivenAccount> {
  const seesNow = across.isWanted && !across.refuses;
  for await (const found of threads.found(elsewhere))
    for (const { key, ignoredRows, rows, values, problems, packed, bytes } of found) {
      const { account } = key;
      if (seesNow && !seen.has(account)) across.add(account, values);
      const all = [...problems.read, ...across.of(account), ...problems.checked, ...packed.problems];
      // As in comparedPlans.
      const isKnown = rows !== undefined && mapping !== undefined && !across.refuses;
      const own = { ...packed, problems: all, rows: isKnown ? { ...rows, mapping } : undefined };
      yield {
        key,
        ignoredRows,
        locate: locatedIn(plans, account),
        pack: (packing, number) => packing.addPacked(number, own, bytes),
      };
    }
}

/** Reads the account again when its first cell is asked for. No cell where it cannot be read any more. */
function locatedIn(plans: Plans, account: string): GivenAccount['locate'] {
  let plan: Promise<AccountPlan | undefined> | undefined;
  return async (...place) => {
    plan ??= firstOf(plans.plansAmong(new Set([account])));
    return (await plan)?.locate(...place);
  };
}

/** undefined if there is none: the cell is only for the message, and the reading of all accounts tells what is wrong with a file. */
async function firstOf(plans: AsyncIterable<AccountPlan>): Promise<AccountPlan | undefined> {
  try {
    for await (const plan of plans) return plan;
  } catch {
    return undefined;
  }
  return undefined;
}
