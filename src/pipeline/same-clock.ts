import type { Boot, Journal } from '../journal/journal.ts';

/** How far apart two readings of one moment may be, in ms. */
const grain = 2_000;

/**
 * The oldest run since which no wall clock was set and no machine started anew, so that the times that it and those after it
 * wrote down can be held against this run's; `run`: this one.
 */
export async function sameClockSince(journal: Journal, run: number, boot: Boot | undefined): Promise<number> {
  let since = run;
  for await (const earlier of journal.runs()) {
    if (!isSame(earlier.boot, boot)) break;
    since = Math.min(since, earlier.id);
  }
  return since;
}

function isSame(one: Boot | undefined, other: Boot | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.id === other.id && Math.abs(one.at - other.at) <= grain;
}
