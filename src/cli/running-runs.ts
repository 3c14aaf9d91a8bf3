import { journalOf } from '../app/journal-of.ts';
import { isDead } from '../app/system/process-identity.ts';
import type { Config } from '../config/load-config.ts';
import type { RunEntry } from '../journal/journal.ts';
import type { Shell } from './shell.ts';

/** The ids of the runs of living processes: for each held supplier, the newest that has not ended. */
export async function runningAmong(
  shell: Shell,
  config: Config,
  runs: readonly RunEntry[],
): Promise<ReadonlySet<number>> {
  const held = await journalOf(shell, config).holders({ now: shell.clock.now(), isDead: isDead(shell) });
  const newest = held.flatMap(
    ({ platform, supplier }) =>
      runs.find(
        (run) =>
          run.end === undefined &&
          run.platform === platform &&
          (run.supplier === undefined || run.supplier === supplier),
      ) ?? [],
  );
  return new Set(newest.map(({ id }) => id));
}
