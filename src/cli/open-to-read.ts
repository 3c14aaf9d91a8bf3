import type { Environment } from '../host/environment.ts';
import { journalOf } from '../run/session/journal-of.ts';
import { readingWarning } from '../run/session/open-to-change.ts';
import type { Config } from '../config/load-config.ts';
import type { Journal, MarkFinding } from '../journal/journal.ts';
import type { Printer } from '../report/printer.ts';
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
