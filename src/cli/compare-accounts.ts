import type { RuleContext } from '../contract/rules/rule.ts';
import type { AccountPlan } from '../mapping/plan.ts';
import { AcrossAccounts } from '../pipeline/cross-account.ts';
import type { StopControl } from '../pipeline/stop-control.ts';
import type { Printer } from '../report/printer.ts';
import { SharedValues } from '../sqlite/shared-values.ts';
import type { Plans } from './open-plans.ts';

/** Accounts held against one another, and what that keeps on disk. */
export interface Comparison {
  readonly across: AcrossAccounts;
  close(): void;
}

export function startComparison(rules: RuleContext): Comparison {
  const store = new SharedValues();
  return { across: new AcrossAccounts(store, rules), close: () => store.close() };
}

/**
 * The plans with what each account shares with others among its problems. All of the export is looked at before the
 * first plan is given, so that nothing of an account is sent before what forbids it is known.
 */
export async function* comparedPlans(
  opened: Plans,
  { across }: Comparison,
  { printer, supplier, stop }: { printer: Printer; supplier: string | undefined; stop: StopControl },
): AsyncGenerator<AccountPlan> {
  const { plans, total } = opened;
  if (across.isWanted) {
    printer.detail('Comparing the accounts with one another.');
    printer.progress.begin(total, 'account');
    for await (const plan of plans) {
      if (stop.reason !== undefined) break;
      if (supplier === undefined || plan.key.supplier === supplier) across.see(plan);
      printer.progress.advance(1);
    }
    await across.settle((isWanted) => opened.plansOf(isWanted));
  }
  printer.progress.begin(total, 'account');
  for await (const plan of plans) {
    const shared = across.of(plan.key.account);
    yield shared.length === 0 ? plan : { ...plan, problems: [...plan.problems, ...shared] };
  }
}
