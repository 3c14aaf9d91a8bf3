import type { AccountKey } from '../domain/account-key.ts';
import { counted } from '../report/format.ts';

const mostNamed = 3;
/** A line that is longer is no account's number: the file is another one, and is not spelled out. */
const mostOfALine = 40;

/** The accounts of a list that have not been met. Of no list, there are none. */
export class ListedAccounts {
  readonly #unmet: Set<string>;

  constructor(listed: Iterable<string> = []) {
    this.#unmet = new Set(listed);
  }

  meet(account: string): void {
    this.#unmet.delete(account);
  }

  /** The accounts as they come, each met when it is taken. */
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

  /** What to say when all have come of `where` they were looked for; nothing where each was met. */
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
