import type { JournalConnection } from './connection.ts';
import type { Link } from './link.ts';
import type { OpenTransaction, WriteQueue } from './write-queue.ts';

/** How a journal reaches its database: writes share transactions, and reads have a connection of their own. */
export class Queries {
  readonly #queue: WriteQueue;
  readonly #reader: Link;

  constructor(queue: WriteQueue, reader: Link) {
    this.#queue = queue;
    this.#reader = reader;
  }

  /** A write with statements of its own. `isFenced`: a lost lease refuses it. */
  write<T>(run: (transaction: OpenTransaction) => Promise<T>, isFenced = false): Promise<T> {
    return this.#queue.write({ run }, isFenced);
  }

  /** Reads after everything that was written before. */
  async read<T>(work: (connection: JournalConnection) => Promise<T>): Promise<T> {
    await this.#queue.settled();
    return this.#reader.use(work);
  }

  /** Reads what is durable now. */
  now<T>(work: (connection: JournalConnection) => Promise<T>): Promise<T> {
    return this.#reader.use(work);
  }
}
