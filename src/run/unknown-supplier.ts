import type { AccountKey } from '../domain/account-key.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { counted } from '../report/format.ts';
import { CannotStart } from '../host/cannot-start.ts';

/** It is not an error, but probably a mistake, if no account of the export is selected. */
export const noneTaken = 'The export has accounts, but none of them was selected. Check --accounts.';

/** The most names in a message. */
const mostNamed = 6;

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
    else if (supplier !== '' && this.#met.size < mostNamed) this.#met.add(supplier);
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

/** No account of the export has the requested supplier. */
export function noSuchSupplier(wanted: string | undefined, there: readonly string[]): string {
  const named = there.slice(0, mostNamed).join(', ');
  const more = there.length > mostNamed ? ` and ${counted(there.length - mostNamed, 'other')}` : '';
  return `No account of the export has the supplier ${wanted}. Its suppliers: ${named}${more}. Correct --supplier, or supplier in the configuration.`;
}
