import type { Config } from '../config/load-config.ts';
import type { Journal } from '../journal/journal.ts';
import type { Printer } from '../report/printer.ts';
import { readContract } from '../run/effective-rules.ts';
import { keptIndexes } from '../run/reading/open-plans.ts';
import type { Plans } from '../run/reading/plans.ts';
import { openPlansWith } from '../run/reading/open-plans-with.ts';
import { storedSpellings } from '../run/session/journal-spellings.ts';
import type { Shell } from './shell.ts';

interface RecordedExport {
  readonly shell: Shell;
  readonly printer: Printer;
  readonly config: Config;
  readonly journal: Journal;
  readonly path: string;
  readonly fixes: readonly string[];
}

/**
 * The plans of an export that runs have sent, with the journal's spellings. Nothing is said of how it is read: the runs said it.
 * Close it in the end.
 */
export async function openRecordedPlans(
  { shell, printer, config, journal, path, fixes }: RecordedExport,
  platform: string,
): Promise<Pick<Plans, 'plans' | 'close'>> {
  const spellings = await storedSpellings(journal.upgrades.spellings(platform));
  const quiet = { ...printer, info: () => undefined, detail: () => undefined, warn: () => undefined };
  const opened = await openPlansWith(shell, quiet, path, {
    ...config,
    with: fixes,
    tenancy: await readContract(config, quiet, { checks: false }),
    kept: keptIndexes(config),
    spellings: spellings?.of,
  });
  return {
    plans: opened.plans,
    close: () => {
      opened.close();
      spellings?.close();
    },
  };
}
