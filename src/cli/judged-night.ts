import type { Config } from '../config/load-config.ts';
import type { Journal } from '../journal/journal.ts';
import type { NightVerdict } from '../report/morning/judge-night.ts';
import { nightVerdict } from '../run/night-verdict.ts';
import { runningAmong } from './recorded-suppliers.ts';
import type { Shell } from './shell.ts';

/** The last night of the journal, or of the configured supplier in it. */
export function judgedNight(
  shell: Shell,
  config: Config,
  journal: Journal,
  supplier: string | undefined = config.supplier,
): Promise<NightVerdict> {
  return nightVerdict(journal, { supplier, now: shell.clock.now() }, (runs) =>
    runningAmong(shell, config, journal, runs),
  );
}
