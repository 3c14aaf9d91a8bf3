import { resolve } from 'node:path';
import type { AccountKey } from '../domain/account-key.ts';
import type { Journal, SupplierOverview } from '../journal/journal.ts';
import { counted } from '../report/format.ts';
import type { Printer } from '../report/printer.ts';
import type { Environment } from '../host/environment.ts';
import { readNamedList } from '../host/read-named-file.ts';

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

/** Reads `--accounts FILE`: external account numbers, one per line. */
export async function accountList(
  { cwd }: Pick<Environment, 'cwd'>,
  file: string,
): Promise<ReadonlySet<string>> {
  const text = await readNamedList('The list of accounts', resolve(cwd, file));
  return new Set(text.split(/\r?\n/).filter((line) => line !== ''));
}

/** Warns of what a list names, and the journal has of none of the suppliers. */
export async function warnOfUnrecorded(
  { printer, journal }: { readonly printer: Pick<Printer, 'warn'>; readonly journal: Journal },
  suppliers: readonly SupplierOverview[],
  chosen: ReadonlySet<string>,
): Promise<void> {
  const listed = new ListedAccounts(chosen);
  for (const { platform, supplier } of suppliers)
    for (const account of chosen)
      if ((await journal.find(platform, { supplier, account })) !== undefined) listed.meet(account);
  for (const warning of listed.warnings(`the journal ${journal.location}`)) printer.warn(warning);
}
