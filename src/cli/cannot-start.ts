import type { ExitCode } from '../domain/exit-codes.ts';

/** A command that cannot go on: what to tell the user, each line with its remedy, and the exit code. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
  readonly exit: ExitCode;
  readonly lines: readonly string[];

  constructor(exit: ExitCode, lines: readonly string[] | string) {
    super(typeof lines === 'string' ? lines : lines.join('\n'));
    this.exit = exit;
    this.lines = typeof lines === 'string' ? [lines] : lines;
  }
}
