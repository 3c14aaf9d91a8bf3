import type { RuleContext } from '../contract/rules/rule.ts';
import type { Problem } from '../domain/problem.ts';
import type { AccountPlan } from '../mapping/plan.ts';
import { AcrossAccounts } from '../pipeline/check/cross-account.ts';
import type { StopControl } from '../pipeline/run/stop-control.ts';
import type { Reporter } from '../host/environment.ts';
import { SharedValues } from '../sqlite/shared-values.ts';
import type { Recognise } from '../source/export.ts';
import type { Plans } from './reading/plans.ts';
import { eachAccount, type Work } from './threads/each-account.ts';

/** The comparison of accounts with one another, and its files on disk. */
export interface AccountsComparison {
  readonly across: AcrossAccounts;
  /** Whether the whole export was read for it. */
  isWhole: boolean;
  /** Whether plans were passed on: later passes are about the same accounts. */
  isPassing: boolean;
  /** Accounts that were compared, if they pass more than once. */
  readonly seen: Set<string>;
  close(): void;
}

export function startComparison(rules: RuleContext): AccountsComparison {
  const store = new SharedValues();
  return {
    across: new AcrossAccounts(store, rules),
    isWhole: false,
    isPassing: false,
    seen: new Set(),
    close: () => store.close(),
  };
}

/**
 * Compares all accounts with one another before the first is passed on, if what they share prevents one from being sent.
 */
export async function compareFirst(
  opened: Plans,
  comparison: AccountsComparison,
  {
    stop,
    ...work
  }: Omit<Work<'share'>, 'job'> & {
    readonly stop: StopControl;
  },
): Promise<void> {
  const { across } = comparison;
  if (!across.refuses || comparison.isWhole) return;
  comparison.isWhole = true;
  const { detail, progress } = work.reporter;
  detail('Comparing the accounts with one another.');
  progress.begin(opened.total, 'account');
  const parts = opened.partsOf(() => true);
  for await (const { key, values } of eachAccount(parts, { ...work, job: 'share' })) {
    if (stop.reason !== undefined) break;
    across.add(key.account, values);
    progress.advance(1);
  }
  await across.settle((isWanted) => opened.plansOf(isWanted));
}

/**
 * Passes the plans through the comparison. If shared values prevent an account from being sent, each plan has those of its account
 * among its problems (`compareFirst`). If they are warnings, accounts are compared as they pass, which saves reading the export twice;
 * `sharedProblems` returns the problems after the last.
 */
export async function* comparedPlans(
  opened: Plans,
  comparison: AccountsComparison,
  {
    reporter,
    supplier,
    isWanted,
    recognise,
  }: {
    readonly reporter: Reporter;
    readonly supplier: string | undefined;
    /** Only these accounts are passed on, by their numbers; absent: all. */
    readonly isWanted?: ((account: string) => boolean) | undefined;
    /** Accounts that are unchanged by it are left out, unless shared values prevent an account from being sent. */
    readonly recognise?: Recognise | undefined;
  },
): AsyncGenerator<AccountPlan> {
  const { across, seen } = comparison;
  const { plans, total } = opened;
  const isTaken = (plan: AccountPlan): boolean => supplier === undefined || plan.key.supplier === supplier;
  if (!comparison.isPassing) reporter.progress.begin(total, 'account');
  comparison.isPassing = true;
  const seesNow = across.isWanted && !across.refuses;
  const read =
    recognise === undefined || across.refuses
      ? undefined
      : opened.plansSince?.(recognise, isWanted ?? (() => true));
  for await (const plan of read ?? (isWanted === undefined ? plans : opened.plansOf(isWanted))) {
    const { account } = plan.key;
    if (seesNow && isTaken(plan) && !seen.has(account)) across.see(plan);
    if (seesNow && isWanted !== undefined) seen.add(account);
    const shared = across.of(plan.key.account);
    yield shared.length === 0 ? plan : { ...plan, problems: [...plan.problems, ...shared] };
  }
}

/** The shared values that are warnings; after the last account. */
export async function* sharedProblems(
  opened: Plans,
  { across }: AccountsComparison,
): AsyncGenerator<Problem> {
  if (across.refuses) return;
  await across.settle((isWanted) => opened.plansOf(isWanted));
  for (const { problems } of across.all()) yield* problems;
}
