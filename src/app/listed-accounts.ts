import type { AccountKey } from '../domain/account-key.ts';
import { counted } from '../report/format.ts';

const mostNamed = 3;
/** A longer line is not an account number: the file is another one, and the line is not quoted. */
const mostOfALine = 40;

/** The accounts of a list that were not found yet. Empty without a list. */
export class ListedAccounts {
  readonly #unmet: Set<string>;

  constructor(listed: Iterable<string> = []) {
    this.#unmet = new Set(listed);
  }

  meet(account: string): void {
    this.#unmet.delete(account);
  }

  /** Passes the accounts on, and marks each as found. */
  met<Account extends { readonly key: AccountKey }>(
    accounts: AsyncIterable<Account>,
  ): AsyncIterable<Account> {
    return this.#unmet.size === 0 ? accounts : this.#meeting(accounts);
  }

  async *#meeting<Account extends { readonly key: AccountKey }>(
    accounts: AsyncIterable<Account>,
  ): AsyncGenerator<Account> {
    for await (const account of accounts) {
      this.meet(account.key.account);
      yield account;
    }
  }

  /** The message when all accounts of `where` have passed; nothing if every listed one was found. */
  warnings(where: string): readonly string[] {
    const count = this.#unmet.size;
    if (count === 0) return [];
    const named = [...this.#unmet].slice(0, mostNamed).map((line) => line.slice(0, mostOfALine));
    const more = count > mostNamed ? ', ...' : '.';
    const are = count === 1 ? 'is' : 'are';
    return [
      `${counted(count, 'account')} of the list ${are} not in ${where}: ${named.join(', ')}${more} Check the list.`,
    ];
  }
}
