import type { Clock } from '../../domain/clock.ts';
import { Connection, type Access, type Use } from './connection.ts';
import { isContention, isPassing, refusalOf, waitedInVain } from './refusal.ts';

export interface Patience {
  /** How long a lost connection is tried again, in ms. */
  readonly ms: number;
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>;
  /** Called when the connection is lost, with the reason for people, and again when it is back. */
  readonly tell?: (lost: string | undefined) => void;
  /** Ends a wait: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Shared by the links to one journal: patience counts from when the first of them failed. */
  readonly outage?: Outage;
}

/** Since when links to a journal have failed, without a success since; in ms on the monotonic clock. */
export class Outage {
  readonly #since = new Map<object, number>();

  /** Since when any link fails. */
  begun(link: object, at: number): number {
    this.#since.set(link, Math.min(at, this.#since.get(link) ?? at));
    return Math.min(...this.#since.values());
  }

  ended(link: object): void {
    this.#since.delete(link);
  }
}

const firstPauseMs = 100;
const longestPauseMs = 5_000;

/** One connection, which is reopened when it is lost. Uses follow one another. */
export class Link {
  readonly #access: Access;
  readonly #use: Use;
  readonly #patience: Patience;
  readonly #outage: Outage;
  #connection: Connection | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(access: Access, use: Use, patience: Patience, connection?: Connection) {
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
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const next = this.#last.then(() => this.#useNow(work));
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #useNow<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const { clock, ms, tell, signal } = this.#patience;
    let isTold = false;
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
      const begunAt = clock.monotonic();
      try {
        const connection = await this.#connected();
        const value = await work(connection);
        this.#outage.ended(this);
        if (isTold) tell?.(undefined);
        return value;
      } catch (error) {
        if (!isPassing(error) || this.#isClosed) throw this.refusalOf(error);
        // Two transactions waited for one another: nothing is lost.
        if (isContention(error)) continue;
        this.#connection?.drop();
        const refusal = this.refusalOf(error);
        // A silent network is noticed long after it fell silent.
        const waited = clock.monotonic() - this.#outage.begun(this, begunAt);
        if (waited + pause > ms) throw waitedInVain(refusal, ms === 0 ? 0 : waited);
        if (!isTold) tell?.(refusal instanceof Error ? refusal.message : '');
        isTold = true;
        await clock.sleep(pause, signal);
      }
    }
  }

  async #connected(): Promise<Connection> {
    const before = this.#connection;
    if (before !== undefined && !before.isLost) return before;
    const connection = await Connection.open(this.#access, this.#use);
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
