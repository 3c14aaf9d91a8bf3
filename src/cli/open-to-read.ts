import type { Environment } from '../host/environment.ts';
import { journalOf } from '../run/session/journal-of.ts';
import { readingWarning } from '../run/session/open-to-change.ts';
import type { Config } from '../config/load-config.ts';
import type { Journal, MarkFinding } from '../journal/journal.ts';
import type { CommandResult, Printer } from '../report/printer.ts';
import type { ExitCode } from '../domain/exit-codes.ts';
import { conclude, resolveSettings } from './conclude.ts';
import type { Shell } from './shell.ts';
import type { CommonFlags } from './usage.ts';
import { DatabaseRefused } from '../domain/database-refused.ts';

/** Opens the journal for a command that only reads it; warns if a newer one was used here. Throws DatabaseRefused. */
export async function openToRead(
  environment: Pick<Environment, 'env' | 'clock' | 'user'>,
  config: Config,
  printer: Pick<Printer, 'warn'>,
): Promise<Journal> {
  const journal = await journalOf(environment, config).open({ create: false, reading: true });
  try {
    const warning = readingWarning(config.journal, await findingOf(journal));
    if (warning !== undefined) printer.warn(warning);
    return journal;
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/** A user who may only read the journal cannot open its mark, and does not need to. */
async function findingOf(journal: Journal): Promise<MarkFinding> {
  try {
    return await journal.compareMark();
  } catch (error) {
    if (error instanceof DatabaseRefused) return 'current';
    throw error;
  }
}

/** The journal for reading; undefined if there is none yet, and none is created. Throws DatabaseRefused. */
export async function openRecorded(
  environment: Pick<Environment, 'env' | 'clock' | 'user'>,
  config: Config,
  printer: Pick<Printer, 'warn'>,
): Promise<Journal | undefined> {
  try {
    return await openToRead(environment, config, printer);
  } catch (error) {
    if (error instanceof DatabaseRefused && error.reason === 'missing') return undefined;
    throw error;
  }
}

/** What a command that reads the journal has. */
interface Reading {
  readonly printer: Printer;
  readonly config: Config;
  readonly journal: Journal;
}

/** Concludes a command that only reads the journal. */
export function concludeReading(
  shell: Shell,
  command: string,
  flags: CommonFlags,
  work: (reading: Reading) => Promise<CommandResult>,
): Promise<ExitCode> {
  return conclude(shell, command, flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    printer.showTimesIn(config.timeZone);
    const journal = await openToRead(shell, config, printer);
    try {
      return await work({ printer, config, journal });
    } finally {
      await journal.close();
    }
  });
}
