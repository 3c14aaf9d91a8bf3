import type { Clock, Random } from '../domain/clock.ts';
import type { Printer } from '../report/printer.ts';
import type { Progress } from '../report/progress.ts';

/** A run's access to the outside world: passed in, so that tests can control every part of it. */
export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths start from here. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Calls back on each interrupt until the returned function is called: the first ends work in good order. */
  onInterrupt(listener: () => void): () => void;
  /** Aborted once the command is to end: a journal that does not answer is then given up. Absent: nobody stops it. */
  readonly stopping?: AbortSignal;
  /** The bytes that are piped into the process. Throws CannotStart if nothing is, and the signal's reason. */
  standardInput(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** The command that starts this tool again, in a separate process. */
  readonly self: readonly [string, ...string[]];
  /** The login name of the user who runs the tool. */
  readonly user: string;
  readonly host: string;
  readonly pid: number;
}

/** Receives messages and progress. */
export interface Reporter extends Pick<Printer, 'info' | 'detail' | 'warn'> {
  readonly progress: Pick<Progress, 'begin' | 'advance' | 'note'> & Partial<Pick<Progress, 'phase'>>;
}
