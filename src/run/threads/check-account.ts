import type { RuleContext } from '../../contract/rules/rule.ts';
import type { AccountKey } from '../../domain/account-key.ts';
import type { Problem } from '../../domain/problem.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { comparedValues } from '../../pipeline/check/cross-account.ts';
import { preflight } from '../../pipeline/check/preflight.ts';
import { tooLargeRequests } from '../../pipeline/check/too-large.ts';
import type { Cutting } from '../../pipeline/settings.ts';

/** The values of an account that are compared with those of others. */
export interface SharedValuesOf {
  readonly key: AccountKey;
  readonly values: ReturnType<typeof comparedValues>;
}

/** What is found of one account without a request, and without the other accounts. */
export interface CheckedAccount extends SharedValuesOf {
  readonly ignoredRows: number;
  readonly problems: readonly Problem[];
}

/** How accounts are checked. */
export interface AccountRules {
  readonly rules: RuleContext;
  /** Only this supplier's accounts are checked; absent: all. */
  readonly supplier?: string | undefined;
  /** Only these accounts are planned; absent: all. */
  readonly accounts?: ReadonlySet<string> | undefined;
  readonly cutting: Cutting;
  /** The most bytes of a request. */
  readonly bytesPerRequest?: number | undefined;
  /** The most memory of all accounts at the same time, in bytes. */
  readonly mostBytes?: number | undefined;
}

/** Checks an account; one of another supplier has no problems. */
export function checkAccount(
  plan: AccountPlan,
  { rules, supplier, cutting, bytesPerRequest }: AccountRules,
): CheckedAccount {
  const { key, ignoredRows } = plan;
  if (supplier !== undefined && key.supplier !== supplier)
    return { key, ignoredRows, problems: [], values: [] };
  const problems = [...preflight(plan, rules), ...tooLargeRequests(plan, cutting, bytesPerRequest)];
  return { key, ignoredRows, problems, values: comparedValues(plan, rules) };
}

/** None of an account of another supplier. */
export function sharedValues(plan: AccountPlan, { rules, supplier }: AccountRules): SharedValuesOf {
  const isOther = supplier !== undefined && plan.key.supplier !== supplier;
  return { key: plan.key, values: isOther ? [] : comparedValues(plan, rules) };
}
