import type { Actor } from '../domain/actor.ts';
import { definedFields } from '../domain/defined-fields.ts';
import type { Clock } from '../domain/clock.ts';
import type { Boot, Journal } from '../journal/journal.ts';
import type { RunEvent } from './run-events.ts';

/** What the history records of a run at its start. */
export interface RunHead {
  readonly platform: string;
  readonly platformLabel: string;
  /** The source of the plans. */
  readonly export: string;
  readonly dryRun: boolean;
  /** The only supplier that is taken. */
  readonly supplier?: string | undefined;
  /** The number of accounts in the export, if all of them are to be taken. */
  readonly named?: number | undefined;
  /** The boot of this machine. */
  readonly boot?: Boot | undefined;
  /** Who started it. */
  readonly by?: Actor | undefined;
}

/** Adds a run to the history, and reports that it has begun; returns its number. */
export async function beginRun(
  { platform, platformLabel, export: source, dryRun, supplier, named, boot, by }: RunHead,
  { journal, clock, emit }: { journal: Journal; clock: Clock; emit: (event: RunEvent) => void },
): Promise<{ readonly run: number }> {
  const startedAt = clock.now();
  const run = await journal.startRun({
    ...{ platform, platformLabel, supplier, dryRun, startedAt, named, boot, by },
    export: source,
  });
  emit(definedFields({ type: 'begun', run, platform: platformLabel, dryRun, at: startedAt, supplier }));
  return { run };
}
