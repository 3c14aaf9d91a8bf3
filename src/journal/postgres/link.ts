import { DatabaseRefused } from '../../domain/database-refused.ts';
import type { Clock } from '../../domain/clock.ts';
import { JournalConnection, type Access, type Use } from './connection.ts';
import { isContention, isPassing, refusalOf, waitedInVain } from './refusal.ts';

export interface LinkPatience {
  /** How long a lost connection is tried again, in ms. */
  readonly ms: number;
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>;
  /** Called when the connection is lost, with the reason for people, and again when it is back. */
  readonly tell?: (lost: string | undefined) => void;
  /** Ends a wait: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The command is to end: what the server does not answer within `graceMs` is given up. */
  readonly stop?: AbortSignal | undefined;
  /** Shared by the links to one journal: patience counts from when the first of them failed. */
  readonly outage?: Outage;
}

/** Since when links to a journal have failed, without a success since; in ms on the monotonic clock. */
export class Outage {
  readonly #since = new Map<object, number>();
  #isGivenUp = false;

  /** Whether the command ends, and the server was given up. */
  hasGivenUp(): boolean {
    return this.#isGivenUp;
  }

  giveUp(): void {
    this.#isGivenUp = true;
  }

  /** Since when any link fails. */
  begun(link: object, at: number): number {
    this.#since.set(link, Math.min(at, this.#since.get(link) ?? at));
    return Math.min(...this.#since.values());
  }

  ended(link: object): void {
    this.#since.delete(link);
  }
}

/** For so long, a stop waits for a journal that does not answer, in ms. */
const graceMs = 5_000;
const firstPauseMs = 100;
const longestPauseMs = 5_000;

/** One connection, which is reopened when it is lost. Uses follow one another. */
export class Link {
  readonly #access: Access;
  readonly #use: Use;
  readonly #patience: LinkPatience;
  readonly #outage: Outage;
  /** Ends a pause when the server is given up. */
  readonly #wake = new AbortController();
  #connection: JournalConnection | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(access: Access, use: Use, patience: LinkPatience, connection?: JournalConnection) {
    this.#access = access;
    this.#use = use;
    this.#patience = patience;
    this.#outage = patience.outage ?? new Outage();
    this.#connection = connection;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#patience.clock.now();
  }

  refusalOf(error: unknown): unknown {
    return refusalOf(error, this.#access.address);
  }

  /**
   * Uses the connection; where it is lost, makes another and calls `work` again, for as long as patience lasts. Throws
   * DatabaseRefused.
   */
  use<T>(work: (connection: JournalConnection) => Promise<T>): Promise<T> {
    const next = this.#last.then(() => this.#useUntilStopped(work));
    this.#last = next.catch(() => undefined);
    return next;
  }

  /** The same, until a stop has waited for long enough. */
  async #useUntilStopped<T>(work: (connection: JournalConnection) => Promise<T>): Promise<T> {
    const { stop, clock } = this.#patience;
    if (stop === undefined) return this.#useNow(work);
    const used = new AbortController();
    const giveUp = (): void =>
      void clock.sleep(graceMs, used.signal).then(
        () => {
          this.#outage.giveUp();
          this.#wake.abort();
          this.#connection?.drop();
        },
        () => undefined,
      );
    if (stop.aborted) giveUp();
    else stop.addEventListener('abort', giveUp, { once: true });
    try {
      return await this.#useNow(work);
    } finally {
      used.abort();
      stop.removeEventListener('abort', giveUp);
    }
  }

  async #useNow<T>(work: (connection: JournalConnection) => Promise<T>): Promise<T> {
    const { clock, ms, tell, signal } = this.#patience;
    /** Each cause of an outage is told once. */
    const told = new Set<string>();
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
      if (this.#outage.hasGivenUp()) throw this.#interrupted();
      const begunAt = clock.monotonic();
      try {
        const connection = await this.#unlessGivenUp(this.#connected());
        if (this.#outage.hasGivenUp()) throw this.#interrupted();
        const value = await work(connection);
        this.#outage.ended(this);
        if (told.size > 0) tell?.(undefined);
        return value;
      } catch (error) {
        if (this.#outage.hasGivenUp()) throw this.#interrupted(error);
        if (!isPassing(error) || this.#isClosed) throw this.refusalOf(error);
        // Two transactions waited for one another: nothing is lost.
        if (isContention(error)) continue;
        this.#connection?.drop();
        const refusal = this.refusalOf(error);
        // A silent network is noticed long after it fell silent.
        const waited = clock.monotonic() - this.#outage.begun(this, begunAt);
        if (waited + pause > ms) throw waitedInVain(refusal, ms === 0 ? 0 : waited);
        const said = refusal instanceof Error ? refusal.message : '';
        if (!told.has(said)) tell?.(said);
        told.add(said);
        await this.#pause(pause, signal);
      }
    }
  }

  /** A connection that is not made yet cannot be dropped. */
  #unlessGivenUp(connected: Promise<JournalConnection>): Promise<JournalConnection> {
    const { signal } = this.#wake;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        reject(this.#interrupted());
        connected.then(
          (late) => late.drop(),
          () => undefined,
        );
      };
      signal.addEventListener('abort', giveUp);
      connected.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
    });
  }

  async #pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal !== undefined) return this.#patience.clock.sleep(ms, signal);
    await this.#patience.clock.sleep(ms, this.#wake.signal).catch((error: unknown) => {
      if (!this.#wake.signal.aborted) throw error;
    });
  }

  #interrupted(cause?: unknown): DatabaseRefused {
    const { name } = this.#access.address;
    return new DatabaseRefused(
      'interrupted',
      `The run was interrupted, and the journal ${name} did not answer within ${graceMs / 1000} s. ` +
        'What it had recorded is kept, and requests whose answers it did not record are settled by the next run. Run the same command again.',
      { cause },
    );
  }

  async #connected(): Promise<JournalConnection> {
    const before = this.#connection;
    if (before !== undefined && !before.isLost) return before;
    const connection = await JournalConnection.open(this.#access, this.#use);
    if (before !== undefined) {
      before.drop();
      // Its transaction would hold its locks until the server notices that nobody is there.
      await connection
        .query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND application_name = 'migrate'",
          [before.pid],
        )
        .catch(() => undefined);
    }
    this.#connection = connection;
    return connection;
  }

  async close(): Promise<void> {
    await this.#last;
    this.#isClosed = true;
    await this.#connection?.close();
  }
}
