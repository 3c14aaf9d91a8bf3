import type { Environment } from '../app/environment.ts';
import type { Config } from '../config/load-config.ts';
import type { Journal } from '../journal/journal.ts';
import type { Printer } from '../report/printer.ts';
import { DatabaseRefused } from '../domain/database-refused.ts';
import { openToRead } from './open-to-read.ts';

/** The journal for reading; undefined if there is none yet, and none is created. Throws DatabaseRefused. */
export async function openRecorded(
  environment: Pick<Environment, 'env'>,
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
