import { type Sqlite } from '../../sqlite/open-database.ts';
import { JournalGone, LeaseLost } from '../journal.ts';
import { Misuse } from '../core/misuse.ts';
import { WriteGatherer, type GatheredWrite } from '../core/write-gatherer.ts';
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
export interface WriteCheck {
  /** Within the transaction, before the write's own work. */
  before?(): void;
  /** When it is durable. */
  durable?(): void;
}

interface Gathered extends GatheredWrite {
  run(): void;
}

/** Commits the writes that were gathered, each batch in one transaction. */
export class CommitQueue {
  readonly #file: string;
  readonly #writes: WriteGatherer<Gathered>;
  readonly #readAll: (reads: readonly Gathered[]) => void;
  #reads: Gathered[] = [];

  /** `log`: syncs the disk after each commit; absent if the commit itself is enough. */
  constructor(db: Sqlite, file: string, around: AroundCommit, log?: WalSync) {
    this.#file = file;
    const commit = db.transaction((batch: readonly Gathered[]) => {
      around.before();
      for (const write of batch) write.run();
      around.after();
    });
    // Immediate: the lock is taken before the first read, so that no other process can write in between.
    const commitNow = (batch: readonly Gathered[]): Promise<void> | undefined => {
      commit.immediate(batch);
      if (log !== undefined) return log.sync().then(() => around.durable());
      around.durable();
      return undefined;
    };
    this.#writes = new WriteGatherer(commitNow, (error) => journalRefusal(error, file));
    this.#readAll = db.transaction((reads: readonly Gathered[]) => {
      for (const read of reads) read.run();
    });
  }

  /** Resolves with what `work` gave, once that is durable. */
  write<T>(work: () => T, condition: WriteCheck = {}): Promise<T> {
    const write = new Write(work, condition);
    this.#writes.add(write);
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
    return this.#writes.isIdle;
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

  #refusal(error: unknown): Error {
    const refusal = journalRefusal(error, this.#file);
    return refusal instanceof Error ? refusal : new Error('The journal failed.', { cause: refusal });
  }
}

class Write<T> implements Gathered {
  readonly promise: Promise<T>;
  readonly #work: () => T;
  readonly #condition: WriteCheck;
  #resolve!: (value: T) => void;
  #reject!: (error: Error) => void;
  #value: T | undefined;
  /** Why this write alone is refused. */
  #refusal: Misuse | LeaseLost | JournalGone | undefined;

  constructor(work: () => T, condition: WriteCheck) {
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
