import type { Config } from '../../config/load-config.ts';
import type { Spelling } from '../../domain/account-key.ts';
import { StoredSpellings } from '../../source/stored-spellings.ts';
import { platformOf, unlessOutdated } from './connect.ts';
import type { Environment } from '../../host/environment.ts';
import { journalOf } from './journal-of.ts';

/** The spellings of accounts that an earlier version sent as the export had them, in pages. Throws DatabaseRefused. */
export async function* journalSpellings(
  environment: Environment,
  config: Config,
): AsyncGenerator<readonly Spelling[]> {
  const store = journalOf(environment, config);
  if (!(await store.exists())) return;
  const platform = await platformOf(environment, config);
  if (platform === undefined) return;
  const journal = await store.open({ create: false, reading: true }).catch(unlessOutdated);
  try {
    if (journal !== undefined) yield* journal.upgrades.spellings(platform);
  } finally {
    await journal?.close();
  }
}

/** The same, to be looked up until they are closed; undefined if there are none. */
export async function storedSpellings(
  pages: AsyncIterable<readonly Spelling[]>,
): Promise<StoredSpellings | undefined> {
  let stored: StoredSpellings | undefined;
  for await (const page of pages) (stored ??= new StoredSpellings()).add(page);
  return stored;
}
