import type { AccountKey } from '../../domain/account-key.ts';
import { refuseDamaged, type Sqlite } from '../../sqlite/open-database.ts';
import { now, type StatementAnswer } from '../core/answer.ts';
import { DrivenJournal } from '../core/driven-journal.ts';
import type { AccountWrites, WriteCondition, Driver, Needs } from '../core/driver.ts';
import type { StoredEntry } from '../core/rows.ts';
import type { Reads, Writes } from '../core/statements.ts';
import type { Journal, LeaseHeld, LeaseOwner, LeaseTaken, MarkFinding, Whereabouts } from '../journal.ts';
import type { Mark } from '../safety/mark-file.ts';
import { CommitQueue, type WriteCheck } from './commit-queue.ts';
import { leasesOf, type LeaseStatements } from './leases.ts';
import { marking, type Marking } from './marking.ts';
import { overwritten, type Overwriting } from './overwriting.ts';
import type { JournalFile } from './place.ts';
import { emptyLog, saveAside } from './save-aside.ts';
import { journalSpec } from './schema.ts';
import { statementsOf, type SqliteStatements } from './statements.ts';
import type { WalSync } from './wal-sync.ts';

/** The features of a journal in a file that one in memory lacks. */
export interface JournalSurroundings {
  /** Syncs the disk after each commit, if that is required and the connection does not do it. */
  readonly log?: WalSync | undefined;
  readonly place?: JournalFile | undefined;
  readonly mark?: Mark | undefined;
  readonly overwriting?: Overwriting | undefined;
  /** Called when the journal is closed. */
  readonly closed?: () => void;
}

/** A journal in one SQLite file. */
export function sqliteJournal(db: Sqlite, file: string, surroundings: JournalSurroundings = {}): Journal {
  return new DrivenJournal(new SqliteDriver(db, file, surroundings));
}

/**
 * One SQLite file. A connection that iterates over a query refuses writes, and a second connection that iterates for long
 * would keep the write-ahead log from being emptied: hence pages.
 */
class SqliteDriver implements Driver {
  readonly location: string;
  readonly #db: Sqlite;
  readonly #queue: CommitQueue;
  readonly #statements: SqliteStatements;
  readonly #leases: LeaseStatements;
  readonly #log: WalSync | undefined;
  readonly #place: JournalFile | undefined;
  readonly #closed: () => void;
  readonly #marking: Marking;
  readonly #checks: Readonly<Record<WriteCondition, WriteCheck>>;

  constructor(db: Sqlite, file: string, { log, place, mark, overwriting, closed }: JournalSurroundings) {
    this.location = file;
    this.#db = db;
    this.#log = log;
    this.#place = place;
    this.#closed = () => {
      overwriting?.close();
      closed?.();
    };
    this.#statements = statementsOf(db);
    const { stamps, restores, suppliers, tally } = this.#statements;
    this.#leases = leasesOf(db, suppliers);
    this.#marking = marking(stamps, restores, mark);
    const leased = (): void => this.#leases.check();
    const isInPlace = (): void => place?.check();
    this.#checks = {
      none: {},
      fenced: { before: leased },
      placed: { before: isInPlace, durable: isInPlace },
      told: { durable: isInPlace },
      fencedAndTold: { before: leased, durable: isInPlace },
      fencedAndPlaced: {
        before: () => {
          isInPlace();
          leased();
        },
        durable: isInPlace,
      },
    };
    const around = {
      before: () => {
        // So that a request that will not leave is not recorded as sent; the check after the commit is the one that
        // counts.
        this.#place?.glance();
        stamps.begin();
        this.#leases.look();
      },
      after: () => {
        tally.write();
        this.#marking.committed(stamps.count());
      },
      durable: () => {
        this.#place?.look();
        if (this.#place?.isLost !== true && overwriting?.look() === true) {
          this.#marking.accuse();
          throw overwritten(file);
        }
        // The mark at the journal's place now belongs to another journal, or goes back with this one.
        if (this.#place?.isLost !== true) this.#marking.durable();
      },
    };
    this.#queue = new CommitQueue(db, file, around, log);
  }

  read<T>(ask: (reads: Reads) => StatementAnswer<T>): Promise<T> {
    return this.#queue.read(() => now(ask(this.#statements.reads)));
  }

  async readNow<T>(ask: (reads: Reads) => StatementAnswer<T>): Promise<T> {
    return Promise.resolve(this.#queue.readNow(() => now(ask(this.#statements.reads))));
  }

  write<T>(condition: WriteCondition, work: (writes: Writes) => StatementAnswer<T>): Promise<T> {
    return this.#made(condition, () => now(work(this.#statements.writes)));
  }

  writeAccounts<T>(
    condition: WriteCondition,
    _needs: Needs,
    work: (accounts: AccountWrites) => () => T,
  ): Promise<T> {
    return this.#made(condition, () => work(this.#statements.accountWrites)());
  }

  #made<T>(condition: WriteCondition, work: () => T): Promise<T> {
    return this.#queue.write(work, this.#checks[condition]);
  }

  findAtOnce(platform: string, key: AccountKey): StoredEntry | undefined {
    if (!this.#queue.idle) return undefined;
    return this.#queue.readNow(() => this.#statements.reads.accounts.find(platform, key));
  }

  holders(platform: string, krakenAccountNumber: string): Promise<readonly StoredEntry[]> {
    return this.#queue.readTogether(() =>
      this.#statements.reads.accounts.holders(platform, krakenAccountNumber),
    );
  }

  enter(...of: Parameters<Journal['enter']>): ReturnType<Journal['enter']> {
    return this.#made('fenced', () => this.#statements.accountWrites.enter(...of));
  }

  async takeMark(at: number): Promise<MarkFinding> {
    // With its last records it may have lost that its last run was killed: then nothing else has it checked.
    if ((await this.compareMark()) === 'went-back')
      this.#queue.readNow(() => refuseDamaged(this.#db, this.location, journalSpec));
    const finding = await this.#made('placed', () => this.#marking.take(at));
    this.#marking.put();
    return finding;
  }

  compareMark(): Promise<MarkFinding> {
    return this.#queue.read(() => this.#marking.compare());
  }

  async whereabouts(at: number): Promise<Whereabouts> {
    await this.#queue.read(() => undefined);
    const movedTo = this.#place?.movedTo();
    if (movedTo !== undefined && emptyLog(this.#db)) return { movedTo };
    const savedAs = saveAside(this.#db, this.location, at);
    if (savedAs === undefined) return {};
    // A leftover log would be taken for the saved file's, once that is in the journal's place.
    emptyLog(this.#db);
    return { savedAs };
  }

  takeLease(
    lease: { readonly platform: string; readonly supplier: string; readonly owner: LeaseOwner },
    at: number,
    expiresAt: number,
    isDead: (owner: LeaseOwner) => boolean,
  ): Promise<LeaseTaken | LeaseHeld> {
    return this.#made('placed', () => this.#leases.take(lease, at, expiresAt, isDead));
  }

  renewLease(
    platform: string,
    supplier: string,
    epoch: number,
    _now: number,
    expiresAt: number,
  ): Promise<boolean> {
    return this.#made('told', () => this.#leases.renew(platform, supplier, epoch, expiresAt));
  }

  releaseLease(platform: string, supplier: string, epoch: number): Promise<void> {
    return this.#made('told', () => this.#leases.release(platform, supplier, epoch));
  }

  async close(): Promise<void> {
    try {
      await this.#queue.read(() => undefined);
    } finally {
      this.#log?.close();
      this.#db.close();
      this.#closed();
      this.#marking.close();
    }
  }
}
