import type { Connection, Statement } from './connection.ts';
import type { Link } from './link.ts';
import type { Transaction, WriteQueue } from './write-queue.ts';

/** How the parts of a journal reach its database: writes share transactions, and reads have a connection of their own. */
export class Queries {
  readonly #queue: WriteQueue;
  readonly #reader: Link;

  constructor(queue: WriteQueue, reader: Link) {
    this.#queue = queue;
    this.#reader = reader;
  }

  /** The number of accounts of exports that are being read, by the export's number. */
  get sizes(): Map<number, number> {
    return this.#queue.sizes;
  }

  /** A write with statements of its own. `isFenced`: a lost lease refuses it. */
  write<T>(run: (transaction: Transaction) => Promise<T>, isFenced = false): Promise<T> {
    return this.#queue.write({ run }, isFenced);
  }

  /** Reads after everything that was written before. */
  async read<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    await this.#queue.settled();
    return this.#reader.use(work);
  }

  /** Reads what is durable now. */
  now<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#reader.use(work);
  }

  /** The rows of a statement: a text is planned for its values. */
  rows<Row extends object>(
    of: string | Statement,
    values: readonly (string | number | null | readonly number[] | readonly string[])[] = [],
  ): Promise<Row[]> {
    return this.read((connection) =>
      typeof of === 'string' ? connection.query<Row>(of, values) : connection.run<Row>(of, values),
    );
  }
}
