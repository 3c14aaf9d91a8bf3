import { definedFields } from '../../domain/defined-fields.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Journal, RunStart } from '../../journal/journal.ts';
import type { RunEvent } from './run-events.ts';

/** What the history records of a run at its start. */
export type RunHead = Omit<RunStart, 'startedAt'>;

/** Adds a run to the history, and reports that it has begun; returns its number. */
export async function beginRun(
  { platform, platformLabel, export: source, dryRun, supplier, named, boot, by, facts }: RunHead,
  { journal, clock, emit }: { journal: Journal; clock: Clock; emit: (event: RunEvent) => void },
): Promise<{ readonly run: number }> {
  const startedAt = clock.now();
  const run = await journal.startRun({
    ...{ platform, platformLabel, supplier, dryRun, startedAt, named, boot, by, facts },
    export: source,
  });
  emit(definedFields({ type: 'begun', run, platform: platformLabel, dryRun, at: startedAt, supplier }));
  return { run };
}
