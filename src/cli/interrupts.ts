import { platform } from 'node:os';
import { endNow, leaveBy } from './leave.ts';

type Heard = (signal: NodeJS.Signals) => void;

/** What an interrupt needs of this process and its system. */
interface System {
  /** The system's name, as Node has it. */
  readonly name: string;
  /** Throws if the system has no such signal. */
  readonly on: (signal: NodeJS.Signals, listener: Heard) => void;
  readonly off: (signal: NodeJS.Signals, listener: Heard) => void;
  /** Calls back after so many ms, if the process has not ended by itself. */
  readonly later: (work: () => void, ms: number) => void;
  readonly leaveBy: Heard;
  readonly endNow: Heard;
}

const own: System = {
  name: platform(),
  on: (signal, listener) => void process.on(signal, listener),
  off: (signal, listener) => void process.off(signal, listener),
  later: (work, ms) => void setTimeout(work, ms).unref(),
  leaveBy,
  endNow,
};

/**
 * What asks a process to end, and would end it at once by default: a person or a service manager, a terminal that is gone, a power
 * failure, a limit of processor time. A fault of the program (SIGSEGV, SIGABRT) is not among them.
 */
const endingSignals: readonly NodeJS.Signals[] = [
  ...(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGBREAK', 'SIGUSR1', 'SIGUSR2'] as const),
  ...(['SIGALRM', 'SIGVTALRM', 'SIGXCPU', 'SIGPWR', 'SIGIO', 'SIGSTKFLT'] as const),
];

/** After its console was closed (SIGHUP), Windows kills a process within five seconds. In ms: it stops at once before that. */
const closedConsoleMs = 2_500;

/**
 * Calls back on each interrupt until the returned function is called. The second interrupt ends the process in any case, and a third at
 * once: a listener may hang.
 */
export function onInterrupt(listener: () => void, system: System = own): () => void {
  let interrupts = 0;
  const interrupted = (signal: NodeJS.Signals): void => {
    interrupts += 1;
    if (interrupts === 2) system.leaveBy(signal);
    if (interrupts > 2) system.endNow(signal);
    if (interrupts === 1 && signal === 'SIGHUP' && system.name === 'win32')
      system.later(() => interrupted(signal), closedConsoleMs);
    listener();
  };
  const heard = endingSignals.filter((signal) => listens(signal, interrupted, system));
  return () => {
    for (const signal of heard) system.off(signal, interrupted);
  };
}

/** Listens to a signal; not all systems have all of them. */
function listens(signal: NodeJS.Signals, listener: Heard, { on }: System): boolean {
  try {
    on(signal, listener);
    return true;
  } catch {
    return false;
  }
}
