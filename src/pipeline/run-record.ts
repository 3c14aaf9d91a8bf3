import type { Actor } from '../domain/actor.ts';
import type { Clock } from '../domain/clock.ts';
import type { Boot, Journal } from '../journal/journal.ts';
import type { RunEvent } from './run-events.ts';

/** What the history tells of a run from its beginning. */
export interface RunHead {
  readonly platform: string;
  readonly platformLabel: string;
  /** Where the plans come from. */
  readonly export: string;
  readonly dryRun: boolean;
  /** The only supplier that is taken. */
  readonly supplier?: string;
  /** How many accounts the export names, where all of them are to be taken. */
  readonly named?: number;
  /** The start of this machine. */
  readonly boot?: Boot;
  /** Who began it. */
  readonly by?: Actor;
}

/** Takes a run into the history, and tells that it has begun; gives its number. */
export async function beginRun(
  { platform, platformLabel, export: source, dryRun, supplier, named, boot, by }: RunHead,
  { journal, clock, emit }: { journal: Journal; clock: Clock; emit: (event: RunEvent) => void },
): Promise<{ readonly run: number }> {
  const startedAt = clock.now();
  const only = supplier === undefined ? {} : { supplier };
  const run = await journal.startRun({
    ...{ platform, platformLabel, dryRun, startedAt },
    export: source,
    ...only,
    ...(named === undefined ? {} : { named }),
    ...(boot === undefined ? {} : { boot }),
    ...(by === undefined ? {} : { by }),
  });
  emit({ type: 'begun', run, platform: platformLabel, dryRun, at: startedAt, ...only });
  return { run };
}
