import type { Environment } from '../app/environment.ts';

/** A stream to write to, and what is known of the screen behind it. */
export interface OutputStream {
  write(text: string): boolean;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** The world outside, as the commands see it; an interrupt is SIGINT or SIGTERM. */
export interface Shell extends Environment {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Whether prompting is possible. */
  readonly interactive: boolean;
  /** Asks a person a yes-or-no question on the terminal. */
  confirm(question: string): Promise<boolean>;
  /** Resolves when standard input ends: how a child learns that its parent has gone. */
  inputEnded(): Promise<void>;
}
