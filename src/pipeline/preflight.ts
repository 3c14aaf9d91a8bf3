import { checkPayload } from '../contract/preflight.ts';
import type { RuleContext } from '../contract/rules/rule.ts';
import { checkTogether } from '../contract/rules/together.ts';
import type { AccountKey } from '../domain/account-key.ts';
import type { Cell } from '../domain/cell.ts';
import type { PayloadProblem, Problem } from '../domain/problem.ts';
import { extraStepNames, type StepName } from '../domain/steps.ts';
import type { AccountPlan } from '../mapping/plan.ts';

/**
 * Everything that is known to be wrong with an account before a request is sent: what reading and mapping found, and
 * what the contract and its rules say of each payload and of all together. Each problem is traced to its cell.
 */
export function preflight(plan: AccountPlan, rules: RuleContext): Problem[] {
  const problems: Problem[] = [...plan.problems];
  // A payload that could not be built whole would only be told of the same faults again, in other words.
  if (problems.some((problem) => problem.severity === 'error')) return problems;
  for (const problem of checkPayload('validate', plan.payload, rules))
    problems.push(traced(plan, 'validate', problem));
  for (const step of extraStepNames)
    for (const [request, payload] of plan.extras[step].entries())
      for (const problem of checkPayload(step, payload, rules))
        problems.push(traced(plan, step, problem, request));
  for (const { step, request, ...problem } of checkTogether(plan.payload, plan.extras, rules))
    problems.push(traced(plan, step, problem, request));
  return problems;
}

/** A payload's problem with the cell that its path leads back to. */
export function traced(plan: AccountPlan, step: StepName, problem: PayloadProblem, request = 0): Problem {
  return inAccount(plan.key, step, problem, plan.locate(step, problem.path, request));
}

/** A payload's problem as one of its account's. */
export function inAccount(
  { account }: AccountKey,
  step: StepName,
  { code, path, detail, severity }: PayloadProblem,
  cell: Cell | undefined,
): Problem {
  return { account, step, code, path, detail, severity, ...(cell === undefined ? {} : { cell }) };
}
