import { zeroCounts, type AccountCounts } from '../../domain/account-state.ts';
import type { RunEvent } from './run-events.ts';

/** Counts what a run did: the accounts that it drove, by the state that they ended in. */
export class DrivenAccounts {
  readonly #counts = zeroCounts();

  get counts(): AccountCounts {
    return this.#counts;
  }

  /** Counts each event, and passes it on. */
  heardBefore(emit: (event: RunEvent) => void): (event: RunEvent) => void {
    return (event) => {
      this.#hear(event);
      emit(event);
    };
  }

  #hear(event: RunEvent): void {
    if (event.type === 'account' && event.driven) this.#counts[event.state] += 1;
    if (event.type !== 'restated' || this.#counts[event.from] === 0) return;
    this.#counts[event.from] -= 1;
    this.#counts[event.state] += 1;
  }
}
