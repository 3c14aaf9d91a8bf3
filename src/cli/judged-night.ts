import type { Config } from '../config/load-config.ts';
import type { Journal } from '../journal/journal.ts';
import type { NightVerdict } from '../report/morning/verdict.ts';
import { journalOf } from '../run/session/journal-of.ts';
import { keptReconciled } from '../run/session/reconciled-file.ts';
import { freeFor, nightVerdict } from '../run/night-verdict.ts';
import { runningAmong } from '../run/running-runs.ts';
import type { Shell } from './shell.ts';

/** The last night of the journal, or of the configured supplier in it. */
export async function judgedNight(
  shell: Shell,
  config: Config,
  journal: Journal,
  supplier: string | undefined = config.supplier,
): Promise<NightVerdict> {
  const free = await freeFor(journalOf(shell, config));
  const moment = { supplier, now: shell.clock.now(), free, reconciled: await keptReconciled(config) };
  return nightVerdict(journal, moment, (runs) => runningAmong(shell, config, journal, runs));
}
