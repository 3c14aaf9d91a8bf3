import type { AccountState } from '../domain/account-state.ts';
import type { StepState } from '../domain/step-state.ts';
import type { StepName } from '../domain/steps.ts';
import type { AccountChange, AccountEntry, PartEntry } from '../journal/journal.ts';
import type { RunContext } from './context.ts';

/** Where an account stands while it is driven: what the journal had, and every change since, written as it happens. */
export class AccountProgress {
  readonly id: number;
  state: AccountState;
  krakenAccountNumber: string | undefined;
  /** Fingerprint of the data last known to be staged; undefined when that is not known. */
  stagedHash: string | undefined;
  readonly steps: Record<StepName, StepState>;
  /** What was sent of each step before this run. */
  parts: readonly PartEntry[];
  /** See AccountEntry. */
  inDoubtSince: number | undefined;
  /** No run has driven it before, so that nothing is recorded of it. */
  readonly isNew: boolean;
  readonly #context: RunContext;
  /** What the next change takes along. */
  #carried: AccountChange = {};

  constructor(context: RunContext, entry: AccountEntry) {
    this.#context = context;
    this.id = entry.id;
    this.state = entry.state;
    this.krakenAccountNumber = entry.krakenAccountNumber;
    this.stagedHash = entry.stagedHash;
    this.steps = { ...entry.steps };
    this.parts = entry.parts;
    this.inDoubtSince = entry.inDoubtSince;
    this.isNew = entry.planHash === undefined;
  }

  /** What was sent of a step that travels in one part. */
  prior(step: StepName): PartEntry | undefined {
    return this.parts.find((part) => part.step === step);
  }

  /**
   * A change that the next one takes along, or `keep`. For what a run that does not find it written tells from the
   * parts, or does again without harm: 32 writes of an account with all steps are 19 so, and 11 of one with three are 7.
   */
  carry(change: AccountChange): void {
    this.#take(change);
    this.#carried = both(this.#carried, change);
  }

  /** Writes what is carried. Resolves when that is durable. */
  keep(): Promise<void> {
    return Object.keys(this.#carried).length === 0 ? Promise.resolve() : this.change({});
  }

  /** What the platform has staged of it is not known from now on. Resolves when that is durable. */
  forgetStaged(): Promise<void> {
    return this.stagedHash === undefined ? Promise.resolve() : this.change({ stagedHash: null });
  }

  /** Enqueues a change; resolves when it is durable. */
  change(change: AccountChange): Promise<void> {
    this.#take(change);
    const whole = both(this.#carried, change);
    this.#carried = {};
    const written = this.#context.journal.change(this.id, whole);
    this.#context.record(written);
    return written;
  }

  #take(change: AccountChange): void {
    if (change.state !== undefined) this.state = change.state;
    if (change.krakenAccountNumber !== undefined)
      this.krakenAccountNumber = change.krakenAccountNumber ?? undefined;
    if (change.stagedHash !== undefined) this.stagedHash = change.stagedHash ?? undefined;
    if (change.isSettled === true) this.inDoubtSince = undefined;
    Object.assign(this.steps, change.steps);
  }
}

function both(first: AccountChange, second: AccountChange): AccountChange {
  return { ...first, ...second, steps: { ...first.steps, ...second.steps } };
}
