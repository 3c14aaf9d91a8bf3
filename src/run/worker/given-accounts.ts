import type { Cell } from '../../domain/cell.ts';
import type { Fix } from '../../domain/fix.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { preflight } from '../../pipeline/check/preflight.ts';
import { comparedPlans, type AccountsComparison } from '../compare-accounts.ts';
import type { Plans } from '../reading/plans.ts';
import type { AccountRules } from '../threads/check-account.ts';
import { eachAccount, type Work } from '../threads/each-account.ts';
import { readiedAccount } from '../threads/readied-account.ts';
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

/**
 * The same accounts, from several threads: for a run that knows no account by its rows, so that all are mapped. Of an account whose cell
 * is asked for, the rows are read again.
 */
export async function* givenByThreads(
  plans: Plans,
  { across, seen }: AccountsComparison,
  { how, mapping, ...work }: Giving & Pick<Work<'ready'>, 'settings' | 'threads' | 'reporter'>,
): AsyncGenerator<GivenAccount> {
  const seesNow = across.isWanted && !across.refuses;
  work.reporter.progress.begin(plans.total, 'account');
  const accounts = eachAccount(
    plans.partsOf(() => true),
    {
      ...work,
      job: 'ready',
      here: (plan) => readiedAccount(plan, how),
      // As in comparedPlans.
      recognise:
        mapping === undefined || across.refuses
          ? undefined
          : (asked) => Promise.resolve(asked.map(() => 'unknown')),
      onlyRanges: true,
    },
  );
  for await (const { key, ignoredRows, rows, values, problems, packed, bytes, plan } of accounts) {
    const { account } = key;
    if (seesNow && !seen.has(account)) across.add(account, values);
    const all = [...problems.read, ...across.of(account), ...problems.checked, ...packed.problems];
    const known = rows && mapping !== undefined ? { rows: { ...rows, mapping } } : {};
    yield {
      key,
      ignoredRows,
      locate: plan?.locate ?? locatedIn(plans, account),
      pack: (packing, number) => packing.addPacked(number, { ...packed, ...known, problems: all }, bytes),
    };
  }
}

/** undefined where the account's rows cannot be read any more. */
function locatedIn(plans: Plans, account: string): GivenAccount['locate'] {
  return async (...place) => {
    try {
      for await (const plan of plans.plansAmong(new Set([account]))) return plan.locate(...place);
    } catch {
      // The cell is only for the message: the file itself is told about where its accounts are read.
    }
    return undefined;
  };
}
