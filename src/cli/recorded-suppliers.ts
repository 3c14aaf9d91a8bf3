import type { Config } from '../config/load-config.ts';
import type { Journal, SupplierOverview } from '../journal/journal.ts';
import { recordedPlatforms } from './recorded-platform.ts';

/** The journal's suppliers that a command is about: of the configured platform, and the named one where one is named. */
export async function recordedSuppliers(journal: Journal, config: Config): Promise<SupplierOverview[]> {
  const platforms = new Set((await recordedPlatforms(journal, config)).map(({ platform }) => platform));
  return (await journal.overview()).filter(
    ({ platform, supplier }) =>
      platforms.has(platform) && (config.supplier === undefined || supplier === config.supplier),
  );
}
