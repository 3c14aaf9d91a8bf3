import { unfinishedOf, uncountedOf, withTotal, type AccountCounts } from '../../domain/account-state.ts';
import { aboutStop, asStopReason } from '../../domain/stop-reason.ts';
import type { RunEntry, SupplierOverview } from '../../journal/journal.ts';
import { isRehearsal } from '../rehearsals.ts';

/** What a night achieved, beside those before it. */
export interface NightPace {
  /** Accounts that the last night completed. */
  readonly completed: number;
  readonly durationMs: number;
  /** Of the nights before, at most five: the mean number of completed accounts; absent if there were none. */
  readonly before?: number;
  /** Accounts that a run has to do. */
  readonly left: number;
  /** Accounts that no run takes as they are: rejected, uncertain or skipped. */
  readonly aside: number;
  /** Whether the last night drove accounts of other suppliers too: its figures are of all of them, and say nothing of the rest. */
  readonly isShared?: boolean;
  /** What is left at this pace, or at that of the nights before if the last one was cut short; absent if that cannot be said. */
  readonly nightsLeft?: number;
  /** The length of such a night, in ms. */
  readonly nightMs?: number;
  /** Whether the nights before set that pace. */
  readonly isOfBefore?: boolean;
  /** Whether a later run had work and completed nothing: nothing is foretold then. */
  readonly isEarlier?: boolean;
  /** Working time that is left, in ms, where no night shows how long nights are. */
  readonly msLeft?: number;
}

/** Rehearsals say nothing of the pace on a platform. */
function comparable(runs: readonly RunEntry[]): readonly RunEntry[] {
  const real = runs.filter((run) => !isRehearsal(run));
  return real.length === 0 ? runs : real;
}

/** The nights that are compared with the last one. */
const mostBefore = 5;

/** A night that completed accounts: a run, without dry runs. */
export interface WorkedNight {
  readonly run: RunEntry;
  readonly completed: number;
  readonly durationMs: number;
}

/** The last night that completed accounts, and those that it is compared with. `runs`: newest first. */
export function workedNights(runs: readonly RunEntry[]): readonly WorkedNight[] {
  const nights = comparable(runs).flatMap((run): WorkedNight[] => {
    const completed = run.end?.driven?.completed ?? 0;
    if (run.dryRun || run.end === undefined || completed === 0) return [];
    return [{ run, completed, durationMs: run.end.endedAt - run.startedAt }];
  });
  return nights.slice(0, mostBefore + 1);
}

/**
 * The pace of the nights of a book, and how long its rest takes; undefined if none has completed an account. `runs`: newest first.
 * `hasOthers`: whether runs that chose no supplier may have driven accounts of another.
 */
export function paceOfNights(
  runs: readonly RunEntry[],
  { accounts, partlyRead }: Pick<SupplierOverview, 'accounts' | 'partlyRead'>,
  hasOthers = false,
): NightPace | undefined {
  return paceOf(workedNights(runs), { book: accounts, uncounted: uncountedOf(partlyRead) }, hasOthers);
}

/** What is left of a book; `uncounted`: null if that is not known. */
interface BookLeft {
  readonly book: AccountCounts;
  readonly uncounted: number | null;
}

/** The same of nights that completed accounts, newest first. */
export function paceOf(
  [last, ...before]: readonly WorkedNight[],
  { book, uncounted }: BookLeft,
  hasOthers = false,
): NightPace | undefined {
  if (last === undefined) return undefined;
  const isOfAll = ({ run }: WorkedNight): boolean => hasOthers && run.supplier === undefined;
  const nights = before.filter((night) => isOfAll(night) === isOfAll(last));
  const { completed, durationMs } = last;
  const meanOf = (figure: (night: WorkedNight) => number): number =>
    nights.reduce((sum, one) => sum + figure(one), 0) / nights.length;
  const mean = Math.round(meanOf((night) => night.completed));
  const left = unfinishedOf(book) + (uncounted ?? 0);
  const aside = book.rejected + book.uncertain + book.skipped;
  const pace = { completed, durationMs, left, aside, ...(nights.length === 0 ? {} : { before: mean }) };
  if (isOfAll(last)) return { ...pace, isShared: true };
  if (left === 0 || uncounted === null) return pace;
  if (!cutsShort(last.run.end?.reason ?? '') && !isLimitedOnce(last, nights[0]))
    return { ...pace, nightsLeft: Math.ceil(left / completed), nightMs: durationMs };
  if (nights.length === 0) return { ...pace, msLeft: Math.ceil((left / completed) * durationMs) };
  return {
    ...{ ...pace, nightsLeft: Math.ceil(left / Math.max(1, mean)), isOfBefore: true },
    nightMs: Math.round(meanOf((night) => night.durationMs)),
  };
}

/** A night of a few accounts says nothing of the length of nights, unless each has such a limit. */
function isLimitedOnce(last: WorkedNight, before: WorkedNight | undefined): boolean {
  const isLimited = (night: WorkedNight | undefined): boolean => night?.run.end?.reason === 'limit';
  return isLimited(last) && !isLimited(before);
}

/** A run that ends where it was told to has used the time, or the accounts, that it was given. */
function cutsShort(reason: string): boolean {
  const stop = asStopReason(reason);
  return reason !== '' && (stop === undefined || aboutStop(stop).kind !== 'planned');
}

/** Whether a run drove accounts and completed none, as where the platform refused all. */
export function hasDoneNothing({ end }: RunEntry): boolean {
  const driven = end?.driven;
  return driven !== undefined && driven.completed === 0 && withTotal(driven).total > 0;
}

/** The same of a run before one that completed nothing. */
export function earlierPace({ completed, durationMs, left, aside, before, isShared }: NightPace): NightPace {
  return {
    ...{ completed, durationMs, left, aside, isEarlier: true },
    ...(before === undefined ? {} : { before }),
    ...(isShared === undefined ? {} : { isShared }),
  };
}
