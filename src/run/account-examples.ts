import type { AccountState } from '../domain/account-state.ts';
import type { ChangeCause } from '../domain/change-cause.ts';
import { definedFields } from '../domain/defined-fields.ts';
import { alreadyHeldCodes, changedAfterImport, unknownCode } from '../domain/shared-codes.ts';
import type { RunEvent } from '../pipeline/run/run-events.ts';
import type { RunEnding } from '../report/ending.ts';

/** A platform that answers with new codes every time must not fill the memory. */
const mostFailures = 1_000;

/** Keeps one account of each state of a run, as examples for the advice at its end. */
export class AccountExamples {
  readonly #first = new Map<AccountState, string>();
  #changed = 0;
  #held = 0;
  #unknownCodes = 0;
  readonly #causes = new Map<string, { readonly cause: ChangeCause; readonly accounts: number }>();

  #isRefusedThere = false;
  readonly #failures = new Map<string, NonNullable<RunEnding['failures']>[number]>();

  hear(event: RunEvent): void {
    if (event.type === 'request' && event.outcome === 'refused') this.#isRefusedThere = true;
    if (event.type !== 'account') return;
    const { account, state, code, changedBy } = event;
    // It was rejected by an earlier run, perhaps by the platform.
    if (state === 'rejected' && !event.driven) this.#isRefusedThere = true;
    if (state === 'rejected' || state === 'failed') this.#fail(state, code);
    if (state === 'rejected' && alreadyHeldCodes.includes(code)) this.#held += 1;
    if (state === 'rejected' && code === unknownCode) this.#unknownCodes += 1;
    if (state === 'rejected' && code === changedAfterImport) {
      this.#changed += 1;
      if (changedBy !== undefined) {
        const key = JSON.stringify(changedBy);
        this.#causes.set(key, { cause: changedBy, accounts: (this.#causes.get(key)?.accounts ?? 0) + 1 });
      }
    } else if (!this.#first.has(state)) this.#first.set(state, account);
  }

  #fail(state: AccountState, code: string): void {
    const name = `${state} ${code}`;
    const accounts = this.#failures.get(name)?.accounts ?? 0;
    if (accounts === 0 && this.#failures.size === mostFailures) return;
    this.#failures.set(name, { state, code, accounts: accounts + 1 });
  }

  found(): Pick<
    RunEnding,
    | 'examples'
    | 'changedAfterImport'
    | 'changedBy'
    | 'alreadyHeld'
    | 'unknownCodes'
    | 'isRefusedThere'
    | 'failures'
  > {
    const changedBy = [...this.#causes.values()];
    return definedFields({
      examples: Object.fromEntries(this.#first),
      changedAfterImport: this.#changed,
      alreadyHeld: this.#held,
      unknownCodes: this.#unknownCodes,
      isRefusedThere: this.#isRefusedThere,
      failures: [...this.#failures.values()],
      changedBy: changedBy.length === 0 ? undefined : changedBy,
    });
  }
}
