import { exitCodes, type ExitCode } from '../domain/exit-codes.ts';
import type { Problem } from '../domain/problem.ts';
import { JournalGone } from '../journal/journal.ts';
import { DatabaseRefused } from '../sqlite/refusal.ts';

/** What was asked for cannot begin: why, each line with its remedy, and what the command exits with. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
  readonly exit: ExitCode;
  readonly lines: readonly string[];
  /** A machine code, where the run is not to be at this time: it came outside of its hours. */
  readonly reason: 'hours' | undefined;
  /** What of it is a problem in a file, for programs. */
  readonly problems: readonly Problem[];

  constructor(
    exit: ExitCode,
    lines: readonly string[] | string,
    problems: readonly Problem[] = [],
    reason?: 'hours',
  ) {
    super(typeof lines === 'string' ? lines : lines.join('\n'));
    this.exit = exit;
    this.lines = typeof lines === 'string' ? [lines] : lines;
    this.problems = problems;
    this.reason = reason;
  }
}

/** The error as one of these, where it is no bug. */
export function asCannotStart(error: unknown): CannotStart | undefined {
  if (error instanceof CannotStart) return error;
  if (error instanceof JournalGone)
    return new CannotStart(exitCodes.usage, `${error.message} Put it back, and run the same command again.`);
  if (!(error instanceof DatabaseRefused)) return undefined;
  return new CannotStart(error.reason === 'locked' ? exitCodes.supplierHeld : exitCodes.usage, error.message);
}
