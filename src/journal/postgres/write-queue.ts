import { randomUUID } from 'node:crypto';
import { DatabaseRefused } from '../../domain/database-refused.ts';
import { LeaseLost } from '../journal.ts';
import type { Needs } from '../core/driver.ts';
import { Misuse } from '../core/misuse.ts';
import { WriteGatherer, type GatheredWrite } from '../core/write-gatherer.ts';
import type { Stamp } from '../safety/stamp.ts';
import { statement, type JournalConnection } from './connection.ts';
import type { Noting } from './interventions.ts';
import { noteLoss } from './interventions.ts';
import { KnownAccounts } from './known-accounts.ts';
import { recordPlace } from './identity.ts';
import type { Link } from './link.ts';
import { Names } from './names.ts';
import { refuseOtherProcess } from './pooling.ts';
import type { Restore } from '../core/rows.ts';
import { ServerWatch } from './server-watch.ts';
import { Unit } from './unit.ts';
import { addWriter, countCommit, findWriters, foldTally, type WriterRow } from './writers.ts';

/** What a write sees of the transaction that it is part of. */
export interface OpenTransaction {
  readonly connection: JournalConnection;
  readonly names: Names;
  readonly latest: Restore | undefined;
  /** The stamp that the transaction leaves. */
  readonly stamp: Stamp;
  /** The writer's number. */
  readonly writer: number;
  /** Where the journal is (identity.ts). */
  readonly place: string;
}

/** A write about accounts, which is applied in memory with others; or one with statements of its own. */
type Work<T> =
  | { readonly needs: Needs; readonly apply: (unit: Unit) => () => T }
  | { readonly run: (transaction: OpenTransaction) => Promise<T> };

interface Gathered extends GatheredWrite {
  readonly work: Work<unknown>;
  /** A lost lease refuses it. */
  readonly isFenced: boolean;
  outcome: { readonly value: () => unknown } | { readonly refusal: Error } | undefined;
}

/** A commit is kept if it is confirmed only after a standby has it. */
const begin = `BEGIN; SELECT pg_backend_pid() AS pid,
  current_setting('synchronous_standby_names') <> '' AND current_setting('synchronous_commit') NOT IN ('off', 'local') AS is_kept`;
const olderServer = 'the server was replaced by one that had not received them, or by a backup';
const findLeases = statement('find_leases', 'SELECT supplier, epoch FROM lease');
const findRestore = statement('find_restore', 'SELECT id, at FROM restore ORDER BY id DESC LIMIT 1');

/**
 * Commits the writes that were gathered, each batch in one transaction. A lost connection is not a failure: the batch waits
 * for the server, asks whether it was committed, and is repeated only if it was not.
 */
export class WriteQueue {
  readonly #link: Link;
  readonly #name: string;
  /** Identifies this writer among all that ever were. */
  readonly session = randomUUID().replaceAll('-', '');
  readonly #names = new Names();
  readonly #known = new KnownAccounts();
  readonly #noting: Noting = {};
  /** The number of accounts of exports that are being read, by the export's number. */
  readonly sizes = new Map<number, number>();
  /** The leases that were taken through this journal, by the supplier's number. */
  readonly fence = new Map<number, { readonly code: string; readonly epoch: number }>();
  /** Whether an account, by its number, may be written; undefined: whatever the leases allow. */
  holds: ((account: string) => boolean) | undefined;
  /** Called with the stamp of each commit, before its writes resolve. */
  readonly #committed: (stamp: Stamp) => void;
  readonly #writes: WriteGatherer<Gathered>;
  /** Commits that the server has confirmed: no server may have fewer. */
  #commits = 0;
  /** When it confirmed the last one, in ms since the epoch. */
  #lastCommitAt: number | undefined;
  readonly #server = new ServerWatch();
  /** The last commits of other writers that this one saw: no server may have fewer. */
  readonly #others = new Map<string, number>();

