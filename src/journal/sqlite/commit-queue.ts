import { type Sqlite } from '../../sqlite/open-database.ts';
import { JournalGone, LeaseLost } from '../journal.ts';
import { Misuse } from '../core/misuse.ts';
import { journalRefusal } from './locked.ts';
import type { WalSync } from './wal-sync.ts';

export interface AroundCommit {
  /** Within each transaction, before its writes. */
  before(): void;
  /** Within the transaction, after its writes. */
  after(): void;
  /** When it is durable, before its writes resolve. */
  durable(): void;
}

/** What must hold of a write, else it is refused alone: each throws where it does not. */
export interface Condition {
  /** Within the transaction, before the write's own work. */
  before?(): void;
  /** When it is durable. */
  durable?(): void;
}

interface Gathered {
  run(): void;
  answer(): void;
  refuse(failure: Error): void;
}

/** For how many turns of the event loop writes are collected: fewer commits for the same writes. */
const mostTurns = 4;

/**
 * Collects writes for as long as each turn of the event loop brings more, and commits them in one transaction: the
 * records of a few turns share one commit and one sync of the disk. Writes that arrive during the sync wait for the
 * next commit. (setImmediate is not a timer: it marks the end of the current turn, so tests need no clock.)
 *
 * After a commit has failed, every later write is rejected with the same error: after a gap in the record, no later
 * write could be trusted.
 */
export class CommitQueue {
  readonly #file: string;
  readonly #commit: (batch: readonly Gathered[]) => void;
  readonly #log: WalSync | undefined;
  readonly #durable: () => void;
  readonly #readAll: (reads: readonly Gathered[]) => void;
  #gathered: Gathered[] = [];
  #reads: Gathered[] = [];
  #isSyncing = false;
  #failure: Error | undefined;

  /** `log`: syncs the disk after each commit; absent if the commit itself is enough. */
  constructor(db: Sqlite, file: string, around: AroundCommit, log?: WalSync) {
    this.#file = file;
    this.#log = log;
    this.#durable = () => around.durable();
    const commit = db.transaction((batch: readonly Gathered[]) => {
      around.before();
      for (const write of batch) write.run();
      around.after();
    });
    // Immediate: the lock is taken before the first read, so that no other process can write in between.
    this.#commit = (batch) => commit.immediate(batch);
    this.#readAll = db.transaction((reads: readonly Gathered[]) => {
      for (const read of reads) read.run();
    });
  }

  /** Resolves with what `work` gave, once that is durable. */
  write<T>(work: () => T, condition: Condition = {}): Promise<T> {
    const write = new Write(work, condition);
    if (this.#failure !== undefined) write.refuse(this.#failure);
    else if (this.#gathered.push(write) === 1 && !this.#isSyncing) this.#commitSoon();
    return write.promise;
  }

  /** Reads after everything that was gathered before has been committed. */
  async read<T>(work: () => T): Promise<T> {
    if (!this.idle) await this.write(() => undefined);
    return this.readNow(work);
  }

  /** Reads at once. */
  readNow<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  /**
   * Reads at the end of this turn of the event loop, in one transaction with all that ask so: each transaction takes
   * and gives back locks of the file, which costs more than a short read.
   */
  readTogether<T>(work: () => T): Promise<T> {
    const read = new Write(work, {});
    if (this.#reads.push(read) === 1) setImmediate(() => this.#readGathered());
    return read.promise;
  }

  /** Whether nothing waits to be durable. */
  get idle(): boolean {
    return this.#gathered.length === 0 && !this.#isSyncing;
  }

  #readGathered(): void {
    const reads = this.#reads;
    this.#reads = [];
    try {
      this.#readAll(reads);
    } catch (error) {
      const refusal = this.#refusal(error);
      for (const read of reads) read.refuse(refusal);
      return;
    }
    for (const read of reads) read.answer();
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
    try {
      this.#commit(batch);
      if (this.#log !== undefined) {
        this.#isSyncing = true;
        await this.#log.sync();
      }
      this.#durable();
    } catch (error) {
      this.#failure = this.#refusal(error);
      for (const write of [...batch, ...this.#gathered]) write.refuse(this.#failure);
      this.#gathered = [];
      return;
    } finally {
      this.#isSyncing = false;
    }
    for (const write of batch) write.answer();
    if (this.#gathered.length > 0) this.#commitSoon();
  }

  #refusal(error: unknown): Error {
    const refusal = journalRefusal(error, this.#file);
    return refusal instanceof Error ? refusal : new Error('The journal failed.', { cause: refusal });
  }
}

class Write<T> implements Gathered {
  readonly promise: Promise<T>;
  readonly #work: () => T;
  readonly #condition: Condition;
  #resolve!: (value: T) => void;
  #reject!: (error: Error) => void;
  #value: T | undefined;
  /** Why this write alone is refused. */
  #refusal: Misuse | LeaseLost | JournalGone | undefined;

  constructor(work: () => T, condition: Condition) {
    this.#work = work;
    this.#condition = condition;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  run(): void {
    try {
      this.#condition.before?.();
      this.#value = this.#work();
    } catch (error) {
      this.#refuseAlone(error);
    }
  }

  answer(): void {
    try {
      if (this.#refusal === undefined) this.#condition.durable?.();
    } catch (error) {
      this.#refuseAlone(error);
    }
    if (this.#refusal === undefined) this.#resolve(this.#value as T);
    else this.#reject(this.#refusal);
  }

  /** After a failure that concerns this write and no other; throws any other. */
  #refuseAlone(error: unknown): void {
    const isItsOwn = error instanceof Misuse || error instanceof LeaseLost || error instanceof JournalGone;
    if (!isItsOwn) throw error;
    this.#refusal = error;
  }

  /** Who waits for a later write alone learns it there; this rejection must not end the process as unhandled. */
  refuse(failure: Error): void {
    this.promise.catch(() => undefined);
    this.#reject(failure);
  }
}
