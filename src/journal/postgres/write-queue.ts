import { randomUUID } from 'node:crypto';
import { DatabaseRefused } from '../../domain/database-refused.ts';
import { LeaseLost } from '../journal.ts';
import { Misuse } from '../misuse.ts';
import type { Stamp } from '../stamp.ts';
import { statement, type Connection } from './connection.ts';
import type { Noting } from './interventions.ts';
import { addIntervention } from './interventions.ts';
import type { Link } from './link.ts';
import { Names } from './names.ts';
import type { Restore } from './rows.ts';
import { Unit, type Needs } from './unit.ts';

/** What a write sees of the transaction that it is part of. */
export interface Transaction {
  readonly connection: Connection;
  readonly names: Names;
  readonly latest: Restore | undefined;
  /** The stamp that the transaction leaves. */
  readonly stamp: Stamp;
  /** Gives the journal a new identity: it is not what its marks remember. */
  readonly renew: () => Promise<void>;
}

/** A write about accounts, which is applied in memory with others; or one with statements of its own. */
type Work<T> =
  | { readonly needs: Needs; readonly apply: (unit: Unit) => () => T }
  | { readonly run: (transaction: Transaction) => Promise<T> };

interface Gathered {
  readonly work: Work<unknown>;
  /** A lost lease refuses it. */
  readonly isFenced: boolean;
  outcome: { readonly value: () => unknown } | { readonly refusal: Error } | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** For how many turns of the event loop writes are collected. */
const mostTurns = 4;

const putBatch = statement(
  'put_batch',
  `INSERT INTO batch (session, number) VALUES ($1, $2)
  ON CONFLICT (session) DO UPDATE SET number = excluded.number, at = now()`,
);

/**
 * Collects writes for as long as each turn of the event loop brings more, and commits them in one transaction. Writes that
 * arrive meanwhile wait for the next. A lost connection is no failure: the batch waits for the server, asks whether it
 * was committed, and is repeated only if it was not. After any other failure, every later write is refused.
 */
export class WriteQueue {
  readonly #link: Link;
  readonly #name: string;
  readonly #session = randomUUID();
  readonly #names = new Names();
  readonly #noting: Noting = {};
  /** The number of accounts of exports that are being read, by the export's number. */
  readonly sizes = new Map<number, number>();
  /** The leases that were taken through this journal, by the supplier's number. */
  readonly fence = new Map<number, { readonly code: string; readonly epoch: number }>();
  /** Called with the stamp of each commit, before its writes resolve. */
  readonly #committed: (stamp: Stamp) => void;
  #gathered: Gathered[] = [];
  #isCommitting = false;
  #failure: Error | undefined;
  #number = 0;
  /** The stamp of the last commit that this process has seen: no server may have less. */
  #seen: Stamp | undefined;

  constructor(link: Link, name: string, committed: (stamp: Stamp) => void) {
    this.#link = link;
    this.#name = name;
    this.#committed = committed;
  }

