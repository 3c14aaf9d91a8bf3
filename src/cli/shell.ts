import { isatty } from 'node:tty';
import type { Environment } from '../host/environment.ts';
import { machine } from '../host/machine.ts';
import { onInterrupt } from './interrupts.ts';

/** A stream to write to, and what is known of the screen behind it. */
export interface OutputStream {
  write(text: string): boolean;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** The world outside, as the commands see it; an interrupt is a signal that asks the process to end. */
export interface Shell extends Environment {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Settings of a program that embeds the tool: no file of settings is then searched for. Absent on the command line. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether prompting is possible. */
  readonly interactive: boolean;
  /** Asks a person a yes-or-no question on the terminal. */
  confirm(question: string): Promise<boolean>;
  /** Resolves when standard input ends: how a child learns that its parent has gone. */
  inputEnded(): Promise<void>;
}

/** The shell of the running process. */
export function systemShell(): Shell {
  return {
    ...machine(),
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    // process.stdin itself would be opened, which most commands need not wait for.
    interactive: isatty(0) && isatty(2),
    confirm,
    onInterrupt: (listener) => onInterrupt(listener),
    inputEnded,
  };
}

async function confirm(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  const { messageText } = await import('../report/paragraph.ts');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const folded = messageText(`${question} [y/N]`, process.stderr.columns - 1);
    const answer = await prompt.question(`${folded} `).catch(() => {
      // Ctrl-C or Ctrl-D.
      process.stderr.write('\n');
      return '';
    });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    prompt.close();
  }
}

function inputEnded(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.stdin.resume();
  });
}
