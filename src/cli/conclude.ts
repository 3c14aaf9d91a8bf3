import { asCannotStart, type CannotStart } from '../app/cannot-start.ts';
import { configurationInForce } from '../app/configuration.ts';
import type { Config } from '../config/load-config.ts';
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

/** Flags that are settings too. */
export interface SettingFlags {
  readonly supplier?: string;
  readonly mapping?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly contract?: readonly string[];
  readonly strictContract?: boolean;
  readonly team?: string;
  readonly concurrency?: string;
  readonly until?: string;
  readonly window?: string;
  readonly timeZone?: string;
  readonly rate?: string;
}

/** The configuration in force; throws CannotStart with every problem in it. */
export function resolveSettings(shell: Shell, flags: CommonFlags & SettingFlags): Promise<Config> {
  const { config, profile, journal, supplier, mapping, contract, team, concurrency } = flags;
  const { rate, encoding, delimiter, until, window, timeZone, strictContract } = flags;
  return configurationInForce({
    cwd: shell.cwd,
    env: { ...shell.env },
    flags: {
      ...{ config, profile, journal, supplier, mapping, contract, team, concurrency },
      ...{ rate, encoding, delimiter, until, window, timeZone, strictContract },
    },
  });
}
