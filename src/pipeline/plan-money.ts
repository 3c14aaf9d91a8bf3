import { moneyIn } from '../contract/money.ts';
import { MoneySum, type Money } from '../domain/money.ts';
import { extraStepNames } from '../domain/steps.ts';
import type { AccountPlan } from '../mapping/plan.ts';

/** The amounts in everything that is to be sent of an account; undefined if an amount cannot be read. */
export function moneyOfPlan({ payload, extras, minorUnits }: AccountPlan): Money | undefined {
  const sum = new MoneySum();
  const requests = extraStepNames.flatMap((step) => extras[step].map((extra) => [step, extra] as const));
  for (const [step, request] of [['process', payload] as const, ...requests]) {
    const money = moneyIn(step, request, minorUnits);
    if (money === undefined) return undefined;
    sum.addAll(money);
  }
  return sum.totals;
}
