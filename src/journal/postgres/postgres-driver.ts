import type { AccountKey } from '../../domain/account-key.ts';
import type { StatementAnswer } from '../core/answer.ts';
import { DrivenJournal } from '../core/driven-journal.ts';
import {
  isFenced,
  type AccountWrites,
  type WriteCondition,
  type Driver,
  type Needs,
} from '../core/driver.ts';
import type { StoredEntry } from '../core/rows.ts';
import type { Reads, Writes } from '../core/statements.ts';
import type {
  AccountEntry,
  IsDead,
  Journal,
  LeaseHeld,
  LeaseOwner,
  LeaseTaken,
  MarkFinding,
  Whereabouts,
} from '../journal.ts';
import type { RunGroups } from '../run-groups.ts';
import { accountReads } from './accounts.ts';
import type { JournalConnection } from './connection.ts';
import { fixWrites, historyReads } from './history.ts';
import { Holders } from './holders.ts';
import { addIntervention } from './interventions.ts';
import { judged } from './judged.ts';
import { takeSupplier } from './leases.ts';
import type { Link } from './link.ts';
import { livingOwners } from './living-runs.ts';
import { PostgresMarking, type MarkPlace } from './marking.ts';
import { Queries } from './queries.ts';
import { itemReads, itemWrites } from './item-records.ts';
import { readBackReads, readBackWrites } from './read-back-records.ts';
import { readingWrites } from './readings.ts';
import { PostgresRunGroups } from './run-groups.ts';
import { runReads, runWrites } from './runs.ts';
import { upgradeReads, upgradeWrites } from './upgrade-records.ts';
import { WriteQueue, type OpenTransaction } from './write-queue.ts';

export interface JournalParts {
  readonly location: string;
  readonly writer: Link;
  readonly reader: Link;
  /** The marks on this machine. */
  readonly marks: MarkPlace;
  /** SQL for the clock of leases, in ms since the epoch. */
  readonly clock: string;
}

/** A journal in a PostgreSQL database. */
export function postgresJournal(parts: JournalParts): Journal {
  return new DrivenJournal(new PostgresDriver(parts));
}

/** A PostgreSQL database. Reads have a connection of their own, beside the transactions of writes. */
class PostgresDriver implements Driver {
  readonly location: string;
  readonly groups: RunGroups;
  readonly #writer: Link;
  readonly #reader: Link;
  readonly #queue: WriteQueue;
  readonly #clock: string;
  readonly #queries: Queries;
  readonly #marking: PostgresMarking;
  readonly #holders: Holders;

