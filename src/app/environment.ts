import type { Clock, Random } from '../domain/clock.ts';

/** The world outside, as a run sees it: passed in, so that tests can own every part of it. */
export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths start from here. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Calls back on each interrupt until the returned function is called: the first ends work in good order. */
  onInterrupt(listener: () => void): () => void;
  /** The command that starts this tool again, as its own process. */
  readonly self: readonly [string, ...string[]];
  /** The login name of who runs the tool. */
  readonly user: string;
  readonly host: string;
  readonly pid: number;
}
