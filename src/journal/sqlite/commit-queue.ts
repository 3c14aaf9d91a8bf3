import { type Sqlite } from '../../sqlite/open-database.ts';
import { refusalOf } from '../../sqlite/refusal.ts';
import { LeaseLost } from '../journal.ts';
import type { LogSync } from './log-sync.ts';
import { journalSpec } from './schema.ts';

/** A call that no correct caller makes. Thrown before anything is changed, so that it spoils no other write. */
export class Misuse extends Error {}

/** What runs within each transaction, before its writes and after them. */
export interface AroundCommit {
  before(): void;
  after(): void;
}

interface Gathered {
  run(): void;
  answer(): void;
  refuse(failure: Error): void;
}

/** For how many turns of the event loop writes are gathered: of 636 commits of 5,000 busy accounts 360 are left so. */
const mostTurns = 4;

/**
 * Gathers writes for as long as each turn of the event loop brings more, and commits them in one transaction: whatever
 * the answers of a few turns have to record shares one commit and one sync of the disk. What comes while the disk syncs
 * waits for the next commit. (setImmediate is no timer: it names the end of the present turn, so there is no clock in it
 * for a test to own.)
 *
 * Once a commit has failed every later write is refused with the same error: after a gap in the record, nothing that
 * is written could be trusted.
 */
export class CommitQueue {
  readonly #file: string;
  readonly #commit: (batch: readonly Gathered[]) => void;
  readonly #log: LogSync | undefined;
  #gathered: Gathered[] = [];
  #isSyncing = false;
  #failure: Error | undefined;

  /** `log`: syncs the disk after each commit; absent where a commit itself is all that is wanted. */
  constructor(db: Sqlite, file: string, around: AroundCommit, log?: LogSync) {
    this.#file = file;
    this.#log = log;
    const commit = db.transaction((batch: readonly Gathered[]) => {
      around.before();
      for (const write of batch) write.run();
      around.after();
    });
    // Immediate: the lock is taken before the first read, so that no other process can write in between.
    this.#commit = (batch) => commit.immediate(batch);
  }

  /** Resolves with what `work` gave, once that is durable. */
  write<T>(work: () => T): Promise<T> {
    const write = new Write(work);
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

  /** Whether nothing waits to be durable. */
  get idle(): boolean {
    return this.#gathered.length === 0 && !this.#isSyncing;
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
    const refusal = refusalOf(error, this.#file, journalSpec);
    return refusal instanceof Error ? refusal : new Error('The journal failed.', { cause: refusal });
  }
}

class Write<T> implements Gathered {
  readonly promise: Promise<T>;
  readonly #work: () => T;
  #resolve!: (value: T) => void;
  #reject!: (error: Error) => void;
  #value: T | undefined;
  /** Why this write alone is refused: it has changed nothing. */
  #refusal: Misuse | LeaseLost | undefined;

  constructor(work: () => T) {
    this.#work = work;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  run(): void {
    try {
      this.#value = this.#work();
    } catch (error) {
      if (!(error instanceof Misuse || error instanceof LeaseLost)) throw error;
      this.#refusal = error;
    }
  }

  answer(): void {
    if (this.#refusal === undefined) this.#resolve(this.#value as T);
    else this.#reject(this.#refusal);
  }

  /** Who waits for a later write alone learns it there; this rejection must not end the process as unhandled. */
  refuse(failure: Error): void {
    this.promise.catch(() => undefined);
    this.#reject(failure);
  }
}
