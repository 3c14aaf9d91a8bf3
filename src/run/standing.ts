import { readFile, stat } from 'node:fs/promises';
import type { Config } from '../config/load-config.ts';
import { endedWell } from '../domain/stop-reason.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournalStanding } from '../telemetry/run-metrics.ts';
import { platformLabel } from './session/connect.ts';
import type { Environment } from '../host/environment.ts';
import { journalOf } from './session/journal-of.ts';

/**
 * The state of the journal on the configured platform. If it cannot be read, the time of the last success comes from
 * the metrics of the previous run (`metricsFile`, absolute), so that an alert on its age continues.
 */
export async function standingOf(
  environment: Pick<Environment, 'env' | 'clock' | 'user'>,
  config: Config,
  metricsFile: string | undefined,
): Promise<JournalStanding | undefined> {
  try {
    const journal = await journalOf(environment, config).open({ create: false, reading: true });
    try {
      return await standingIn(journal, config);
    } finally {
      await journal.close();
    }
  } catch {
    // The run itself reports that it is missing or damaged.
    return metricsFile === undefined ? undefined : standingBefore(metricsFile);
  }
}

async function standingIn(journal: Journal, config: Config): Promise<JournalStanding> {
  const label = platformLabel(config);
  const { supplier } = config;
  const overview = await journal.overview();
  const book = overview.filter(
    (entry) => entry.platformLabel === label && (supplier === undefined || entry.supplier === supplier),
  );
  const lastSuccessAt = await lastSuccess(journal, label, supplier);
  return { book, lastSuccessAt };
}

/** Dry runs, and runs of other suppliers, do not count as success. */
async function lastSuccess(
  journal: Journal,
  label: string,
  supplier: string | undefined,
): Promise<number | undefined> {
  for await (const { platformLabel, dryRun, supplier: taken, end } of journal.runs()) {
    if (platformLabel !== label || dryRun || end === undefined) continue;
    if (supplier !== undefined && taken !== undefined && taken !== supplier) continue;
    if (endedWell(end.exit, end.reason)) return end.endedAt;
  }
  return undefined;
}

async function standingBefore(metricsFile: string): Promise<JournalStanding | undefined> {
  // Reading a pipe would wait.
  const isFile = await stat(metricsFile).then(
    (found) => found.isFile(),
    () => false,
  );
  const text = isFile ? await readFile(metricsFile, 'utf8').catch(() => '') : '';
  const [, seconds] = /^migrate_last_success_timestamp_seconds (\S+)$/m.exec(text) ?? [];
  const lastSuccessAt = Number(seconds) * 1000;
  return lastSuccessAt > 0 ? { book: [], lastSuccessAt } : undefined;
}
