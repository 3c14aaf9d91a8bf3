import type { Config } from '../config/load-config.ts';
import type { AccountKey } from '../domain/account-key.ts';
import type { ImportProcessRecord } from '../contract/answers.ts';
import type { Journal } from '../journal/journal.ts';
import type { PlatformListing } from '../report/reconciliation/joined.ts';
import { SortedRecords } from '../sqlite/sorted-records.ts';
import { connectRecorded, readList } from './connect-recorded.ts';
import type { Shell } from './shell.ts';

/** The platform's own list of accounts (interface, section 4, endpoint 5), read once. It is kept on disk. */
export class PlatformListings {
  readonly #records: ReadonlyMap<string, SortedRecords<PlatformListing>>;

  private constructor(records: ReadonlyMap<string, SortedRecords<PlatformListing>>) {
    this.#records = records;
  }

  /** `only`: the number of the account that is asked for; absent: all. Throws CannotStart if the platform does not give its lists whole. */
  static async read(
    shell: Shell,
    config: Config,
    journal: Journal,
    only?: string,
  ): Promise<PlatformListings> {
    const { connection, suppliers } = await connectRecorded(shell, config, journal);
    const records = new Map<string, SortedRecords<PlatformListing>>();
    const listings = new PlatformListings(records);
    try {
      for (const { supplier } of suppliers) {
        const listed = new SortedRecords<PlatformListing>();
        records.set(supplier, listed);
        await readList({ shell, config, client: connection.client }, supplier, () => {
          listed.clear();
          return (record) => {
            const { external_account_number: account } = record;
            if (only === undefined || only === account) listed.add(account, listedAs(record));
          };
        });
      }
      return listings;
    } catch (error) {
      listings.close();
      throw error;
    } finally {
      await connection.close();
    }
  }

  /** null: the platform does not list it. */
  of({ supplier, account }: AccountKey): PlatformListing | null {
    return this.#records.get(supplier)?.find(account) ?? null;
  }

  close(): void {
    for (const listed of this.#records.values()) listed.close();
  }
}

export function listedAs(record: ImportProcessRecord): PlatformListing {
  const { kraken_account_number: number, account_created_at: createdAt } = record;
  return { krakenAccountNumber: number || undefined, createdAt: createdAt || undefined };
}
