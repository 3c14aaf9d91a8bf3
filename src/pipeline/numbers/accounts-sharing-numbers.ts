import type { AccountKey } from '../../domain/account-key.ts';
import type { Journal } from '../../journal/journal.ts';

/** The most accounts that are examined at once. */
const mostSharing = 1000;

/** Accounts of the platform that have the number of another one. */
export async function accountsSharingNumbers(
  journal: Pick<Journal, 'sharedNumbers'>,
  platform: string,
): Promise<readonly AccountKey[]> {
  const found: AccountKey[] = [];
  for await (const { accounts } of journal.sharedNumbers(platform)) {
    found.push(...accounts);
    if (found.length >= mostSharing) break;
  }
  return found;
}
