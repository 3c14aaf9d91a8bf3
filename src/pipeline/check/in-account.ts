import { definedFields } from '../../domain/defined-fields.ts';
import type { AccountKey } from '../../domain/account-key.ts';
import { oneCell, type Cell } from '../../domain/cell.ts';
import type { PayloadProblem, Problem } from '../../domain/problem.ts';
import type { StepName } from '../../domain/steps.ts';

/** Turns a payload's problem into one of its account. */
export function inAccount(
  { account }: AccountKey,
  step: StepName,
  {
    code,
    path,
    detail,
    severity,
    value,
  }: Omit<PayloadProblem, 'value'> & { readonly value?: string | undefined },
  cell: Cell | undefined,
): Problem {
  return definedFields({
    account,
    step,
    code,
    path,
    detail,
    severity,
    value,
    cell: cell && oneCell(cell),
  });
}
