import { CannotStart } from '../../host/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { Config } from '../../config/load-config.ts';
import type { Journal } from '../../journal/journal.ts';
import type { CommandResult } from '../../report/printer.ts';
import type { Shell } from '../shell.ts';
import { findAccount, type FoundAccount } from '../recorded-suppliers.ts';
import { told } from '../account-history.ts';
import { concludeReading } from '../open-to-read.ts';
import type { ShowFlags } from '../usages/show.ts';

/** `migrate show`: shows everything that the journal knows of one account. */
export async function show(shell: Shell, account: string, flags: ShowFlags): Promise<ExitCode> {
  return concludeReading(shell, 'show', flags, async ({ printer, config, journal }) => {
    const found = await findAccount(journal, config, account);
    if (flags.export === undefined && flags.with !== undefined)
      throw new CannotStart(
        exitCodes.usage,
        '--with replaces accounts of an export, but no export was named. Name one with --export, or remove --with.',
      );
    const { export: path } = flags;
    const sent =
      path === undefined
        ? undefined
        : await (
            await import('../sent-data.ts')
          ).sentData({ shell, printer, config }, found, { path, fixes: flags.with });
    const history = await told(journal, found, sent);
    const result =
      flags.remote === true ? await withListing(shell, config, { journal, found, history }) : history;
    if (flags.platform !== true) return result;
    const { platformSide } = await import('../platform-side.ts');
    const { accountSidesText } = await import('../account-sides-text.ts');
    const sides = await platformSide(shell, config, journal, found, sent?.plan);
    return {
      ...result,
      summary: { ...result.summary, sides },
      text: (page) => [result.text?.(page) ?? '', accountSidesText(page, sides)].join('\n\n'),
    };
  });
}

/** The same, with what the platform lists of the account. */
async function withListing(
  shell: Shell,
  config: Config,
  {
    journal,
    found,
    history,
  }: { readonly journal: Journal; readonly found: FoundAccount; readonly history: CommandResult },
): Promise<CommandResult> {
  const { PlatformListings } = await import('../platform-listings.ts');
  const { listingRecord, listingText } = await import('../../report/listed-part.ts');
  const { key } = found.entry;
  const own = { ...config, supplier: key.supplier };
  const listings = await PlatformListings.read(shell, own, journal, key.account);
  try {
    const listing = listings.of(key);
    return {
      ...history,
      summary: { ...history.summary, listing: listingRecord(listing) },
      text: (page) => [history.text?.(page) ?? '', `Now ${listingText(listing)}.`].join('\n\n'),
    };
  } finally {
    listings.close();
  }
}
