import { exitCodes } from '../../domain/exit-codes.ts';
import type { Problem } from '../../domain/problem.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { formatProblem } from './format-problem.ts';

/** Why an export cannot be read, with every problem that keeps it from that. */
export function cannotRead(problems: readonly Problem[]): CannotStart {
  return new CannotStart(exitCodes.usage, problems.map(formatProblem), problems);
}
