import type { AccountKey } from '../../domain/account-key.ts';
import type { Journal } from '../../journal/journal.ts';
import { isSentFromElsewhere } from './superseded-data.ts';

/**
 * The account that data without a readable import supplier belongs to: the only one with its number for which
 * a fix from another export was sent; undefined if there is none. `place`: the location of the data's export.
 */
export async function fixedAccount(
  journal: Pick<Journal, 'overview' | 'find'>,
  platform: string,
  account: string,
  place: string,
): Promise<AccountKey | undefined> {
  const found: AccountKey[] = [];
  for (const { supplier } of await journal.overview(platform)) {
    const entry = await journal.find(platform, { supplier, account });
    if (entry !== undefined && isSentFromElsewhere(entry, place)) found.push(entry.key);
  }
  return found.length === 1 ? found[0] : undefined;
}
