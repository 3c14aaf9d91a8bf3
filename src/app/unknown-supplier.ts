import type { AccountKey } from '../domain/account-key.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { counted } from '../report/format.ts';
import { CannotStart } from './cannot-start.ts';

/** An export of which nothing is taken is no error, and most likely a slip. */
export const noneTaken = 'The export has accounts, and none of them was taken. Check --accounts.';

/** More names than these say no more. */
const mostNamed = 6;

/** The suppliers that an export has, as they are met: enough of them for a message. */
export class MetSuppliers {
  readonly #wanted: string | undefined;
  readonly #met = new Set<string>();
  #isMet = false;

  /** `wanted`: the supplier whose accounts alone are taken; undefined: all. */
  constructor(wanted: string | undefined) {
    this.#wanted = wanted;
  }

  meet(supplier: string): void {
    if (supplier === this.#wanted) this.#isMet = true;
    else if (supplier !== '' && this.#met.size < mostNamed) this.#met.add(supplier);
  }

  /** The accounts as they come, each met when it is taken. */
  async *meeting<Account extends { readonly key: AccountKey }>(
    accounts: AsyncIterable<Account>,
  ): AsyncGenerator<Account> {
    for await (const account of accounts) {
      this.meet(account.key.supplier);
      yield account;
    }
  }

  /** Throws CannotStart where accounts came, and none of the supplier that is wanted. */
  refuseOthersAlone(): void {
    if (this.#wanted === undefined || this.#isMet || this.#met.size === 0) return;
    throw new CannotStart(exitCodes.usage, noSuchSupplier(this.#wanted, [...this.#met].sort()));
  }
}

/** No account of the export is of the supplier that was asked for. */
export function noSuchSupplier(wanted: string | undefined, there: readonly string[]): string {
  const named = there.slice(0, mostNamed).join(', ');
  const more = there.length > mostNamed ? ` and ${counted(there.length - mostNamed, 'other')}` : '';
  return `No account of the export has the supplier ${wanted}. Its suppliers: ${named}${more}. Correct --supplier, or supplier in the configuration.`;
}
