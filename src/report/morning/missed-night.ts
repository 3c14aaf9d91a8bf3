import { unfinishedOf } from '../../domain/account-state.ts';
import type { RunEntry } from '../../journal/journal.ts';
import { nightsOf } from './nights-of.ts';
import type { NightVerdict } from './verdict.ts';

const hourMs = 3_600_000;
/** Clocks of several machines differ by less. */
export const mostSkewMs = hourMs;
/** A night that begins this much later than a day after the last one counts as missed. */
const latestMs = 26 * hourMs;

/**
 * Whether a run should have begun since the last one. Runs of a week ago show the nights on which none is due; a book that is
 * done needs none, unless it got one every night.
 */
export function isMissed(
  runs: readonly RunEntry[],
  now: number,
  { book, uncounted }: Pick<NightVerdict, 'book' | 'uncounted'>,
): boolean {
  const starts = startsOfNights(runs, now);
  const [last, ...before] = starts;
  if (last === undefined || now - last <= latestMs) return false;
  const isOpen = uncounted !== 0 || unfinishedOf(book) > 0;
  const isNightly = before.length >= 2 && last - (before[1] ?? 0) <= 3 * latestMs;
  if (!isOpen && !isNightly) return false;
  const weekMs = 7 * 24 * hourMs;
  const oldest = starts.at(-1) ?? last;
  if (now - weekMs - latestMs < oldest) return true;
  // A week ago, in the same day, one began.
  return starts.some((at) => at <= now - weekMs && at > now - weekMs - latestMs);
}

/** When each night began, newest first. Runs with a clock ahead of now are left out. */
function startsOfNights(runs: readonly RunEntry[], now: number): readonly number[] {
  const begun = runs.filter(({ dryRun, startedAt }) => !dryRun && startedAt <= now + mostSkewMs);
  const byClock = begun.toSorted((one, other) => other.startedAt - one.startedAt);
  return nightsOf(byClock).map((night) => night.at(-1)?.startedAt ?? now);
}
