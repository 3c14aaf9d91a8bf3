/** A write, or several that are committed together. */
export interface GatheredWrite {
  /** Resolves or rejects its promise, once its commit is durable. */
  answer(): void;
  /** Rejects its promise: its commit failed, or an earlier one. */
  refuse(failure: Error): void;
}

/** For how many turns of the event loop writes are collected: fewer commits for the same writes. */
const mostTurns = 4;

/**
 * Collects writes for as long as each turn of the event loop brings more, and commits them together: the records of a few
 * turns share one transaction and one sync of the disk. Writes that arrive in the meantime wait for the next commit.
 * (setImmediate is not a timer: it marks the end of the current turn, so tests need no clock.)
 *
 * After a commit has failed, every later write is refused with the same error: after a gap in the record, no later
 * write could be trusted.
 */
export class WriteGatherer<Write extends GatheredWrite> {
  readonly #commit: (batch: readonly Write[]) => Promise<void> | undefined;
  readonly #refusalOf: (error: unknown) => unknown;
  #gathered: Write[] = [];
  #isCommitting = false;
  #failure: Error | undefined;

  /** `commit` returns undefined if the batch is durable already. `refusalOf`: the error for people. */
  constructor(
    commit: (batch: readonly Write[]) => Promise<void> | undefined,
    refusalOf: (error: unknown) => unknown,
  ) {
    this.#commit = commit;
    this.#refusalOf = refusalOf;
  }

  add(write: Write): void {
    if (this.#failure !== undefined) write.refuse(this.#failure);
    else if (this.#gathered.push(write) === 1 && !this.#isCommitting) this.#commitSoon();
  }

  /** Whether nothing waits to be durable. */
  get isIdle(): boolean {
    return this.#gathered.length === 0 && !this.#isCommitting;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Refuses every later write, with this error unless an earlier one is known. */
  close(failure: Error): void {
    this.#failure ??= failure;
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
      const durable = this.#commit(batch);
      if (durable !== undefined) await durable;
    } catch (error) {
      const refusal = this.#refusalOf(error);
      this.#failure =
        refusal instanceof Error ? refusal : new Error('The journal failed.', { cause: refusal });
      for (const write of [...batch, ...this.#gathered]) write.refuse(this.#failure);
      this.#gathered = [];
      return;
    } finally {
      this.#isCommitting = false;
    }
    for (const write of batch) write.answer();
    if (this.#gathered.length > 0) this.#commitSoon();
  }
}
