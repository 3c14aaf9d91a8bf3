import type { Config } from '../../config/load-config.ts';
import { withTotal } from '../../domain/account-state.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { Environment } from '../../host/environment.ts';
import type { Journal, RunEntry } from '../../journal/journal.ts';
import { isRehearsal } from '../../report/rehearsals.ts';
import type { RunParties } from '../run-parties.ts';
import { unlessOutdated } from './connect.ts';
import { journalOf } from './journal-of.ts';

/** The runs that are looked through for one on a real platform. */
const mostRuns = 500;

/**
 * Throws CannotStart if the run would be a rehearsal in a journal that has accounts of a real platform, and no person agrees: the command
 * may lack its profile, as one that was copied from a page does.
 */
export async function refuseRehearsal(
  environment: Environment,
  { config, dryRun = false }: { readonly config: Config; readonly dryRun?: boolean | undefined },
  { approveRehearsal }: Pick<RunParties, 'approveRehearsal'>,
): Promise<void> {
  if (config.baseUrl !== undefined || dryRun) return;
  const before = await realRun(environment, config);
  if (before === undefined) return;
  const has = `the journal has accounts of ${before.platformLabel} (run ${before.id})`;
  const remedy =
    "Name the platform's profile with --profile or MIGRATE_PROFILE, or set MIGRATE_BASE_URL. For a rehearsal, name a journal of its own with --journal FILE, or add --dry-run.";
  if (approveRehearsal === undefined)
    throw new CannotStart(exitCodes.usage, `No platform is configured, and ${has}. ${remedy}`);
  if (!(await approveRehearsal(`No platform is configured, and ${has}. Rehearse in the same journal?`)))
    throw new CannotStart(exitCodes.usage, `Nothing was sent. ${remedy}`);
}

/** The last run on a real platform that the journal has accounts of. */
async function realRun(environment: Environment, config: Config): Promise<RunEntry | undefined> {
  const store = journalOf(environment, config);
  if (!(await store.exists())) return undefined;
  const journal = await store.open({ create: false, reading: true }).catch(unlessOutdated);
  if (journal === undefined) return undefined;
  try {
    return await realRunIn(journal);
  } finally {
    await journal.close();
  }
}

async function realRunIn(journal: Journal): Promise<RunEntry | undefined> {
  const books = await journal.overview();
  const held = new Set(
    books.flatMap(({ platform, accounts }) => (withTotal(accounts).total === 0 ? [] : platform)),
  );
  for await (const run of journal.runs(mostRuns)) {
    const hasSent = !run.dryRun && !isRehearsal(run) && run.end?.reason !== 'not-begun';
    if (hasSent && held.has(run.platform)) return run;
  }
  return undefined;
}
