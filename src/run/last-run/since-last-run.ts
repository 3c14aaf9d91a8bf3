import type { RunFacts } from '../../domain/run-facts.ts';
import { differencesText, sameExportText, shrinkageText } from '../../report/last-run/differences-text.ts';
import { platformLabel, unlessOutdated } from '../session/connect.ts';
import type { Environment, Reporter } from '../../host/environment.ts';
import { journalOf } from '../session/journal-of.ts';
import type { ReadyExport } from '../worker/open-ready.ts';
import type { RunRequest } from '../run-request.ts';
import { versionAndCommit } from '../../host/packaged.ts';
import { differences, isKnown, shrunk, type KnownRun } from '../../report/last-run/compare-runs.ts';
import { isOfBook } from '../../report/last-run/same-book.ts';
import { factsOfExport, factsOfStart, isUnattended } from './facts-of-run.ts';

/** The earlier runs that are examined for one of the same book. */
const mostRuns = 500;

/** A run beside the one before it. */
export interface SinceLastRun {
  /** For the history. */
  readonly facts: RunFacts;
  /** Why an unattended run must not start: the export shrank. */
  readonly refusal?: string;
}

/**
 * Compares a run with the last run of the same book before anything is sent, and says what differs. `content`: as `factsOfExport`
 * takes it.
 */
export async function sinceLastRun(
  environment: Environment,
  request: RunRequest,
  reporter: Pick<Reporter, 'info' | 'warn'>,
  { plans, content }: { readonly plans: ReadyExport; readonly content: Promise<string | undefined> },
): Promise<SinceLastRun> {
  const given = await factsOfExport(environment, request, plans, await content);
  const facts = { ...factsOfStart(request), given };
  const last = await lastOfBook(environment, request, given);
  if (last === undefined) return { facts };
  const label = platformLabel(request.config);
  const found = differences({ platformLabel: label, facts, version: versionAndCommit() }, last.since);
  for (const line of differencesText(found)) reporter.info(line);
  if (last.same !== undefined && last.same.id !== last.since.id)
    reporter.info(sameExportText(last.same, last.since));
  const lost = shrunk(found, last.since.facts.given, request.config.maxShrinkage);
  if (lost.length === 0) return { facts };
  const told = shrinkageText(last.since, lost, request.config.maxShrinkage);
  if (request.acceptShrinkage === true || !isUnattended(request)) {
    reporter.warn(told);
    return { facts };
  }
  // The next run is compared with the same run as this one.
  return { facts: factsOfStart(request), refusal: told };
}

/** The last run of the same book, and the last one with these very files. */
async function lastOfBook(
  environment: Environment,
  { config }: RunRequest,
  given: KnownRun['facts']['given'],
): Promise<{ readonly since: KnownRun; readonly same: KnownRun | undefined } | undefined> {
  const store = journalOf(environment, config);
  if (!(await store.exists())) return undefined;
  const journal = await store.open({ create: false, reading: true }).catch(unlessOutdated);
  if (journal === undefined) return undefined;
  try {
    let since: KnownRun | undefined;
    for await (const run of journal.runs(mostRuns)) {
      if (!isKnown(run) || !isOfBook(run.facts.given, given)) continue;
      since ??= run;
      const isSame = given.content !== undefined && run.facts.given.content === given.content;
      if (isSame) return { since, same: run };
    }
    return since && { since, same: undefined };
  } finally {
    await journal.close();
  }
}
