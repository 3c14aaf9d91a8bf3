import { changedAfterImport, noLongerInExport } from '../../domain/shared-codes.ts';
import { changedDetail, leftDetail } from '../account/change-cause.ts';
import type { Schema } from '../../contract/schemas/schema.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { StepName } from '../../domain/steps.ts';
import type { PartEntry } from '../../journal/journal.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { result } from '../request/part.ts';
import type { ReadyPlan } from '../account/ready-plan.ts';
import { changedFields } from './field-prints.ts';
import { stepResult, type StepResult } from './step-result.ts';

/** The source of a step's requests: prepared requests are used unchanged. */
export type PlanToSend = Pick<AccountPlan, 'key' | 'extras'> &
  Partial<Pick<ReadyPlan, 'requests' | 'minorUnits'>>;

/** The remaining work of a step, from the journal and the export; found without a request. */
export interface RemainingWork<Request> {
  /** In the order in which they are to be sent. */
  readonly requests: readonly Request[];
  /** Results for the rest, without a request. */
  readonly results: readonly StepResult[];
  /** Sent with an unknown outcome, and no longer in the export as sent: left to a person. */
  readonly lost: readonly PartEntry[];
  /** Without effect as far as is recorded, and no longer in the export as sent. */
  readonly failed: readonly PartEntry[];
}

/** For the requests of a step for which nothing was sent before. */
export const nothingBehind = { results: [], lost: [], failed: [] } as const;

/**
 * The journal's entries of a step, to be matched by fingerprint with the current export: positions shift when records
 * are added, fingerprints do not. Entries without a match are no longer in the export.
 */
export class RecordedParts {
  readonly #left: PartEntry[];
  readonly #there: ReadonlyMap<number, PartEntry>;
  readonly #given = new Map<string, number>();
  #next: number;

  /**
   * `parts`: everything that was sent of the account; `length`: the number of the step's current payloads or items.
   */
  constructor(parts: readonly PartEntry[], step: StepName, length: number) {
    this.#left = parts.filter((part) => part.step === step);
    this.#there = new Map(this.#left.map((entry) => [entry.part, entry]));
    this.#next = Math.max(length, ...this.#left.map((entry) => entry.part + 1));
  }

  get left(): readonly PartEntry[] {
    return this.#left;
  }

  /** The first entry for which this is true; it is matched then. */
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

/** The results of parts whose data is no longer in the export as sent. */
export interface LeftBehind {
  /** With an unknown outcome: left to a person from now on. */
  readonly lost: readonly PartEntry[];
  readonly failed: readonly PartEntry[];
  readonly results: readonly StepResult[];
  /** Some of it has an unknown effect: nothing that might replace it is sent. */
  readonly isUnknown: boolean;
  /** On the platform: the data that replaces it changed after the import. */
  readonly done: readonly PartEntry[];
}

export function leftBehind(left: readonly PartEntry[]): LeftBehind {
  const lost = left.filter(({ state }) => state === 'sent');
  const results = left
    .filter(({ state }) => state === 'uncertain')
    .map(({ code }) => stepResult(result('uncertain', code ?? '')))
    .concat(lost.map(() => stepResult(result('uncertain', 'changed_since_lost_answer'))));
  return {
    lost,
    failed: left.filter(({ state }) => state === 'failed'),
    results,
    isUnknown: results.length > 0,
    done: left.filter(({ state }) => state === 'done'),
  };
}

/** Done, with a warning about what the platform has and the export no longer has. */
export function noLongerThere(path: string): StepResult {
  // What left the export has no cell.
  const detail = leftDetail(undefined);
  const problem: PayloadProblem = { code: noLongerInExport, path, detail, severity: 'warning' };
  return stepResult(result('done', '', [problem]));
}

/** What the platform has in another form: it cannot be sent again. */
export function changedSince(paths: readonly string[], request = 0): StepResult {
  return stepResult(result('refused', changedAfterImport, paths.map(changedProblem)), request);
}

/** More fields than this are a different record rather than a changed one. */
const mostPaths = 10;

/**
 * The paths of a payload that are not as they were sent in one of these requests: the one that is most like it. '' if they
 * cannot be named.
 */
export function changedPaths(
  sent: readonly Pick<PartEntry, 'prints'>[],
  payload: JsonObject,
  schema: Schema,
): readonly string[] {
  const [nearest] = sent
    .flatMap((entry) => changedFields([entry], payload, schema) ?? [])
    .sort((one, other) => other.same - one.same);
  if (nearest === undefined) return [''];
  const { paths, same, gone } = nearest;
  const isTold = paths.length > 0 && paths.length <= mostPaths && same > paths.length + gone;
  return isTold ? paths : [''];
}

export function changedProblem(path: string): PayloadProblem {
  const detail = changedDetail(path, undefined);
  return { code: changedAfterImport, path, detail, severity: 'error' };
}

/** A part that the platform refused, and that is unchanged: it is not sent again. */
export function refusedBefore(entry: PartEntry, path: string, request = 0): StepResult {
  const code = entry.code ?? '';
  const detail = 'The platform refused this in an earlier run, and it has not changed since.';
  return stepResult(result('refused', code, [{ code, path, detail, severity: 'error' }]), request);
}
