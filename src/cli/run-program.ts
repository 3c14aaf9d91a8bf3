import { CommanderError } from 'commander';
import { exitCodes, type ExitCode } from '../domain/exit-codes.ts';
import { makeProgram } from './program.ts';
import type { Shell } from './shell.ts';

/** Runs the command line; gives the exit code. */
export async function run(shell: Shell, args: readonly string[]): Promise<ExitCode> {
  let exit: ExitCode = exitCodes.done;
  try {
    await makeProgram(shell, (code) => (exit = code)).parseAsync([...args], { from: 'user' });
    return exit;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exitCodes.done;
    if (args.includes('--json')) tellUsage(shell, args, error.message);
    return exitCodes.usage;
  }
}

/** Also a wrong command line ends its JSON lines with a summary. */
function tellUsage(shell: Shell, args: readonly string[], message: string): void {
  const command = args.find((arg) => !arg.startsWith('-')) ?? '';
  const errors = [message.replace(/^error: /, '')];
  const summary = { type: 'summary', version: 1, command, exit: exitCodes.usage, errors };
  shell.stdout.write(`${JSON.stringify(summary)}\n`);
}
