import type { LeaseHeld } from '../../journal/journal.ts';
import type { Leases } from './leases.ts';
import type { StopReason } from './run-events.ts';

/** The import suppliers of a run's accounts: those that it holds, and those that it skips, and why. */
export class HeldSuppliers {
  /** Who holds a supplier that this run asked for. */
  heldBy: LeaseHeld | undefined;
  readonly #leases: Pick<Leases, 'has' | 'take'>;
  readonly #closed = new Map<string, { readonly reason: StopReason; readonly detail: string }>();

  constructor(leases: Pick<Leases, 'has' | 'take'>) {
    this.#leases = leases;
  }

  /** Why the run stops in the end: the suppliers that it skips. */
  get skipped(): Iterable<{ readonly reason: StopReason; readonly detail: string }> {
    return this.#closed.values();
  }

  /** No other account of this supplier is created. */
  notOngoing(supplier: string, detail: string): void {
    this.#closed.set(supplier, { reason: 'supplier-not-ongoing', detail });
  }

  /** Whether accounts of a supplier may be driven already. */
  has(supplier: string): boolean {
    return this.#leases.has(supplier) && !this.#closed.has(supplier);
  }

  /** Takes a supplier, if no other run has it; false if its accounts are skipped. */
  async take(supplier: string): Promise<boolean> {
    if (this.#closed.has(supplier)) return false;
    const held = await this.#leases.take(supplier);
    if (held === undefined) return true;
    this.heldBy = held;
    this.#closed.set(supplier, { reason: 'held', detail: supplier });
    return false;
  }
}
