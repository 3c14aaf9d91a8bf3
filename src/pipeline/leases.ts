import type { Journal, LeaseHeld, LeaseOwner } from '../journal/journal.ts';
import type { Clock } from '../domain/clock.ts';
import { pause } from './retry.ts';

export interface LeaseSettings {
  readonly owner: LeaseOwner;
  /** Whether that owner is surely gone (a process of this host that does not run any more). */
  readonly isDead: (owner: LeaseOwner) => boolean;
  /** How long a lease lasts without a heartbeat, in ms. */
  readonly leaseMs: number;
}

/** The leases of one run: one for each supplier that it meets, kept alive until the run ends. */
export class Leases {
  readonly #journal: Journal;
  readonly #platform: string;
  readonly #settings: LeaseSettings;
  readonly #clock: Clock;
  readonly #epochs = new Map<string, number>();
  readonly #taking = new Map<string, Promise<LeaseHeld | undefined>>();
  readonly #ended = new AbortController();

  constructor(journal: Journal, platform: string, settings: LeaseSettings, clock: Clock) {
    this.#journal = journal;
    this.#platform = platform;
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Takes the supplier's lease, once for the run; gives who holds it when somebody else does. */
  take(supplier: string): Promise<LeaseHeld | undefined> {
    let taking = this.#taking.get(supplier);
    if (taking === undefined) {
      taking = this.#take(supplier);
      this.#taking.set(supplier, taking);
    }
    return taking;
  }

  async #take(supplier: string): Promise<LeaseHeld | undefined> {
    const now = this.#clock.now();
    const { owner, leaseMs, isDead } = this.#settings;
    const lease = { platform: this.#platform, supplier, owner };
    const taken = await this.#journal.takeLease(lease, now, now + leaseMs, isDead);
    if (taken.held) return taken;
    this.#epochs.set(supplier, taken.epoch);
    return undefined;
  }

  /** Renews the leases until `release`; calls `lost` when another run has taken one over. */
  async keepAlive(lost: (supplier: string) => void): Promise<void> {
    const { leaseMs } = this.#settings;
    while (await pause(this.#clock, leaseMs / 3, this.#ended.signal)) {
      for (const [supplier, epoch] of this.#epochs)
        if (!(await this.#journal.renewLease(this.#platform, supplier, epoch, this.#clock.now() + leaseMs)))
          lost(supplier);
    }
  }

  async release(): Promise<void> {
    this.#ended.abort();
    for (const [supplier, epoch] of this.#epochs)
      await this.#journal.releaseLease(this.#platform, supplier, epoch);
    this.#epochs.clear();
  }
}
