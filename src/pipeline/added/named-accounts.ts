import type { AccountKey } from '../../domain/account-key.ts';
import type { Journal } from '../../journal/journal.ts';

/** Looks up the accounts that items name. Where an item names no import supplier, any of the platform's in the journal will do. */
export class NamedAccounts {
  readonly #journal: Journal;
  readonly #platform: string;
  #suppliers: Promise<readonly string[]> | undefined;

  constructor(journal: Journal, platform: string) {
    this.#journal = journal;
    this.#platform = platform;
  }

  /** Whether all of them are completed. */
  async areCompleted(keys: readonly AccountKey[]): Promise<boolean> {
    for (const { supplier, account } of keys) {
      const suppliers = supplier === '' ? await this.#known() : [supplier];
      const found = await Promise.all(
        suppliers.map((one) => this.#journal.find(this.#platform, { supplier: one, account })),
      );
      if (!found.some((entry) => entry?.state === 'completed')) return false;
    }
    return true;
  }

  #known(): Promise<readonly string[]> {
    this.#suppliers ??= this.#journal
      .overview()
      .then((all) => all.filter(({ platform }) => platform === this.#platform))
      .then((own) => own.map(({ supplier }) => supplier));
    return this.#suppliers;
  }
}
