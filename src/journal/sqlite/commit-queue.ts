import { type Sqlite } from '../../sqlite/open-database.ts';
import { refusalOf } from '../../sqlite/refusal.ts';
import { LeaseLost } from '../journal.ts';
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

/**
 * Gathers writes and commits them in one transaction at the next turn of the event loop: whatever the answers of one
 * turn have to record shares one sync of the disk, and nothing waits longer than that turn. (setImmediate is no timer:
 * it names the end of the present turn, so there is no clock in it for a test to own.)
 *
 * Once a commit has failed every later write is refused with the same error: after a gap in the record, nothing that
 * is written could be trusted.
 */
export class CommitQueue {
  readonly #file: string;
  readonly #commit: (batch: readonly Gathered[]) => void;
  #gathered: Gathered[] = [];
  #failure: Error | undefined;

  constructor(db: Sqlite, file: string, around: AroundCommit) {
    this.#file = file;
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
    else if (this.#gathered.push(write) === 1) setImmediate(() => this.#commitGathered());
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

  /** Whether nothing waits to be committed. */
  get idle(): boolean {
    return this.#gathered.length === 0;
  }

  #commitGathered(): void {
    const batch = this.#gathered;
    this.#gathered = [];
    try {
      this.#commit(batch);
    } catch (error) {
      this.#failure = this.#refusal(error);
      for (const write of batch) write.refuse(this.#failure);
      return;
    }
    for (const write of batch) write.answer();
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
