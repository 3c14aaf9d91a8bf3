import type { StepName } from '../../domain/steps.ts';
import type { PartEntry } from '../../journal/journal.ts';
import type { AccountRun } from '../account-run.ts';
import type { RunContext } from '../context.ts';
import { result, uncertain } from '../part.ts';
import { stepResult, type StepResult } from './step-result.ts';

export const changedAfterImport = 'changed_after_import';

/**
 * What the journal has of a step, to be matched by fingerprint with what the export has today: positions shift when
 * records are added, fingerprints do not. What is left unmatched is no longer in the export.
 */
export class RecordedParts {
  readonly #left: PartEntry[];
  readonly #there: ReadonlyMap<number, PartEntry>;
  readonly #given = new Map<string, number>();
  #next: number;

  /** `length`: how many things the step has today. */
  constructor(run: AccountRun, step: StepName, length: number) {
    this.#left = run.progress.priorParts.filter((part) => part.step === step);
    this.#there = new Map(this.#left.map((entry) => [entry.part, entry]));
    this.#next = Math.max(length, ...this.#left.map((entry) => entry.part + 1));
  }

  get left(): readonly PartEntry[] {
    return this.#left;
  }

  /** The first entry that this is true of; it is matched then. */
  take(matches: (entry: PartEntry) => boolean): PartEntry | undefined {
    const at = this.#left.findIndex(matches);
    return at < 0 ? undefined : this.#left.splice(at, 1)[0];
  }

  /** A part number for what is sent now: its position, unless the entry there is still needed. */
  number(position: number, hash: string): number {
    const name = `${position} ${hash}`;
    const number = this.#given.get(name) ?? (this.#isFree(position, hash) ? position : this.#next++);
    this.#given.set(name, number);
    return number;
  }

  #isFree(position: number, hash: string): boolean {
    const there = this.#there.get(position);
    if (there === undefined || there.hash === hash) return true;
    return (there.state === 'refused' || there.state === 'failed') && this.#left.includes(there);
  }
}

/** What became of parts whose data is no longer in the export as it was sent. */
export interface LeftBehind {
  readonly results: readonly StepResult[];
  /** Of some of it the effect is unknown: nothing that might be its successor is sent on top. */
  readonly isUnknown: boolean;
  /** Some of it is on the platform: what takes its place changed after import. */
  readonly isDone: boolean;
}

/** Leaves to a person what was sent, is not known to have arrived, and is no longer in the export. */
export function settleLeftBehind(
  context: RunContext,
  run: AccountRun,
  left: readonly PartEntry[],
): LeftBehind {
  const results: StepResult[] = [];
  for (const { step, part, state, code } of left) {
    const ref = { accountId: run.progress.id, step, part };
    if (state === 'sent') results.push(stepResult(uncertain(context, { ref }, 'changed_since_lost_answer')));
    if (state === 'uncertain') results.push(stepResult(result('uncertain', code ?? '')));
  }
  return { results, isUnknown: results.length > 0, isDone: left.some(({ state }) => state === 'done') };
}

/** A part that the platform refused, and that is still the same: it is not sent again. */
export function refusedBefore(entry: PartEntry, path: string): StepResult {
  const code = entry.code ?? '';
  const detail = 'The platform refused this in an earlier run, and it has not changed since.';
  return stepResult(result('refused', code, [{ code, path, detail, severity: 'error' }]));
}
