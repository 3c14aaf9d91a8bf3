import type { Suspicion } from '../../domain/stop-reason.ts';
import type { PartEntry } from '../../journal/journal.ts';
import { adoptedOutcome, restoredOutcome } from './open-attempts.ts';

/**
 * What the platform's answers say about the past. An answer contradicts the journal if it says that something is there
 * which the journal calls never sent, and nothing else of the account explains it. This file decides what contradicts,
 * and what the contradictions of a run together look like; `contradictions.ts` collects them.
 */

/** How many accounts may contradict the journal before a run stops. */
export const mostContradicted = 5;

/**
 * - `there`: the platform has an item or an effect of a first attempt
 * - `created`: it has an account that no request of this journal created
 */
export interface Contradiction {
  readonly is: 'there' | 'created';
  /** This run created or staged the account, so no earlier run can have sent what is there. */
  readonly isOfThisRun: boolean;
  /** When the platform created the account, if that is known; ms since the epoch. */
  readonly createdAt?: number | undefined;
}

/** The past as the journal has it, in ms since the epoch. */
export interface Known {
  /** When an earlier run recorded something last; undefined if there was none. */
  readonly recordedAt: number | undefined;
  /** When this run began. */
  readonly begunAt: number;
  /** First attempts of this run that the platform answered as new. */
  readonly clean: number;
}

/**
 * How an account was created, as the journal knows it. `attempts`: all of the account.
 *
 * - `here`: by its own request, and nothing about that was ever left to a person: nothing of the account was there before
 * - `ruled`: a person decided that. Others may have added to it: that is no sign of an old journal, but it is not ours to repeat
 * - `elsewhere`: by others, or by a run that a restored journal does not contain: what is there explains itself
 */
export function creationOf(
  attempts: readonly Pick<PartEntry, 'step' | 'state' | 'outcome'>[],
): 'here' | 'ruled' | 'elsewhere' {
  const ofProcess = attempts.filter(({ step }) => step === 'process');
  if (attempts.some(({ outcome }) => outcome === restoredOutcome || outcome === adoptedOutcome))
    return 'elsewhere';
  return ofProcess.some(({ state, outcome }) => state === 'uncertain' || outcome === 'ruling')
    ? 'ruled'
    : 'here';
}

/**
 * Whether the platform created an account since the journal recorded something last. Its times are whole seconds, so the second of the
 * last record counts. Without an earlier run: since this one began.
 */
export function isCreatedSince(createdAt: number, { recordedAt, begunAt }: Omit<Known, 'clean'>): boolean {
  return recordedAt === undefined ? createdAt > begunAt : createdAt + 999 >= recordedAt;
}

/** What the contradictions of a run look like. In doubt, the journal is behind: that loses nothing. */
export function suspicionOf(contradictions: readonly Contradiction[], known: Known): Suspicion {
  const votes = contradictions.map((one) => suspicionOfOne(one, known));
  const count = (suspicion: Suspicion): number => votes.filter((vote) => vote === suspicion).length;
  const others = count('other_journal');
  // Who creates accounts meanwhile also does so between this run's staging and its process request.
  const meanwhile = contradictions.filter(({ is, isOfThisRun }) => is === 'created' && isOfThisRun).length;
  const doubled = count('doubled_requests') - (others > 0 ? meanwhile : 0);
  const behind = count('journal_behind');
  if (others > 0 && others + meanwhile >= behind + doubled) return 'other_journal';
  return doubled > behind ? 'doubled_requests' : 'journal_behind';
}

function suspicionOfOne({ is, isOfThisRun, createdAt }: Contradiction, known: Known): Suspicion {
  const { recordedAt, begunAt, clean } = known;
  if (isOfThisRun) return 'doubled_requests';
  if (is === 'created')
    return recordedAt === undefined || (createdAt ?? 0) >= begunAt ? 'other_journal' : 'journal_behind';
  // A run that the journal lacks would have sent those as well.
  return clean >= mostContradicted ? 'doubled_requests' : 'journal_behind';
}
