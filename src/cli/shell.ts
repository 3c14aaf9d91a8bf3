import { platform } from 'node:os';
import { isatty } from 'node:tty';
import type { Environment } from '../host/environment.ts';
import { machine } from '../host/machine.ts';
import { endNow, leaveBy } from './leave.ts';

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
    onInterrupt,
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

/**
 * What asks a process to end, and would end it at once by default: a person or a service manager, a terminal that is gone, a power
 * failure, a limit of processor time. A fault of the program (SIGSEGV, SIGABRT) is not among them.
 */
const endingSignals: readonly NodeJS.Signals[] = [
  ...(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGBREAK', 'SIGUSR1', 'SIGUSR2'] as const),
  ...(['SIGALRM', 'SIGVTALRM', 'SIGXCPU', 'SIGPWR', 'SIGIO', 'SIGSTKFLT'] as const),
];

/** Listens to a signal; not all systems have all of them. */
function listens(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): boolean {
  try {
    process.on(signal, listener);
    return true;
  } catch {
    return false;
  }
}

/** After its console was closed (SIGHUP), Windows kills a process within five seconds. In ms: it stops at once before that. */
const closedConsoleMs = 2_500;

/** The second interrupt ends the process in any case, and a third at once: a listener may hang. */
function onInterrupt(listener: () => void): () => void {
  let interrupts = 0;
  const interrupted = (signal: NodeJS.Signals): void => {
    interrupts += 1;
    if (interrupts === 2) leaveBy(signal);
    if (interrupts > 2) endNow(signal);
    if (interrupts === 1 && signal === 'SIGHUP' && platform() === 'win32')
      setTimeout(() => interrupted(signal), closedConsoleMs).unref();
    listener();
  };
  const heard = endingSignals.filter((signal) => listens(signal, interrupted));
  return () => {
    for (const signal of heard) process.off(signal, interrupted);
  };
}

function inputEnded(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.stdin.resume();
  });
}
