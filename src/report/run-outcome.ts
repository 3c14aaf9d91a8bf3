import type { RunEntry } from '../journal/journal.ts';
import { stopWords } from '../domain/stop-reason.ts';

/** A journal may hold a reason of a later version. */
const told: ReadonlyMap<string, string> = new Map(Object.entries(stopWords));

const endings: Readonly<Record<number, string>> = {
  0: 'all done',
  3: 'some rejected, failed or not ours',
  8: 'some uncertain',
};

/** How a run ended, in a few words. */
export function runOutcome({ end }: Pick<RunEntry, 'end'>): string {
  if (end === undefined) return 'not ended';
  return end.reason === '' ? (endings[end.exit] ?? `exit ${end.exit}`) : (told.get(end.reason) ?? end.reason);
}

/** `running`: the runs of living processes. A run that has not ended and has no process was killed. */
export function runState(
  { id, end }: Pick<RunEntry, 'id' | 'end'>,
  running: ReadonlySet<number>,
): 'ended' | 'running' | 'killed' {
  if (end !== undefined) return 'ended';
  return running.has(id) ? 'running' : 'killed';
}