  constructor(link: Link, name: string, committed: (stamp: Stamp) => void) {
    this.#link = link;
    this.#name = name;
    this.#committed = committed;
    this.#writes = new WriteGatherer(
      (batch) => this.#commit(batch),
      (error) => link.refusalOf(error),
    );
  }

  write<T>(work: Work<T>, isFenced = false): Promise<T> {
    const promise = new Promise<T>((resolve, reject) => {
      const write: Gathered = {
        work,
        isFenced,
        outcome: undefined,
        answer: () => {
          const { outcome } = write;
          if (outcome === undefined) reject(new Error('The journal left a write unanswered.'));
          else if ('refusal' in outcome) reject(outcome.refusal);
          else resolve(outcome.value() as T);
        },
        refuse: reject,
      };
      this.#writes.add(write);
    });
    // Who waits for a later write alone learns there that all failed: it must not end the process as unhandled.
    promise.catch(() => undefined);
    return promise;
  }

  /** Resolves when everything that was gathered before is committed. */
  async settled(): Promise<void> {
    if (!this.#writes.isIdle) await this.write({ run: () => Promise.resolve() });
  }

  /** Commits what is gathered, and refuses what comes later. */
  async close(): Promise<void> {
    try {
      await this.settled();
      if (this.#commits > 0 && !this.#writes.hasFailed)
        await this.#link.use((connection) => this.#end(connection));
    } finally {
      this.#writes.close(new Error('The journal is closed.'));
    }
  }

  /** Its counts go to those of all closed writers. */
  async #end(connection: JournalConnection): Promise<void> {
    await connection.several('BEGIN');
    try {
      await foldTally(connection, `session = '${this.session}'`);
      await connection.several(`UPDATE writer SET closed = 1 WHERE session = '${this.session}'; COMMIT`);
    } catch (error) {
      if (!connection.isLost) await connection.several('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** Commits a batch once, whatever happens to the connection. */
  async #commit(batch: readonly Gathered[]): Promise<void> {
    // If the answer to an attempt is lost, the next one finds in the writer's row whether it was committed.
    await this.#link.use((connection) => this.#attempt(connection, batch));
  }

  async #attempt(connection: JournalConnection, batch: readonly Gathered[]): Promise<void> {
    const noting = { ...this.#noting };
    try {
      await this.#server.look(connection);
      const first = this.#unitOf(connection, leading(batch));
      const [transaction] = await connection.together(() =>
        Promise.all([this.#begin(connection), first.loadIfKnown()]),
      );
      if (transaction === 'committed') {
        this.#known.forget();
        this.#names.forget();
        await connection.several('ROLLBACK');
        await this.#awaitStandby(connection);
        this.#see(connection, this.#commits + 1, false);
        return;
      }
      for (const write of batch) write.outcome = undefined;
      const last = await this.#apply(transaction, batch, first);
      if (last === undefined) {
        this.#known.forget();
        await connection.several('ROLLBACK');
        return;
      }
      // If one of them fails, the server takes COMMIT for ROLLBACK.
      await connection.together(() => Promise.all([last.store(), connection.several('COMMIT')]));
      if (connection.takeCancelledWait()) await this.#awaitStandby(connection);
      if (this.#isAlone(transaction, batch)) this.#known.keep(last.accounts);
      else this.#known.forget();
      this.#see(connection, transaction.stamp.commits, transaction.isKept);
    } catch (error) {
      this.#known.forget();
      this.#names.forget();
      Object.assign(this.#noting, { last: noting.last });
      if (!connection.isLost) await connection.several('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /**
   * What is committed is not confirmed as long as the standby that commits wait for does not have it. The wait of a later commit
   * includes that of earlier ones.
   */
  async #awaitStandby(connection: JournalConnection): Promise<void> {
    await connection.change('UPDATE writer SET at = now() WHERE session = $1', [this.session]);
    if (connection.takeCancelledWait())
      throw Object.assign(new Error('The wait for a standby was cancelled.'), { code: '57014' });
  }

  /** Whether a batch was about accounts alone, which nobody else may write until the fence is lost. */
  #isAlone({ lost }: Started, batch: readonly Gathered[]): boolean {
    const isFenced = lost === undefined && (this.fence.size > 0 || this.holds !== undefined);
    return (
      isFenced &&
      batch.every(({ work, outcome }) => 'apply' in work && outcome !== undefined && 'value' in outcome)
    );
  }

  /** `isKept`: it was confirmed only after a standby had it. */
  #see(connection: JournalConnection, commits: number, isKept: boolean): void {
    this.#server.confirmed(connection, isKept);
    this.#commits = commits;
    this.#lastCommitAt = this.#link.now();
    this.#committed({ identity: this.session, commits });
  }

  /**
   * The first statement changes the writer's own row: who takes over what it holds waits for the transaction. `committed`: an earlier
   * attempt at this batch was, and its answer was lost.
   */
  async #begin(connection: JournalConnection): Promise<Started | 'committed'> {
    const [[, began], [counted], leases, [restore]] = await Promise.all([
      connection.several(begin),
      connection.run<WriterRow>(countCommit, [this.session]),
      connection.run<{ supplier: number; epoch: number }>(findLeases),
      connection.run<Restore>(findRestore),
    ]);
    refuseOtherProcess(this.#name, connection.pid, Number(began?.[0]?.['pid']));
    const own = counted ?? (this.#commits > 0 ? undefined : await this.#addWriter(connection));
    if (own?.commits === this.#commits + 2) return 'committed';
    if (own?.commits !== this.#commits + 1) throw await this.#lacking(connection, this.#lacked(own?.commits));
    const replacedBy = this.#server.replacedBy(connection);
    if (replacedBy !== undefined) {
      if (!this.#server.isKept)
        throw await this.#lacking(
          connection,
          'is on another server or timeline: a standby took over, or a backup was put back, and the last commits of others may be missing',
        );
      await this.seeOthers(connection, []);
      await recordPlace(connection, replacedBy);
    }
    const epochs = new Map(leases.map(({ supplier, epoch }) => [supplier, epoch]));
    const taken = [...this.fence].find(([supplier, { epoch }]) => epochs.get(supplier) !== epoch);
    const isFenced = own.fenced === 1;
    const lost = isFenced ? (taken ?? [...this.fence][0])?.[1].code : taken?.[1].code;
    return {
      connection,
      names: this.#names,
      latest: restore,
      stamp: { identity: this.session, commits: own.commits },
      ...{ writer: own.id, place: this.#server.placeOf(connection) },
      isKept: began?.[0]?.['is_kept'] === true,
      lost: lost ?? (isFenced ? '' : undefined),
    };
  }

  async #addWriter(connection: JournalConnection): Promise<WriterRow | undefined> {
    const [row] = await connection.run<WriterRow>(addWriter, [this.session]);
    return row;
  }

  /**
   * The server lacks commits that it had confirmed: it was replaced by a standby that had not received them, or by a backup.
   * What was sent since is unknown, so all accounts are in doubt, for every machine that continues with this
   * journal.
   */
  async #lacking(connection: JournalConnection, what: string): Promise<Error> {
    const at = this.#link.now();
    await connection.several('ROLLBACK; BEGIN');
    // What the mark of this machine names, so that its next run does not take it for a loss again.
    await connection.change(
      `INSERT INTO writer (session, commits) VALUES ($1, $2)
      ON CONFLICT (session) DO UPDATE SET commits = excluded.commits, at = now()`,
      [this.session, this.#commits],
    );
    await noteLoss(connection, at, this.#lastCommitAt);
    await recordPlace(connection, this.#server.placeOf(connection));
    await connection.several('COMMIT');
    return new DatabaseRefused(
      'damaged',
      `The journal ${this.#name} ${what}. It counts as restored, and no further request was sent. Run the same command again: it asks the platform about each account before it sends anything.`,
    );
  }

  #lacked(found: number | undefined): string {
    return found === undefined
      ? 'was restored, or replaced by another, while it was in use'
      : `lacks its last ${this.#commits - found + 1} commits: ${olderServer}`;
  }

  /** Looks at the commits of other writers, within a transaction, and refuses a journal that has fewer than it had. */
  async seeOthers(connection: JournalConnection, sessions: readonly string[]): Promise<void> {
    const others = new Set([...this.#others.keys(), ...sessions]);
    others.delete(this.session);
    if (others.size === 0) return;
    const rows = await connection.run<{ session: string; commits: number }>(findWriters, [[...others]]);
    const found = new Map(rows.map(({ session, commits }) => [session, commits]));
    for (const [session, seen] of this.#others)
      if ((found.get(session) ?? 0) < seen)
        throw await this.#lacking(
          connection,
          `lacks commits of another run that this one saw: ${olderServer}`,
        );
    for (const [session, commits] of found) {
      this.#others.set(session, commits);
      this.#committed({ identity: session, commits });
    }
  }

  #unitOf(connection: JournalConnection, writes: readonly Gathered[]): Unit {
    const { sizes, holds } = this;
    const needs = writes.flatMap(({ work }) => ('needs' in work ? [work.needs] : []));
    const [names, known, noting] = [this.#names, this.#known, this.#noting];
    return new Unit(connection, needs, { names, known, noting, sizes, holds });
  }

  /**
   * Applies the writes; returns the unit of the last ones, which is not stored yet, or undefined if nothing is to be committed. `first`:
   * the unit of those at the beginning.
   */
  async #apply(
    transaction: Started,
    batch: readonly Gathered[],
    first: Unit,
  ): Promise<Pick<Unit, 'store' | 'accounts'> | undefined> {
    let hasWritten = false;
    let together: Gathered[] = [];
    let unit: Unit | undefined = first;
    const applied = async (): Promise<Unit | undefined> => {
      const writes = together;
      together = [];
      const next = unit ?? this.#unitOf(transaction.connection, writes);
      unit = undefined;
      if (writes.length === 0) return undefined;
      await next.join(transaction);
      for (const write of writes) applyTo(next, write);
      if (next.hasChanges) hasWritten = true;
      await next.noteInterventions();
      return next;
    };
    for (const write of batch) {
      if (write.isFenced && transaction.lost !== undefined) {
        write.outcome = { refusal: new LeaseLost(transaction.lost) };
        continue;
      }
      if ('apply' in write.work) {
        together.push(write);
        continue;
      }
      await (await applied())?.store();
      this.#known.forget();
      try {
        const value = await write.work.run(transaction);
        write.outcome = { value: () => value };
        hasWritten = true;
      } catch (error) {
        if (!(error instanceof Misuse)) throw error;
        write.outcome = { refusal: error };
      }
    }
    const last = await applied();
    // A name that was added must not be remembered from a transaction that is rolled back.
    return hasWritten || this.#names.takeAdded() ? (last ?? nothingToStore) : undefined;
  }
}

const nothingToStore = { store: () => Promise.resolve(), accounts: [] };

/** The writes about accounts with which a batch begins. */
function leading(batch: readonly Gathered[]): readonly Gathered[] {
  const end = batch.findIndex(({ work }) => !('apply' in work));
  return end === -1 ? batch : batch.slice(0, end);
}

function applyTo(unit: Unit, write: Gathered): void {
  try {
    if ('apply' in write.work) write.outcome = { value: write.work.apply(unit) };
  } catch (error) {
    if (!(error instanceof Misuse || error instanceof LeaseLost)) throw error;
    write.outcome = { refusal: error };
  }
}

type Started = OpenTransaction & {
  readonly isKept: boolean;
  /** A supplier that was taken over. */
  readonly lost: string | undefined;
};
