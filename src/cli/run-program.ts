import { CommanderError } from 'commander';
import { exitCodes, type ExitCode } from '../domain/exit-codes.ts';
import { hostShortage } from '../domain/host-shortage.ts';
import { messageText } from '../report/paragraph.ts';
import { helpHint, usageError } from './usage.ts';
import { makeProgram } from './program.ts';
import type { Shell } from './shell.ts';

/** Runs the command line; gives the exit code. */
export async function run(shell: Shell, args: readonly string[]): Promise<ExitCode> {
  let exit: ExitCode = exitCodes.done;
  const hint = hintFor(args);
  try {
    const program = makeProgram(shell, (code) => (exit = code), hint);
    await program.parseAsync([...args], { from: 'user' });
    return exit;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      // Rarely needed code is not loaded here: a person waits for --help and for completions.
      const { bugReport } = await import('../report/printer.ts');
      // The commands report their own bugs: this one comes from before or after them.
      const shortage = hostShortage(error);
      const report = shortage ?? bugReport(error, args.includes('--verbose'));
      shell.stderr.write(`${messageText(report, shell.stderr.columns, 'error: ')}\n`);
      return concluded(shell, args, shortage === undefined ? exitCodes.bug : exitCodes.usage, report);
    }
    if (error.exitCode === 0) return exitCodes.done;
    return concluded(shell, args, exitCodes.usage, usageError(error.message, hint));
  }
}

/** Options before the name of a command belong to no command. */
function hintFor([first = '']: readonly string[]): string {
  return first.startsWith('-') ? `Put options after the command name. ${helpHint}` : helpHint;
}

/** JSON lines end with a summary even if no command was reached. */
function concluded(shell: Shell, args: readonly string[], exit: ExitCode, error: string): ExitCode {
  const command = args.find((arg) => !arg.startsWith('-')) ?? '';
  const summary = { type: 'summary', version: 1, command, exit, errors: [error] };
  if (args.includes('--json')) shell.stdout.write(`${JSON.stringify(summary)}\n`);
  return exit;
}
