import type { Cell } from '../../domain/cell.ts';
import type { StepName } from '../../domain/steps.ts';
import type { AccountEntry } from '../../journal/journal.ts';

/** An account as the platform lists it (interface, section 2.5). */
export interface PlatformListing {
  /** Absent while the account is only staged. */
  readonly krakenAccountNumber?: string | undefined;
  /** As the platform writes it. */
  readonly createdAt?: string | undefined;
}

/** A place of the export that is not as it was sent. */
export interface SourceChange {
  readonly is: 'changed' | 'added' | 'gone';
  readonly step: StepName;
  readonly path: string;
  readonly cell?: Cell | undefined;
}

/** An account as the export has it today. */
export interface SourceAccount {
  /** Fingerprint of all that is to be sent of it. */
  readonly planHash: string;
  /** Whether the journal has the account completed from exactly its rows, in whatever order. */
  readonly isSame?: true;
  /** Where it is not as it was sent; absent if it is, or if too many accounts are not. */
  readonly changes?: readonly SourceChange[] | undefined;
  /** The money in it, as `writeMoney` has it; absent if there is none. */
  readonly money?: string | undefined;
}

/** What is known of one account from all sides. */
export interface JoinedAccount {
  /** External account number. */
  readonly account: string;
  /** Empty if the platform does not list it; more than one if it lists it several times. */
  readonly listed: readonly PlatformListing[];
  readonly entry?: AccountEntry | undefined;
  readonly source?: SourceAccount | undefined;
}

type Keyed<Value> = readonly [account: string, value: Value];

/** The sides of a comparison, each in the order of the external account numbers' UTF-8 bytes. */
export interface Sides {
  readonly listed: Iterable<Keyed<PlatformListing>>;
  readonly journal: AsyncIterable<AccountEntry>;
  readonly source: Iterable<Keyed<SourceAccount>>;
}

/** Brings the sides together account by account, holding one of each at a time. */
export async function* joined(sides: Sides): AsyncGenerator<JoinedAccount> {
  const listed = new Side(sides.listed);
  const journal = new Side(keyed(sides.journal));
  const source = new Side(sides.source);
  const all = [listed, journal, source];
  try {
    await Promise.all(all.map((side) => side.advance()));
    for (;;) {
      const account = all.map((side) => side.account).reduce(earlier);
      if (account === undefined) return;
      const theirs = await listed.take(account);
      const [entry] = await journal.take(account);
      const [exported] = await source.take(account);
      yield {
        account,
        listed: theirs,
        entry,
        source: exported,
      };
    }
  } finally {
    await Promise.all(all.map((side) => side.close()));
  }
}

async function* keyed(entries: AsyncIterable<AccountEntry>): AsyncGenerator<Keyed<AccountEntry>> {
  for await (const entry of entries) yield [entry.key.account, entry];
}

/** One side, read up to its next account. */
class Side<Value> {
  readonly #items: Iterator<Keyed<Value>> | AsyncIterator<Keyed<Value>>;
  #next: Keyed<Value> | undefined;

  constructor(items: Iterable<Keyed<Value>> | AsyncIterable<Keyed<Value>>) {
    this.#items = Symbol.iterator in items ? items[Symbol.iterator]() : items[Symbol.asyncIterator]();
  }

  async advance(): Promise<void> {
    const next = await this.#items.next();
    this.#next = next.done === true ? undefined : next.value;
  }

  get account(): string | undefined {
    return this.#next?.[0];
  }

  /** What it has for this account. Accounts before it must have been taken. */
  async take(account: string): Promise<Value[]> {
    const taken: Value[] = [];
    while (this.#next?.[0] === account) {
      taken.push(this.#next[1]);
      await this.advance();
    }
    return taken;
  }

  async close(): Promise<void> {
    await this.#items.return?.();
  }
}

/** SQLite compares the bytes of texts; JavaScript would compare halves of characters. */
function earlier(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b;
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0 ? a : b;
}
