import { asCannotStart, type CannotStart } from '../host/cannot-start.ts';
import { configurationInForce } from '../run/session/configuration.ts';
import type { Config, ConfigFlags } from '../config/load-config.ts';
import type { ExitCode } from '../domain/exit-codes.ts';
import { problemRecord } from '../report/json-records.ts';
import { createPrinter, type CommandResult, type Printer } from '../report/printer.ts';
import { terminalOf } from '../report/terminal.ts';
import type { Shell } from './shell.ts';
import type { CommonFlags } from './usage.ts';

/**
 * Runs a command's work with a printer for its flags and prints the result; returns the exit code. `refused` gives
 * the result if the command cannot start, besides its lines.
 */
export async function conclude(
  shell: Shell,
  command: string,
  flags: CommonFlags,
  work: (printer: Printer) => Promise<CommandResult>,
  refused: (refusal: CannotStart) => Partial<CommandResult> = () => ({}),
): Promise<ExitCode> {
  const env = { ...shell.env };
  const printer = createPrinter({
    stdout: terminalOf(shell.stdout, env, !flags.color),
    stderr: terminalOf(shell.stderr, env, !flags.color),
    clock: shell.clock,
    json: flags.json ?? false,
    quiet: flags.quiet ?? false,
    verbose: flags.verbose ?? false,
  });
  const exit = await printer.conclude(command, async () => {
    try {
      return await work(printer);
    } catch (error) {
      const refusal = asCannotStart(error);
      if (refusal === undefined) throw error;
      for (const problem of refusal.problems) printer.line(problemRecord(problem));
      return { exit: refusal.exit, errors: refusal.lines, ...refused(refusal) };
    }
  });
  return exit;
}

/** The configuration in force; throws CannotStart with every problem in it. */
export function resolveSettings({ cwd, env, settings }: Shell, flags: ConfigFlags): Promise<Config> {
  const own = settings === undefined ? {} : { search: false, settings };
  return configurationInForce({ cwd, env: { ...env }, flags, ...own });
}
