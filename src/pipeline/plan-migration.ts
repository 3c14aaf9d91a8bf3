import type { RuleContext } from '../contract/rules/rule.ts';
import type { AccountKey } from '../domain/account-key.ts';
import type { Journal } from '../journal/journal.ts';
import type { AccountPlan } from '../mapping/plan.ts';
import { isTaken, type AccountFilter } from './account-filter.ts';
import { forecast, type Forecast } from './forecast.ts';
import type { Settings } from './settings.ts';

export interface PlanInput extends AccountFilter {
  readonly plans: AsyncIterable<AccountPlan>;
  /** Absent: nothing was ever recorded of this platform. */
  readonly recorded?: { readonly journal: Journal; readonly platform: string };
  readonly settings: Settings;
  /** What the accounts are held to. */
  readonly rules: RuleContext;
}

export interface PlannedAccount extends Forecast {
  readonly key: AccountKey;
}

/** What `runMigration` would do with each account that it would take, in the order of the export. Writes nothing. */
export async function* planMigration(input: PlanInput): AsyncGenerator<PlannedAccount> {
  const { plans, recorded, settings, rules } = input;
  for await (const plan of plans) {
    if (!isTaken(plan.key, input)) continue;
    const entry = await recorded?.journal.find(recorded.platform, plan.key);
    yield { key: plan.key, ...forecast(plan, entry, settings, rules) };
  }
}
