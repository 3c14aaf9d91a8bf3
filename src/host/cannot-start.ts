import { exitCodes, type ExitCode } from '../domain/exit-codes.ts';
import type { Problem } from '../domain/problem.ts';
import { JournalGone } from '../journal/journal.ts';
import { DatabaseRefused } from '../domain/database-refused.ts';

/**
 * Why, as a stable machine code:
 *
 * - `invalid_option`: an option that the module does not have, or a value that it does not take
 * - `hours`: outside the allowed hours
 * - `cannot_start`: a setting, the export, the journal or a file
 * - `credentials`, `unavailable`: the platform refuses the key or token, or does not answer
 * - `held`: another run holds the import supplier
 * - `interrupted`: it was told to stop before it began
 * - `rejected`, `uncertain`, `failed`: the others of the exit codes
 */
export type CannotStartCode =
  | 'invalid_option'
  | 'hours'
  | 'cannot_start'
  | 'credentials'
  | 'unavailable'
  | 'held'
  | 'interrupted'
  | 'rejected'
  | 'uncertain'
  | 'failed';

const codes: Readonly<Partial<Record<ExitCode, CannotStartCode>>> = {
  [exitCodes.usage]: 'cannot_start',
  [exitCodes.accountsRejected]: 'rejected',
  [exitCodes.credentialsRefused]: 'credentials',
  [exitCodes.unavailable]: 'unavailable',
  [exitCodes.stoppedEarly]: 'interrupted',
  [exitCodes.supplierHeld]: 'held',
  [exitCodes.uncertain]: 'uncertain',
};

/** A command cannot start: the reasons, each line with its remedy, and the exit code. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
  readonly exit: ExitCode;
  readonly lines: readonly string[];
  readonly code: CannotStartCode;
  /** `hours` if the run is outside its allowed hours. */
  readonly reason: 'hours' | undefined;
  /** The problems in files among them, for programs. */
  readonly problems: readonly Problem[];

  constructor(
    exit: ExitCode,
    lines: readonly string[] | string,
    problems: readonly Problem[] = [],
    code: CannotStartCode = codes[exit] ?? 'failed',
  ) {
    super(typeof lines === 'string' ? lines : lines.join('\n'));
    this.exit = exit;
    this.lines = typeof lines === 'string' ? [lines] : lines;
    this.problems = problems;
    this.code = code;
    this.reason = code === 'hours' ? code : undefined;
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
