import { platformLabel } from '../run/session/connect.ts';
import type { Environment } from '../host/environment.ts';
import { journalOf } from '../run/session/journal-of.ts';
import type { Config } from '../config/load-config.ts';
import { DatabaseRefused } from '../domain/database-refused.ts';
import type { RunEntry } from '../journal/journal.ts';
import { paceAdvice } from '../report/pace-advice.ts';
import type { Finding } from './doctor-checks.ts';

/** How many runs of the journal are looked at for one against the configured platform. */
const mostRuns = 20;

/** What the last run against the platform says about its gateway's refusals; nothing if no setting would help. */
export async function examinePace(environment: Environment, config: Config): Promise<readonly Finding[]> {
  if (config.rate !== undefined) return [];
  const last = await lastRun(environment, config);
  if (last?.answered === undefined) return [];
  const pace = { acceptedPerSecond: rounded(last.found?.perSecond), unclear: last.answered.unclear };
  const [detail] = paceAdvice({ pace, knowsNotDelivered: config.notDelivered !== undefined });
  return detail === undefined
    ? []
    : [{ check: 'pace', state: 'warning', detail: `Run ${last.id}: ${detail}` }];
}

async function lastRun(environment: Environment, config: Config): Promise<RunEntry | undefined> {
  try {
    const journal = await journalOf(environment, config).open({ create: false, reading: true });
    try {
      for await (const run of journal.runs(mostRuns))
        if (run.platformLabel === platformLabel(config)) return run;
      return undefined;
    } finally {
      await journal.close();
    }
  } catch (error) {
    // The check of the journal tells of it.
    if (error instanceof DatabaseRefused) return undefined;
    throw error;
  }
}

function rounded(perSecond: number | undefined): number | null {
  if (perSecond === undefined) return null;
  return perSecond >= 10 ? Math.floor(perSecond) : Number(perSecond.toPrecision(2));
}
