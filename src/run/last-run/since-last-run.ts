import type { RunFacts } from '../../domain/run-facts.ts';
import type { StopReason } from '../../domain/stop-reason.ts';
import {
  differencesText,
  recodedTables,
  sameExportText,
  shrinkageText,
} from '../../report/last-run/differences-text.ts';
import { platformLabel, unlessOutdated } from '../session/connect.ts';
import type { Environment, Reporter } from '../../host/environment.ts';
import { journalOf } from '../session/journal-of.ts';
import type { ReadyExport } from '../worker/open-ready.ts';
import type { RunRequest } from '../run-request.ts';
import { versionAndCommit } from '../../host/packaged.ts';
import {
  differences,
  isKnown,
  recodedBeyond,
  shrunk,
  type Differences,
  type KnownRun,
} from '../../report/last-run/compare-runs.ts';
import { zoneForPeople } from '../../report/format.ts';
import { isOfBook } from '../../report/last-run/same-book.ts';
import type { CompletedSeen } from '../session/early-journal.ts';
import { changedAccounts } from './changed-accounts.ts';
import { factsOfExport, factsOfStart, isUnattended } from './facts-of-run.ts';

/** The earlier runs that are examined for one of the same book. */
const mostRuns = 500;

export interface Refusal {
  readonly reason: Extract<StopReason, 'export-shrank' | 'export-changed'>;
  readonly detail: string;
}

/** A run beside the one before it. */
export interface SinceLastRun {
  /** For the history. */
  readonly facts: RunFacts;
  /** Why an unattended run must not start: the export shrank, or too much changed. */
  readonly refusal?: Refusal;
}

/**
 * Compares a run with the last run of the same book before anything is sent, and says what differs. `content`: as `factsOfExport`
 * takes it.
 */
export async function sinceLastRun(
  environment: Environment,
  request: RunRequest,
  reporter: Pick<Reporter, 'info' | 'warn'>,
  {
    plans,
    content,
    completed,
  }: {
    readonly plans: ReadyExport;
    readonly content: Promise<string | undefined>;
    /** What the first reading told of completed accounts; absent if rows cannot be compared. */
    readonly completed: CompletedSeen | undefined;
  },
): Promise<SinceLastRun> {
  const given = await factsOfExport(environment, request, plans, await content);
  const facts = { ...factsOfStart(request), given };
  const last = await lastOfBook(environment, request, given);
  if (last === undefined) return { facts };
  const label = platformLabel(request.config);
  const found = differences({ platformLabel: label, facts, version: versionAndCommit() }, last.since);
  for (const line of differencesText(found, zoneForPeople(request.config.timeZone))) reporter.info(line);
  if (last.same !== undefined && last.same.id !== last.since.id)
    reporter.info(sameExportText(last.same, last.since, zoneForPeople(request.config.timeZone)));
  const suspicions = suspicionsIn(found, last.since, request);
  for (const { detail, isAccepted } of suspicions)
    if (isAccepted || !isUnattended(request)) reporter.warn(detail);
  const refusal = isUnattended(request) ? suspicions.find(({ isAccepted }) => !isAccepted) : undefined;
  if (refusal !== undefined) return refused(request, refusal);
  if (completed === undefined || !isUnattended(request) || request.acceptChanges === true) return { facts };
  const isSame = last.same?.id === last.since.id && found.others.length === 0 && found.version === undefined;
  const others = [
    ...found.others,
    ...(found.version === undefined ? [] : [`migrate (it was ${found.version.before})`]),
  ];
  const detail = await changedAccounts(environment, request, plans, { completed, isSame, others });
  return detail === undefined ? { facts } : refused(request, { reason: 'export-changed', detail });
}

/** The next run is compared with the same run as this one. */
function refused(request: RunRequest, refusal: Refusal): SinceLastRun {
  return { facts: factsOfStart(request), refusal };
}

interface Suspicion extends Refusal {
  readonly isAccepted: boolean;
}

function suspicionsIn(
  found: Differences,
  since: KnownRun,
  { config: { maxShrinkage, maxChanged }, acceptShrinkage, acceptChanges }: RunRequest,
): readonly Suspicion[] {
  const lost = shrunk(found, since.facts.given, maxShrinkage);
  const recoded = recodedBeyond(found, maxChanged);
  const [shrinkage, changes] = [acceptShrinkage === true, acceptChanges === true];
  return [
    ...(lost.length === 0
      ? []
      : [
          {
            reason: 'export-shrank' as const,
            detail: shrinkageText(since, lost, maxShrinkage),
            isAccepted: shrinkage,
          },
        ]),
    ...(recoded.length === 0
      ? []
      : [{ reason: 'export-changed' as const, detail: recodedTables(since, recoded), isAccepted: changes }]),
  ];
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
