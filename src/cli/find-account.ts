import type { Config } from '../config/load-config.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import type { AccountEntry, Journal } from '../journal/journal.ts';
import { CannotStart } from '../app/cannot-start.ts';
import { recordedPlatforms } from './recorded-suppliers.ts';

export interface FoundAccount {
  readonly platform: string;
  readonly platformLabel: string;
  readonly entry: AccountEntry;
}

/** The account with the number that a person gave: throws CannotStart if the journal has none, or several. */
export async function findAccount(journal: Journal, config: Config, account: string): Promise<FoundAccount> {
  const found: FoundAccount[] = [];
  const labels = new Map(
    (await recordedPlatforms(journal, config)).map(({ platform, label }) => [platform, label]),
  );
  for (const { platform, supplier } of await journal.overview()) {
    const platformLabel = labels.get(platform);
    if (platformLabel === undefined || (config.supplier !== undefined && supplier !== config.supplier))
      continue;
    const entry = await journal.find(platform, { supplier, account });
    if (entry !== undefined) found.push({ platform, platformLabel, entry });
  }
  const [only, ...others] = found;
  if (only === undefined)
    throw new CannotStart(
      exitCodes.usage,
      `The journal ${journal.location} has no account ${account}${config.supplier === undefined ? '' : ` of ${config.supplier}`}. ` +
        'Check the number, --supplier and --journal.',
    );
  if (others.length > 0) {
    const places = found.map(({ entry, platformLabel }) => `${entry.key.supplier} on ${platformLabel}`);
    throw new CannotStart(
      exitCodes.usage,
      `Account ${account} is in the journal several times: ${places.join(', ')}. Name one with --supplier or --profile.`,
    );
  }
  return only;
}
