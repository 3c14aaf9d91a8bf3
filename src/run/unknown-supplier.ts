import type { AccountKey } from '../domain/account-key.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { noSuchSupplier } from '../domain/no-such-supplier.ts';
import { CannotStart } from '../host/cannot-start.ts';

/** It is not an error, but probably a mistake, if no account of the export is selected. */
export const noneTaken = 'The export has accounts, but none of them was selected. Check --accounts.';

/** The most suppliers that are remembered. */
const mostMet = 6;

/** The suppliers of an export, as they occur: enough of them for a message. */
export class MetSuppliers {
  readonly #wanted: string | undefined;
  readonly #met = new Set<string>();
  #isMet = false;

  /** `wanted`: the only selected supplier; undefined: all. */
  constructor(wanted: string | undefined) {
    this.#wanted = wanted;
  }

  meet(supplier: string): void {
    if (supplier === this.#wanted) this.#isMet = true;
    else if (supplier !== '' && this.#met.size < mostMet) this.#met.add(supplier);
  }

  /** Passes the accounts on, and records their suppliers. */
  async *meeting<Account extends { readonly key: AccountKey }>(
    accounts: AsyncIterable<Account>,
  ): AsyncGenerator<Account> {
    for await (const account of accounts) {
      this.meet(account.key.supplier);
      yield account;
    }
  }

  /** Throws CannotStart if there were accounts, but none of the wanted supplier. */
  refuseOthersAlone(): void {
    if (this.#wanted === undefined || this.#isMet || this.#met.size === 0) return;
    throw new CannotStart(exitCodes.usage, noSuchSupplier(this.#wanted, [...this.#met].sort()));
  }
}
