import type { Config } from '../config/load-config.ts';
import type { Journal, RunEntry } from '../journal/journal.ts';
import { judgeNight, type NightVerdict } from '../report/morning/judge-night.ts';
import { runningAmong } from './recorded-suppliers.ts';
import type { Shell } from './shell.ts';

/** Runs that show how often the nights are. */
const mostRuns = 200;

/** Judges the last night of a book, from the journal alone. */
export async function nightVerdict(shell: Shell, config: Config, journal: Journal): Promise<NightVerdict> {
  const { supplier } = config;
  const runs: RunEntry[] = [];
  for await (const run of journal.runs(mostRuns))
    if (supplier === undefined || run.supplier === undefined || run.supplier === supplier) runs.push(run);
  // Rehearsals do not count where there is a platform.
  const real = new Set(
    runs.filter(({ platformLabel }) => platformLabel !== 'embedded').map((run) => run.platform),
  );
  const overview = (await journal.overview()).filter(
    (one) => supplier === undefined || one.supplier === supplier,
  );
  const suppliers = real.size === 0 ? overview : overview.filter(({ platform }) => real.has(platform));
  const running = await runningAmong(shell, config, journal, runs);
  return judgeNight({
    runs,
    running,
    suppliers,
    doubled: await doubledOf(journal, suppliers),
    now: shell.clock.now(),
  });
}

/** Accounts that share a platform number. */
async function doubledOf(
  journal: Journal,
  suppliers: readonly { readonly platform: string }[],
): Promise<number> {
  let doubled = 0;
  for (const platform of new Set(suppliers.map((one) => one.platform)))
    for await (const { accounts } of journal.sharedNumbers(platform)) doubled += accounts.length;
  return doubled;
}

/** The verdict where the journal is gone, or none was ever made. */
export function verdictWithoutJournal(isGone: boolean, now: number): NightVerdict {
  const none = judgeNight({ runs: [], running: new Set(), suppliers: [], doubled: 0, now });
  return isGone ? { ...none, reason: 'no-journal', exit: 2 } : none;
}
