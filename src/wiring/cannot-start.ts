import type { ExitCode } from '../domain/exit-codes.ts';
import type { Problem } from '../domain/problem.ts';

/** A command that cannot go on: what to tell the user, each line with its remedy, and the exit code. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
  readonly exit: ExitCode;
  readonly lines: readonly string[];
  /** What of it is a problem in a file, for programs. */
  readonly problems: readonly Problem[];

  constructor(exit: ExitCode, lines: readonly string[] | string, problems: readonly Problem[] = []) {
    super(typeof lines === 'string' ? lines : lines.join('\n'));
    this.exit = exit;
    this.lines = typeof lines === 'string' ? [lines] : lines;
    this.problems = problems;
  }
}
