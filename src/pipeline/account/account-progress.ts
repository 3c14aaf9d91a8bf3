import type { AccountState } from '../../domain/account-state.ts';
import type { StepState } from '../../domain/step-state.ts';
import type { StepName } from '../../domain/steps.ts';
import type { AccountChange, AccountEntry, PartEntry } from '../../journal/journal.ts';
import type { RunContext } from '../run/context.ts';

/** The state of an account while it runs: what the journal had, and every change since, written as it happens. */
export class AccountProgress {
  readonly id: number;
  state: AccountState;
  krakenAccountNumber: string | undefined;
  /** Fingerprint of the data last known to be staged; undefined if that is not known. */
  stagedHash: string | undefined;
  readonly steps: Record<StepName, StepState>;
  /** What was sent of each step before this run. */
  parts: readonly PartEntry[];
  /** See AccountEntry. */
  inDoubtSince: number | undefined;
  /** Whether no run has run it before, so that nothing is recorded of it. */
  readonly isNew: boolean;
  /** Whether this run created it, by a request whose answer it got. */
  isCreatedNow = false;
  readonly #context: RunContext;
  /** The fields that the next change includes; undefined if there are none. */
  #carried: Carried | undefined;

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

  /** What was sent of a step that is sent in one part. */
  prior(step: StepName): PartEntry | undefined {
    return this.parts.find((part) => part.step === step);
  }

  /**
   * A change that the next write includes, or `keep`. For changes that a later run derives from the parts, or repeats
   * without harm, if they are missing. This saves about a third of an account's writes.
   */
  carry(change: AccountChange): void {
    this.#take(change);
    this.#carried = joined(this.#carried, change);
  }

  /** Writes the pending fields. Resolves when that is durable. */
  keep(): Promise<void> {
    return this.#carried === undefined ? Promise.resolve() : this.change({});
  }

  /** Records that it is no longer known what the platform has staged. Resolves when that is durable. */
  forgetStaged(): Promise<void> {
    return this.stagedHash === undefined ? Promise.resolve() : this.change({ stagedHash: null });
  }

  /** Enqueues a change; resolves when it is durable. */
  change(change: AccountChange): Promise<void> {
    this.#take(change);
    const whole = joined(this.#carried, change);
    this.#carried = undefined;
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

type Carried = AccountChange & { readonly steps: Partial<Record<StepName, StepState>> };

/** The later of two changes prevails. Adds to the earlier one: each account makes several. */
function joined(earlier: Carried | undefined, later: AccountChange): Carried {
  if (earlier === undefined) return { ...later, steps: { ...later.steps } };
  const { steps } = earlier;
  return Object.assign(earlier, later, { steps: Object.assign(steps, later.steps) });
}
