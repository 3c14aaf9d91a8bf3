import type { Answer, PlatformClient } from '../../client/platform-client.ts';
import type { Journal, LeaseHeld, LeaseOwner } from '../../journal/journal.ts';
import type { Clock } from '../../domain/clock.ts';
import { pause } from '../request/retry.ts';

export interface LeaseSettings {
  readonly owner: LeaseOwner;
  /** Whether that owner is certainly gone (a process of this host that no longer runs). */
  readonly isDead: (owner: LeaseOwner) => boolean;
  /** How long requests may be sent after a heartbeat, in ms. */
  readonly leaseMs: number;
  /** The longest time from sending a request to its effect, in ms: a lease is not taken over for this much longer. */
  readonly requestMs: number;
}

/** The lease of a run that shares a book: it replaces those of all its suppliers. */
export interface SharedLease {
  readonly group: number;
  readonly isFresh: boolean;
  /** Renews it; false if it was taken over. */
  turn(): Promise<boolean>;
}

/** A moment by both clocks, in ms. */
export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

/**
 * Whether a lease that was renewed at this moment may be relied on without another look. One clock stops while the machine is
 * suspended, and the other may be set: it must be fresh by both, and a time before its renewal says nothing of what happened since.
 */
export function isFreshSince(
  { wall, monotonic }: Moment,
  clock: Pick<Clock, 'now' | 'monotonic'>,
  leaseMs: number,
): boolean {
  const passed = clock.now() - wall;
  return passed >= 0 && passed < leaseMs && clock.monotonic() - monotonic < leaseMs;
}

/** The leases of one run: one for each supplier in its export, kept alive until the run ends. */
export class Leases {
  readonly #journal: Journal;
  readonly #platform: string;
  readonly #settings: LeaseSettings;
  readonly #clock: Clock;
  readonly #lost: (supplier: string) => void;
  readonly #epochs = new Map<string, number>();
  /** The suppliers that are this run's. */
  readonly #own = new Set<string>();
  readonly #taking = new Map<string, Promise<LeaseHeld | undefined>>();
  readonly #ended = new AbortController();
  /**
   * When the leases were last taken or renewed: requests may be sent for `leaseMs` without another look at the
   * journal.
   */
  #fresh: Moment | undefined;
  #renewing: Promise<boolean> | undefined;
  #shared: SharedLease | undefined;

  /** `lost` is called when another run has taken a supplier over. */
  constructor(
    journal: Journal,
    platform: string,
    settings: LeaseSettings,
    clock: Clock,
    lost: (supplier: string) => void,
  ) {
    this.#journal = journal;
    this.#platform = platform;
    this.#settings = settings;
    this.#clock = clock;
    this.#lost = lost;
  }

  /** From now on this lease replaces those of all suppliers. */
  shareBy(shared: SharedLease): void {
    this.#shared = shared;
  }

  /** Takes the supplier's lease, once for the run; returns the holder if somebody else has it. */
  take(supplier: string): Promise<LeaseHeld | undefined> {
    let taking = this.#taking.get(supplier);
    if (taking === undefined) {
      taking = this.#take(supplier);
      this.#taking.set(supplier, taking);
    }
    return taking;
  }

  async #take(supplier: string): Promise<LeaseHeld | undefined> {
    const fresh = this.#moment();
    const now = fresh.wall;
    const { owner, isDead } = this.#settings;
    const lease = { platform: this.#platform, supplier, owner, group: this.#shared?.group };
    const taken = await this.#journal.takeLease(lease, now, this.#endOf(now), isDead);
    if (taken.held) return taken;
    this.#own.add(supplier);
    if (this.#shared !== undefined) return undefined;
    this.#epochs.set(supplier, taken.epoch);
    // The oldest expires first.
    this.#fresh ??= fresh;
    return undefined;
  }

  /** Whether `take` has taken the supplier's lease. */
  has(supplier: string): boolean {
    return this.#own.has(supplier);
  }

  /** Renews the leases until `release`. */
  async keepAlive(): Promise<void> {
    while (await pause(this.#clock, this.#settings.leaseMs / 3, this.#ended.signal)) await this.#renew();
  }

  /**
   * The client, limited to the time of the leases. After a long pause (a suspended machine, a stopped process)
   * nothing leaves before the journal has confirmed that the supplier is still ours.
   */
  guard(client: PlatformClient): PlatformClient {
    const whenFresh = async <T>(send: () => Promise<Answer<T>>): Promise<Answer<T>> => {
      while (!this.#isFresh()) if (!(await this.#renew())) return { kind: 'not-sent', cause: 'lease_lost' };
      return send();
    };
    return {
      ...client,
      post: (endpoint, body, options) =>
        this.#isFresh()
          ? client.post(endpoint, body, options)
          : whenFresh(() => client.post(endpoint, body, options)),
      added: {
        post: (...asked) => whenFresh(() => client.added.post(...asked)),
        check: (...asked) => whenFresh(() => client.added.check(...asked)),
        ask: (...asked) => whenFresh(() => client.added.ask(...asked)),
      },
      meterPoints: {
        ...client.meterPoints,
        register: (key, options) => whenFresh(() => client.meterPoints.register(key, options)),
      },
      transferStatus: (key, options) => whenFresh(() => client.transferStatus(key, options)),
      taskStatus: (key, options) => whenFresh(() => client.taskStatus(key, options)),
    };
  }

  /** Extends every lease, even an expired one that nobody took; false if one was taken over. */
  #renew(): Promise<boolean> {
    if (this.#shared !== undefined) return this.#shared.turn();
    this.#renewing ??= this.#renewAll().finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #renewAll(): Promise<boolean> {
    const fresh = this.#moment();
    const now = fresh.wall;
    for (const [supplier, epoch] of this.#epochs) {
      if (await this.#journal.renewLease(this.#platform, supplier, epoch, now, this.#endOf(now))) continue;
      this.#lost(supplier);
      return false;
    }
    this.#fresh = fresh;
    return true;
  }

  #isFresh(): boolean {
    if (this.#shared !== undefined) return this.#shared.isFresh;
    return this.#fresh === undefined || isFreshSince(this.#fresh, this.#clock, this.#settings.leaseMs);
  }

  #moment(): Moment {
    return { wall: this.#clock.now(), monotonic: this.#clock.monotonic() };
  }

  #endOf(now: number): number {
    return now + this.#settings.leaseMs + this.#settings.requestMs;
  }

  async release(): Promise<void> {
    this.#ended.abort();
    // A renewal under way would find the lease released, and take it for lost.
    await this.#renewing;
    const released = await Promise.allSettled(
      [...this.#epochs].map(([supplier, epoch]) =>
        this.#journal.releaseLease(this.#platform, supplier, epoch),
      ),
    );
    this.#epochs.clear();
    for (const one of released) if (one.status === 'rejected') throw one.reason;
  }
}