  write<T>(work: Work<T>, isFenced = false): Promise<T> {
    const promise = new Promise<T>((resolve, reject) => {
      const write: Gathered = {
        work,
        isFenced,
        outcome: undefined,
        resolve: (value) => resolve(value as T),
        reject,
      };
      if (this.#failure !== undefined) reject(this.#failure);
      else if (this.#gathered.push(write) === 1 && !this.#isCommitting) this.#commitSoon();
    });
    // Who waits for a later write alone learns there that all failed: it must not end the process as unhandled.
    promise.catch(() => undefined);
    return promise;
  }

  /** Resolves when everything that was gathered before is committed. */
  async settled(): Promise<void> {
    if (this.#gathered.length > 0 || this.#isCommitting) await this.write({ run: () => Promise.resolve() });
  }

  /** Commits what is gathered, and refuses what comes later. */
  async close(): Promise<void> {
    try {
      await this.settled();
      if (this.#number > 0 && this.#failure === undefined)
        await this.#link.use(async (connection) => {
          await connection.change('DELETE FROM batch WHERE session = $1', [this.#session]);
        });
    } finally {
      this.#failure ??= new Error('The journal is closed.');
    }
  }

  #commitSoon(turns = mostTurns, before = 0): void {
    setImmediate(() => {
      const { length } = this.#gathered;
      if (turns > 1 && length > before) this.#commitSoon(turns - 1, length);
      else void this.#commitGathered();
    });
  }

  async #commitGathered(): Promise<void> {
    const batch = this.#gathered;
    this.#gathered = [];
    this.#isCommitting = true;
    try {
      await this.#commit(batch);
    } catch (error) {
      const refusal = this.#link.refusalOf(error);
      this.#failure =
        refusal instanceof Error ? refusal : new Error('The journal failed.', { cause: refusal });
      for (const { reject } of [...batch, ...this.#gathered]) reject(this.#failure);
      this.#gathered = [];
      return;
    } finally {
      this.#isCommitting = false;
    }
    for (const write of batch) answer(write);
    if (this.#gathered.length > 0) this.#commitSoon();
  }

  /** Commits a batch once, whatever happens to the connection. */
  async #commit(batch: readonly Gathered[]): Promise<void> {
    this.#number += 1;
    let isAsking = false;
    await this.#link.use(async (connection) => {
      // The answer to an earlier attempt was lost: the server knows whether it was committed.
      if (isAsking && (await this.#isCommitted(connection))) return;
      isAsking = true;
      await this.#attempt(connection, batch);
    });
  }

  /** Waits until no earlier attempt can still be committed: it holds the stamp, which this takes. */
  async #isCommitted(connection: Connection): Promise<boolean> {
    await connection.several('BEGIN');
    try {
      const [own] = await connection.query<{ identity: string; commits: number }>(
        'SELECT identity, commits FROM stamp FOR UPDATE',
      );
      const [row] = await connection.query<{ number: number }>(
        'SELECT number FROM batch WHERE session = $1',
        [this.#session],
      );
      const isCommitted = row !== undefined && row.number >= this.#number;
      if (isCommitted && own !== undefined) this.#see(own);
      return isCommitted;
    } finally {
      await connection.several('ROLLBACK');
    }
  }

  async #attempt(connection: Connection, batch: readonly Gathered[]): Promise<void> {
    const noting = { ...this.#noting };
    try {
      for (const write of batch) write.outcome = undefined;
      const transaction = await this.#begin(connection);
      const hasWritten = await this.#apply(transaction, batch);
      if (!hasWritten) {
        await connection.several('ROLLBACK');
        return;
      }
      await connection.run(putBatch, [this.#session, this.#number]);
      await connection.several('COMMIT');
      this.#see(transaction.stamp);
    } catch (error) {
      this.#names.forget();
      Object.assign(this.#noting, { last: noting.last });
      if (!connection.isLost) await connection.several('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  #see(stamp: Stamp): void {
    this.#seen = stamp;
    this.#committed(stamp);
  }

  /** The first statement locks the stamp, so that transactions of all processes follow one another. */
  async #begin(connection: Connection): Promise<Transaction & { readonly lost: string | undefined }> {
    const [, stamps, leases, restores] = await connection.several(
      `BEGIN; UPDATE stamp SET commits = commits + 1 RETURNING identity, commits;
      SELECT supplier, epoch FROM lease; SELECT id, at FROM restore ORDER BY id DESC LIMIT 1`,
    );
    const stamp = stampIn(stamps?.[0]);
    if (
      this.#seen !== undefined &&
      (stamp.identity !== this.#seen.identity || stamp.commits <= this.#seen.commits)
    )
      throw await this.#lacking(connection, stamp, this.#seen);
    const epochs = new Map(leases?.map(({ supplier, epoch }) => [Number(supplier), Number(epoch)]));
    const lost = [...this.fence].find(([supplier, { epoch }]) => epochs.get(supplier) !== epoch);
    const restore = restores?.[0];
    const left: { identity: string; commits: number } = stamp;
    return {
      connection,
      names: this.#names,
      latest: restore && { id: Number(restore['id']), at: Number(restore['at']) },
      stamp: left,
      lost: lost?.[1].code,
      renew: async () => {
        const identity = randomUUID().replaceAll('-', '');
        await connection.change('INSERT INTO former_stamp (identity, commits) VALUES ($1, $2)', [
          left.identity,
          left.commits,
        ]);
        await connection.change('UPDATE stamp SET identity = $1', [identity]);
        left.identity = identity;
      },
    };
  }

  /**
   * The server lacks commits that it had confirmed: it was replaced by a standby that had not received them, or by a backup.
   * What was sent since is unknown, so all accounts are in doubt, for every machine that goes on with this journal.
   */
  async #lacking(connection: Connection, found: Stamp, seen: Stamp): Promise<Error> {
    const isSame = found.identity === seen.identity;
    if (isSame) {
      const at = this.#link.now();
      await connection.change('INSERT INTO restore (at) VALUES ($1)', [at]);
      await addIntervention(connection, { command: 'restore', at });
      await connection.several(
        `INSERT INTO former_stamp SELECT identity, commits FROM stamp;
        UPDATE stamp SET identity = replace(gen_random_uuid()::text, '-', ''); COMMIT`,
      );
    }
    const what = isSame
      ? `lacks its last ${seen.commits - found.commits + 1} commits: the server was replaced by one that had not received them, or by a backup. It counts as restored`
      : 'was restored, or replaced by another, while it was in use';
    return new DatabaseRefused(
      'damaged',
      `The journal ${this.#name} ${what}. No further request was sent. Run the same command again: it asks the platform about each account before it sends anything.`,
    );
  }

  /** Says whether anything was written. */
  async #apply(
    transaction: Transaction & { readonly lost: string | undefined },
    batch: readonly Gathered[],
  ): Promise<boolean> {
    let hasWritten = false;
    let together: Gathered[] = [];
    const flush = async (): Promise<void> => {
      if (together.length === 0) return;
      const writes = together;
      together = [];
      if (await this.#applyTogether(transaction, writes)) hasWritten = true;
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
      await flush();
      try {
        const value = await write.work.run(transaction);
        write.outcome = { value: () => value };
        hasWritten = true;
      } catch (error) {
        if (!(error instanceof Misuse)) throw error;
        write.outcome = { refusal: error };
      }
    }
    await flush();
    // A name that was added must not be remembered from a transaction that is rolled back.
    return hasWritten || this.#names.takeAdded();
  }

  async #applyTogether(
    { connection, names, latest }: Transaction,
    writes: readonly Gathered[],
  ): Promise<boolean> {
    const unit = new Unit(connection, { names, latest, noting: this.#noting, sizes: this.sizes });
    await unit.load(writes.map(({ work }) => ('needs' in work ? work.needs : {})));
    for (const write of writes) {
      try {
        if ('apply' in write.work) write.outcome = { value: write.work.apply(unit) };
      } catch (error) {
        if (!(error instanceof Misuse)) throw error;
        write.outcome = { refusal: error };
      }
    }
    return unit.store();
  }
}

function stampIn(row: Record<string, unknown> | undefined): Stamp {
  if (row === undefined) throw new Error('The journal has no stamp.');
  return { identity: String(row['identity']), commits: Number(row['commits']) };
}

function answer({ outcome, resolve, reject }: Gathered): void {
  if (outcome === undefined) reject(new Error('The journal left a write unanswered.'));
  else if ('refusal' in outcome) reject(outcome.refusal);
  else resolve(outcome.value());
}
