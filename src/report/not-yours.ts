import { createdMeanwhile, numberOfAnotherAccount } from '../domain/shared-codes.ts';
import type { AccountEntry } from '../journal/journal.ts';
import { quoted } from './command-line.ts';

/**
 * The command for an account that is uncertain because it may be somebody else's, if it is; undefined if there is no
 * such doubt.
 */
export function skipCommand({
  key,
  state,
  code,
}: Pick<AccountEntry, 'key' | 'state' | 'code'>): string | undefined {
  if (state !== 'uncertain' || (code !== createdMeanwhile && code !== numberOfAnotherAccount))
    return undefined;
  return `migrate resolve ${quoted(key.account)} --supplier ${quoted(key.supplier)} --step process --as skip`;
}

/** The same as a sentence. */
export function notYours(entry: Pick<AccountEntry, 'key' | 'state' | 'code'>): string | undefined {
  const command = skipCommand(entry);
  return command === undefined ? undefined : `If the account on the platform is not yours: \`${command}\``;
}
