import type { Config } from '../config/load-config.ts';
import type { Spellings } from '../domain/account-key.ts';
import type { Journal } from '../journal/journal.ts';
import { platformOf, unlessOutdated } from './connect.ts';
import type { Environment } from './environment.ts';
import { journalOf } from './journal-of.ts';

/** The spellings of accounts that an earlier version sent as the export had them; undefined if there are none. Throws DatabaseRefused. */
export async function journalSpellings(
  environment: Environment,
  config: Config,
): Promise<Spellings | undefined> {
  const store = journalOf(environment, config);
  if (!(await store.exists())) return undefined;
  const platform = await platformOf(environment, config);
  if (platform === undefined) return undefined;
  const journal = await store.open({ create: false, reading: true }).catch(unlessOutdated);
  try {
    return journal === undefined ? undefined : await spellingsIn(journal, platform);
  } finally {
    await journal?.close();
  }
}

/** The same of an open journal. */
export async function spellingsIn(journal: Journal, platform: string): Promise<Spellings | undefined> {
  const spellings = await journal.upgrades.spellings(platform);
  return Object.keys(spellings).length === 0 ? undefined : spellings;
}
