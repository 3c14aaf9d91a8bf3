import { exitCodes, type ExitCode } from '../domain/exit-codes.ts';
import type { Problem } from '../domain/problem.ts';
import { JournalGone } from '../journal/journal.ts';
import { DatabaseRefused } from '../domain/database-refused.ts';

/** A command cannot start: the reasons, each line with its remedy, and the exit code. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
  readonly exit: ExitCode;
  readonly lines: readonly string[];
  /** A machine code if the run is outside its allowed hours. */
  readonly reason: 'hours' | undefined;
  /** The problems in files among them, for programs. */
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

/** The error as one of these, if it is not a bug. */
export function asCannotStart(error: unknown): CannotStart | undefined {
  if (error instanceof CannotStart) return error;
  if (error instanceof JournalGone)
    return new CannotStart(exitCodes.usage, `${error.message} Put it back, and run the same command again.`);
  if (!(error instanceof DatabaseRefused)) return undefined;
  return new CannotStart(exitOf(error), error.message);
}

function exitOf({ reason }: DatabaseRefused): ExitCode {
  if (reason === 'interrupted') return exitCodes.stoppedEarly;
  return reason === 'locked' ? exitCodes.supplierHeld : exitCodes.usage;
}
