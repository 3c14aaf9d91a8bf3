import type { AccountState } from '../domain/account-state.ts';
import { changedAfterImport } from '../domain/shared-codes.ts';
import type { RunEvent } from '../pipeline/run-events.ts';
import type { RunEnding } from '../report/ending.ts';

/** Keeps one account of each state of a run, as examples for the advice at its end. */
export class AccountExamples {
  readonly #first = new Map<AccountState, string>();
  #changed = 0;

  hear(event: RunEvent): void {
    if (event.type !== 'account') return;
    const { account, state, code } = event;
    if (state === 'rejected' && code === changedAfterImport) this.#changed += 1;
    else if (!this.#first.has(state)) this.#first.set(state, account);
  }

  found(): Pick<RunEnding, 'examples' | 'changedAfterImport'> {
    return { examples: Object.fromEntries(this.#first), changedAfterImport: this.#changed };
  }
}
