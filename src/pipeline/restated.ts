import type { AccountCounts, AccountState } from '../domain/account-state.ts';
import type { AccountKey } from '../domain/account-key.ts';
import { isTaken, type AccountFilter } from './account-filter.ts';
import type { AccountRestated } from './run-events.ts';

/** Accounts about which something was found out after they ended: a run that counted them counts them again. */
export class Restated {
  readonly #filter: AccountFilter;
  readonly #changes = new Map<string, { key: AccountKey; from: AccountState; state: AccountState }>();

  constructor(filter: AccountFilter) {
    this.#filter = filter;
  }

  note({ supplier, account, from, state }: AccountRestated): void {
    const key = { supplier, account };
    const first = this.#changes.get(nameOf(key))?.from ?? from;
    this.#changes.set(nameOf(key), { key, from: first, state });
  }

  /** It is counted from now on as it is by then. */
  comesUp(key: AccountKey): void {
    if (this.#changes.size > 0) this.#changes.delete(nameOf(key));
  }

  correct(counts: AccountCounts, suppliers: ReadonlySet<string>): void {
    for (const { key, from, state } of this.#changes.values()) {
      if (!suppliers.has(key.supplier) || !isTaken(key, this.#filter) || counts[from] === 0) continue;
      counts[from] -= 1;
      counts[state] += 1;
    }
  }
}

const nameOf = ({ supplier, account }: AccountKey): string => JSON.stringify([supplier, account]);
