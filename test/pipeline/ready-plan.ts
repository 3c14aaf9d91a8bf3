import { moneyIn } from '../../src/contract/money.ts';
import type { RuleContext } from '../../src/contract/rules/rule.ts';
import { writeMoney } from '../../src/domain/money.ts';
import type { AccountPlan } from '../../src/mapping/plan.ts';
import { printOf } from '../../src/pipeline/hash.ts';
import { preflight } from '../../src/pipeline/check/preflight.ts';
import type { ReadyPlan } from '../../src/pipeline/account/ready-plan.ts';
import type { Cutting } from '../../src/pipeline/settings.ts';
import { fieldPrints } from '../../src/pipeline/steps/field-prints.ts';
import { readySteps } from '../../src/pipeline/steps/ready-requests.ts';

/** A plan that is ready, with no thread in between. */
export function readyPlan(plan: AccountPlan, rules: RuleContext, cutting: Cutting): ReadyPlan {
  const { key, payload, extras } = plan;
  const ready = readySteps(plan, cutting);
  return {
    key,
    bytes: JSON.stringify(payload).length,
    extras,
    requests: (step) => ready[step].requests,
    isPlanned: (step) => extras[step].length > 0,
    problems: preflight(plan, rules),
    ignoredRows: plan.ignoredRows,
    print: printOf(plan),
    money: writeMoney(moneyIn('process', payload)),
    fields: fieldPrints(payload),
    locate: (step, path, request) => Promise.resolve(plan.locate(step, path, request)),
    close: () => undefined,
  };
}
