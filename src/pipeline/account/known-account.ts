import type { AccountKey } from '../../domain/account-key.ts';
import type { Journal } from '../../journal/journal.ts';
import { isSentFromElsewhere } from './superseded-data.ts';

/** The account that data without a readable import supplier belongs to. */
export interface KnownAccount {
  readonly key: AccountKey;
  /** A fix from another export was sent for it, which replaces this data. */
  readonly isFixed: boolean;
}

/**
 * Finds it by its number: the only account with it for which a fix from another export was sent, else the only one with it, if
 * it was read from this export; undefined if there is none. `place`: the location of the data's export.
 */
export async function knownAccount(
  journal: Pick<Journal, 'overview' | 'find'>,
  platform: string,
  account: string,
  place: string,
): Promise<KnownAccount | undefined> {
  const [fixed, all]: [AccountKey[], AccountKey[]] = [[], []];
  let isOfThisExport = false;
  for (const { supplier } of await journal.overview(platform)) {
    const entry = await journal.find(platform, { supplier, account });
    if (entry === undefined) continue;
    all.push(entry.key);
    isOfThisExport = entry.from === place;
    if (isSentFromElsewhere(entry, place)) fixed.push(entry.key);
  }
  const [key, ...others] = fixed.length > 0 ? fixed : all;
  if (key === undefined || others.length > 0) return undefined;
  if (fixed.length > 0) return { key, isFixed: true };
  return isOfThisExport ? { key, isFixed: false } : undefined;
}