  constructor({ location, writer, reader, marks, clock }: JournalParts) {
    this.location = location;
    this.#writer = writer;
    this.#reader = reader;
    this.#clock = clock;
    this.#queue = new WriteQueue(writer, location, (stamp) => this.#marking.committed(stamp));
    this.#queries = new Queries(this.#queue, reader);
    this.#marking = new PostgresMarking(this.#queries, marks, this.#queue.session);
    this.#holders = new Holders(this.#queries);
    this.groups = new PostgresRunGroups(this.#queue, reader, clock);
  }

  read<T>(ask: (reads: Reads) => StatementAnswer<T>): Promise<T> {
    return this.#queries.read(async (connection) => ask(readsOn(connection)));
  }

  readNow<T>(ask: (reads: Reads) => StatementAnswer<T>): Promise<T> {
    return this.#queries.now(async (connection) => ask(readsOn(connection)));
  }

  write<T>(condition: WriteCondition, work: (writes: Writes) => StatementAnswer<T>): Promise<T> {
    return this.#queries.write(
      async (transaction) => work(writesIn(transaction, this.#queue.sizes)),
      isFenced(condition),
    );
  }

  writeAccounts<T>(
    condition: WriteCondition,
    needs: Needs,
    work: (accounts: AccountWrites) => () => T,
  ): Promise<T> {
    return this.#queue.write({ needs, apply: work }, isFenced(condition));
  }

  findAtOnce(): undefined {
    return undefined;
  }

  holders(platform: string, krakenAccountNumber: string): Promise<readonly StoredEntry[]> {
    return this.#holders.of(platform, krakenAccountNumber);
  }

  async enter(
    platform: string,
    from: string,
    keys: readonly AccountKey[],
  ): Promise<readonly Pick<AccountEntry, 'id' | 'state'>[]> {
    const sources = [{ platform, place: from }];
    const entered = keys.map((key) =>
      this.writeAccounts('fenced', { keys: [{ platform, key }], sources }, (accounts) =>
        accounts.open(platform, key, from),
      ),
    );
    return (await Promise.all(entered)).map(({ id, state }) => ({ id, state }));
  }

  takeMark(at: number): Promise<MarkFinding> {
    return this.#marking.take(at);
  }

  compareMark(): Promise<MarkFinding> {
    return this.#marking.find();
  }

  whereabouts(): Promise<Whereabouts> {
    return Promise.resolve({});
  }

  async takeLease(
    lease: {
      readonly platform: string;
      readonly supplier: string;
      readonly owner: LeaseOwner;
      readonly group?: number | undefined;
    },
    now: number,
    expiresAt: number,
    isDead: IsDead,
  ): Promise<LeaseTaken | LeaseHeld> {
    const isGone = await judged(
      await this.#queries.now((connection) => livingOwners(connection, this.#clock)),
      isDead,
    );
    const taken = await this.#queries.write(async ({ connection, names }) => {
      const id = await names.addSupplier(connection, lease.platform, lease.supplier);
      const order = { ...lease, supplier: id, session: this.#queue.session, forMs: expiresAt - now };
      const holdsOthers = [...this.#queue.fence.keys()].some((held) => held !== id);
      if (!holdsOthers && lease.group === undefined)
        await connection.change('UPDATE writer SET fenced = 0 WHERE session = $1', [this.#queue.session]);
      return { id, lease: await takeSupplier(connection, order, this.#clock, isGone) };
    });
    if (!taken.lease.held)
      this.#queue.fence.set(taken.id, { code: lease.supplier, epoch: taken.lease.epoch });
    return taken.lease;
  }

  renewLease(
    platform: string,
    supplier: string,
    epoch: number,
    now: number,
    expiresAt: number,
  ): Promise<boolean> {
    return this.#queries.write(async ({ connection, names }) => {
      const id = await names.findSupplier(connection, platform, supplier);
      if (id === undefined) return false;
      const changed = await connection.change(
        `UPDATE lease SET expires_at = ${this.#clock} + $1 WHERE supplier = $2 AND epoch = $3`,
        [expiresAt - now, id, epoch],
      );
      return changed === 1;
    });
  }

  async releaseLease(platform: string, supplier: string, epoch: number): Promise<void> {
    const id = await this.#queries.write(async ({ connection, names }) => {
      const found = await names.findSupplier(connection, platform, supplier);
      // The epoch also grows on release, so that a released lease cannot be renewed.
      if (found !== undefined)
        await connection.change(
          'UPDATE lease SET epoch = epoch + 1, expires_at = 0 WHERE supplier = $1 AND epoch = $2 AND run_group IS NULL',
          [found, epoch],
        );
      return found;
    });
    const { fence } = this.#queue;
    if (id !== undefined && fence.get(id)?.epoch === epoch) fence.delete(id);
  }

  async close(): Promise<void> {
    try {
      await this.#queue.close();
    } finally {
      await this.#writer.close();
      await this.#reader.close();
      this.#marking.close();
    }
  }
}

function readsOn(connection: JournalConnection): Reads {
  return {
    accounts: accountReads(connection),
    history: historyReads(connection),
    runs: runReads(connection),
    upgrades: upgradeReads(connection),
    readBack: readBackReads(connection),
    items: itemReads(connection),
  };
}

function writesIn(transaction: OpenTransaction, sizes: Map<number, number>): Writes {
  const { connection } = transaction;
  const markRestored: Writes['markRestored'] = async (at, by) => {
    await connection.change('INSERT INTO restore (at) VALUES ($1)', [at]);
    await addIntervention(connection, { command: 'restore', at, by });
  };
  return {
    runs: runWrites(transaction),
    readings: readingWrites(transaction, sizes),
    fixes: fixWrites(transaction),
    upgrades: upgradeWrites(transaction),
    readBack: readBackWrites(transaction),
    items: itemWrites(transaction),
    markRestored,
    markDoubted: (at) => markRestored(at, undefined),
  };
}
