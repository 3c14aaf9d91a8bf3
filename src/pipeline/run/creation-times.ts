import type { AccountKey } from '../../domain/account-key.ts';
import type { PlatformClient } from '../../client/platform-client.ts';

/** Accounts of a list that are kept: the newest that a journal may lack. */
const mostKept = 10_000;

/** Questions that each read the list anew; after these, only every second one, every fourth, and so on. */
const readEachTime = 5;

const lists = ['importedProcesses', 'allProcesses'] as const;

/**
 * When the platform created accounts, by its lists (endpoints 7 and 5). A list may contain millions and is streamed; what
 * was created before `since` is not kept.
 */
export class CreationTimes {
  /** The newest time in the lists that were read; ms since the epoch. */
  newest: number | undefined;
  readonly #client: Pick<PlatformClient, 'list'>;
  readonly #isWanted: (createdAt: number) => boolean;
  readonly #aborting: AbortSignal;
  readonly #sent: () => void;
  /** By supplier and account. */
  readonly #kept = new Map<string, number>();
  #questions = 0;
  #reads = 0;
  #reading: Promise<void> = Promise.resolve();
  /** Readings that have not begun, by supplier. */
  readonly #waiting = new Map<string, Promise<void>>();

  constructor(
    client: Pick<PlatformClient, 'list'>,
    isWanted: (createdAt: number) => boolean,
    ports: { readonly aborting: AbortSignal; readonly sent: () => void },
  ) {
    this.#client = client;
    this.#isWanted = isWanted;
    this.#aborting = ports.aborting;
    this.#sent = ports.sent;
  }

  /** When an account was created, if that is a time that is wanted; undefined also if no list says it. */
  async of(key: AccountKey): Promise<number | undefined> {
    const known = this.#kept.get(nameOf(key));
    if (known !== undefined) return known;
    this.#questions += 1;
    // Many accounts of others must not each cost a list.
    const isDue = this.#reads < readEachTime || this.#questions >= 2 ** this.#reads;
    await (isDue ? this.read(key.supplier) : this.#reading);
    return this.#kept.get(nameOf(key));
  }

  /** The kept accounts of a supplier that were created before a time. */
  before(supplier: string, time: number): readonly AccountKey[] {
    return [...this.#kept]
      .filter(([, createdAt]) => createdAt < time)
      .map(([name]) => keyOf(name))
      .filter((key) => key.supplier === supplier);
  }

  /** Reads a supplier's list once, after those that are being read: these may lack what was created since they were asked for. */
  read(supplier: string): Promise<void> {
    const waiting = this.#waiting.get(supplier);
    if (waiting !== undefined) return waiting;
    this.#reads += 1;
    this.#reading = this.#reading.then(() => {
      this.#waiting.delete(supplier);
      return this.#readNow(supplier);
    });
    this.#waiting.set(supplier, this.#reading);
    return this.#reading;
  }

  async #readNow(supplier: string): Promise<void> {
    for (const list of lists) {
      if (this.#aborting.aborted) return;
      this.#sent();
      const answer = await this.#client.list(
        list,
        supplier,
        ({ external_account_number: account, account_created_at: at }) => {
          const createdAt = typeof at === 'string' ? Date.parse(at) : NaN;
          if (Number.isNaN(createdAt)) return;
          this.newest = Math.max(this.newest ?? createdAt, createdAt);
          if (this.#kept.size < mostKept && this.#isWanted(createdAt))
            this.#kept.set(nameOf({ supplier, account }), createdAt);
        },
        { signal: this.#aborting, fresh: true },
      );
      if (answer.kind === 'ok') return;
    }
  }
}

function keyOf(name: string): AccountKey {
  const [supplier = '', account = ''] = JSON.parse(name) as string[];
  return { supplier, account };
}

const nameOf = ({ supplier, account }: AccountKey): string => JSON.stringify([supplier, account]);
