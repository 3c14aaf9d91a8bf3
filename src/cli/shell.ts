import type { Clock, Random } from '../domain/clock.ts';

/** A stream to write to, and what is known of the screen behind it. */
export interface OutputStream {
  write(text: string): boolean;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The world outside, as the commands see it: passed in, so that tests can own every part of it. */
export interface Shell {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether a person sits there to be asked. */
  readonly interactive: boolean;
  /** Asks a person a yes-or-no question on the terminal. */
  confirm(question: string): Promise<boolean>;
  /** Calls back on each interrupt or SIGTERM until the returned function is called. */
  onInterrupt(listener: () => void): () => void;
  /** Resolves when standard input ends: how a child learns that its parent has gone. */
  inputEnded(): Promise<void>;
  /** The command that starts this tool again, as its own process. */
  readonly self: readonly [string, ...string[]];
  readonly host: string;
  readonly pid: number;
}
