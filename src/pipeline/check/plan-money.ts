import { moneyIn } from '../../contract/money.ts';
import { MoneySum, type Money } from '../../domain/money.ts';
import { extraStepNames } from '../../domain/steps.ts';
import type { Problem } from '../../domain/problem.ts';
import type { AccountPlan } from '../../mapping/plan.ts';

/**
 * The amounts in everything that is to be sent of an account; undefined if an amount, or its kind, cannot be read. What a
 * conversion refuses stands in the payload as the export has it, and may look like another amount.
 */
export function moneyOfPlan({ payload, extras, minorUnits, problems }: AccountPlan): Money | undefined {
  if (problems.some(isOfMoney)) return undefined;
  const sum = new MoneySum();
  const requests = extraStepNames.flatMap((step) => extras[step].map((extra) => [step, extra] as const));
  for (const [step, request] of [['process', payload] as const, ...requests]) {
    const money = moneyIn(step, request, minorUnits);
    if (money === undefined) return undefined;
    sum.addAll(money);
  }
  return sum.totals;
}

function isOfMoney({ code, path, severity }: Problem): boolean {
  return (
    severity === 'error' && (code === 'invalid_amount' || (code === 'unknown_code' && path.endsWith('.type')))
  );
}
