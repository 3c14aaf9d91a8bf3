import { aboutStop, asStopReason } from '../domain/stop-reason.ts';
import type { RunEntry } from '../journal/journal.ts';
import { formatTime } from './format.ts';
import { runOutcome } from './history-table.ts';

/** The run of a living process that a supplier has now, without dry runs; undefined if there is none. `runs`: newest first. */
export function activeRun(runs: readonly RunEntry[], running: ReadonlySet<number>): RunEntry | undefined {
  return runs.find(({ id, dryRun, end }) => !dryRun && end === undefined && running.has(id));
}

/** What an active run does, as the rest of a sentence about it. */
export function activeText({ startedAt, stopping }: RunEntry, timeZone: string): string {
  const since = (at: number) => `${formatTime(at, timeZone)} (${timeZone})`;
  if (stopping === undefined) return `is under way since ${since(startedAt)}`;
  const known = asStopReason(stopping.reason);
  const why = known === undefined ? '' : ` (${aboutStop(known).words})`;
  return `is stopping since ${since(stopping.since)}${why}: it counts the rest, and begins no account`;
}

export interface RunsSeen {
  /** Newest first. */
  readonly runs: readonly RunEntry[];
  /** Those of living processes. */
  readonly running: ReadonlySet<number>;
  /** IANA name. */
  readonly timeZone: string;
  /** When the active run is foreseen to end, in this zone; absent if that is not known. */
  readonly end?: string;
}

/** What the run does that a line tells of, or how it ended, in one word: for a pill. */
export function runWord({ runs, running }: Pick<RunsSeen, 'runs' | 'running'>): string | undefined {
  const active = activeRun(runs, running);
  if (active !== undefined) return active.stopping === undefined ? 'running' : 'stopping';
  const last = runs.find(({ dryRun }) => !dryRun);
  if (last === undefined) return undefined;
  if (last.end === undefined) return 'killed';
  if (last.end.reason !== '') return 'stopped';
  return last.end.exit === 0 ? 'done' : 'ended';
}

/** Platform, run and what it does or how it ended, in one line. */
export function runLine({ runs, running, timeZone, end }: RunsSeen): string {
  const active = activeRun(runs, running);
  const last = active ?? runs.find(({ dryRun }) => !dryRun);
  if (last === undefined) return 'No run yet.';
  const where =
    last.platformLabel === 'embedded' ? 'the embedded platform (a rehearsal)' : last.platformLabel;
  const foreseen = end === undefined || last.stopping !== undefined ? '' : `; at this rate it ends at ${end}`;
  if (active !== undefined) return `Run ${last.id} on ${where} ${activeText(last, timeZone)}${foreseen}.`;
  const how = runOutcome(last, running);
  if (last.end === undefined) return `Run ${last.id} on ${where} has no end and no process: ${how}.`;
  return `Run ${last.id} on ${where} ended at ${formatTime(last.end.endedAt, timeZone)} (${timeZone}): ${how}.`;
}
