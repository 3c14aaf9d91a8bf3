import { writeSync } from 'node:fs';
import { exitCodes, type ExitCode } from '../domain/exit-codes.ts';
import { hostShortage } from '../domain/host-shortage.ts';

/** What the guard uses of the process. */
export interface GuardedProcess {
  exitCode?: number | string | null | undefined;
  once(event: 'exit', listener: (code: number) => void): unknown;
  off(event: 'exit', listener: (code: number) => void): unknown;
  on(event: 'uncaughtException', listener: (error: unknown) => void): unknown;
  exit(code: number): void;
}

/** The exit code of Node for a program that waits for something while nothing is left to do. */
const unsettled = 13;

const writeTo = (descriptor: 1 | 2, text: string): void => {
  try {
    writeSync(descriptor, text);
  } catch {
    // Nobody is left to read it.
  }
};

/**
 * Ensures that no command ends without a message: if the process ends before the returned function was called, because
 * something that the command waits for never comes or because of an error that nobody catches, this says so, and the
 * exit code is that of a bug. JSON lines end with a summary even then.
 */
export function guardEnd(
  args: readonly string[],
  guarded: GuardedProcess = process,
  write: (descriptor: 1 | 2, text: string) => void = writeTo,
): () => void {
  const tell = (why: string, exit: ExitCode = exitCodes.bug): void => {
    write(2, `error: ${why}\n`);
    if (!args.includes('--json')) return;
    const command = args.find((arg) => !arg.startsWith('-')) ?? '';
    const summary = { type: 'summary', version: 1, command, exit, errors: [why] };
    write(1, `${JSON.stringify(summary)}\n`);
  };
  const onExit = (code: number): void => {
    // A code that somebody chose comes with a message of its own.
    if (code !== exitCodes.done && code !== unsettled) return;
    guarded.exitCode = exitCodes.bug;
    tell(
      'a bug in migrate: the command ended before its work did, because something that it waits for never comes. Nothing more was done. ' +
        'Run it again; if it ends so again, report the bug with the command and the kind of its files.',
    );
  };
  guarded.once('exit', onExit);
  guarded.on('uncaughtException', (error) => {
    guarded.off('exit', onExit);
    const shortage = hostShortage(error);
    if (shortage !== undefined) {
      tell(shortage, exitCodes.usage);
      guarded.exit(exitCodes.usage);
      return;
    }
    // Its message may quote a customer's data.
    const name = error instanceof Error ? error.name : typeof error;
    const frames = error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line)) : []; // prettier-ignore
    const where = args.includes('--verbose') ? ['', ...frames].join('\n') : ' Run it again with --verbose to see where.'; // prettier-ignore
    tell(`a bug in migrate (${name}), which ended the command.${where}`);
    guarded.exit(exitCodes.bug);
  });
  return () => void guarded.off('exit', onExit);
}
