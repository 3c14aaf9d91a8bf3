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
  /** Step states that the next change takes along. */
  #reached: Partial<Record<StepName, StepState>> = {};

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
   * The state of a step, which the next change takes along, or `keep`. Its parts are recorded already, and a run that
   * finds them tells the same from them, so that it need not be written for each step: 32 writes of an account with all
   * steps are 23 so.
   */
  reach(step: StepName, state: StepState): void {
    this.steps[step] = state;
    this.#reached[step] = state;
  }

  /** Writes what was reached and not taken along. */
  keep(): void {
    if (Object.keys(this.#reached).length > 0) void this.change({});
  }

  /** What the platform has staged of it is not known from now on. Resolves when that is durable. */
  forgetStaged(): Promise<void> {
    return this.stagedHash === undefined ? Promise.resolve() : this.change({ stagedHash: null });
  }

  /** Enqueues a change; resolves when it is durable. */
  change(change: AccountChange): Promise<void> {
    if (change.state !== undefined) this.state = change.state;
    if (change.krakenAccountNumber !== undefined) this.krakenAccountNumber = change.krakenAccountNumber;
    if (change.stagedHash !== undefined) this.stagedHash = change.stagedHash ?? undefined;
    if (change.isSettled === true) this.inDoubtSince = undefined;
    Object.assign(this.steps, change.steps);
    const steps = Object.assign(this.#reached, change.steps);
    this.#reached = {};
    const written = this.#context.journal.change(this.id, { ...change, steps });
    this.#context.record(written);
    return written;
  }
}
