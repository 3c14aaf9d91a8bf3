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
  const runs = await runsOfBook(environment, request, given);
  if (runs === undefined) return { facts };
  const { last, basis, same } = runs;
  const started = { platformLabel: platformLabel(request.config), facts, version: versionAndCommit() };
  const zone = zoneForPeople(request.config.timeZone);
  for (const line of differencesText(differences(started, last), zone)) reporter.info(line);
  if (same !== undefined && same.id !== last.id) reporter.info(sameExportText(same, last, zone));
  const found = basis && differences(started, basis);
  const suspicions = found ? suspicionsIn(found, basis, request) : [];
  for (const { detail, isAccepted } of suspicions)
    if (isAccepted || !isUnattended(request)) reporter.warn(detail);
  const open = isUnattended(request) ? suspicions.filter(({ isAccepted }) => !isAccepted) : [];
  const [refusal] = open;
  if (refusal !== undefined)
    return refused(request, {
      reason: refusal.reason,
      detail: open.map(({ detail }) => detail).join(' Also, '),
    });
  if (!isUnattended(request) || request.acceptChanges === true) return { facts };
  const isSame = found !== undefined && wasCompared(basis, given) && isAsThen(found);
  const others = othersIn(found);
  const detail = await changedAccounts(environment, request, reporter, { plans, completed, isSame, others });
  return detail === undefined ? { facts } : refused(request, { reason: 'export-changed', detail });
}

/** Whether a run compared the accounts of these very files, or was to accept them. */
function wasCompared(basis: KnownRun | undefined, { content }: KnownRun['facts']['given']): boolean {
  return content !== undefined && basis?.facts.given.content === content && basis.facts.unattended;
}

function isAsThen({ others, options, version }: Differences): boolean {
  return others.length === 0 && options.length === 0 && version === undefined;
}

/** What maps the rows, and is not as it was. */
function othersIn(found: Differences | undefined): readonly string[] {
  if (found === undefined) return [];
  return [
    ...found.others,
    ...(found.version === undefined ? [] : [`migrate (it was ${found.version.before})`]),
  ];
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

/** Earlier runs of the same book. */
interface RunsOfBook {
  readonly last: KnownRun;
  /** The last one that sent on this platform, and that nobody broke off at its warnings: what an export is judged by. */
  readonly basis: KnownRun | undefined;
  /** The last one with these very files. */
  readonly same: KnownRun | undefined;
}

async function runsOfBook(
  environment: Environment,
  { config }: RunRequest,
  given: KnownRun['facts']['given'],
): Promise<RunsOfBook | undefined> {
  const store = journalOf(environment, config);
  if (!(await store.exists())) return undefined;
  const journal = await store.open({ create: false, reading: true }).catch(unlessOutdated);
  if (journal === undefined) return undefined;
  const label = platformLabel(config);
  const isBasis = (run: KnownRun): boolean => !run.dryRun && run.platformLabel === label && !isBrokenOff(run);
  const isSame = ({ facts }: KnownRun): boolean =>
    given.content !== undefined && facts.given.content === given.content;
  try {
    let [last, basis, same]: (KnownRun | undefined)[] = [];
    for await (const run of journal.runs(mostRuns)) {
      if (!isKnown(run) || isOfAnother(run, config) || !isOfBook(run.facts.given, given)) continue;
      last ??= run;
      if (isBasis(run)) basis ??= run;
      if (isSame(run)) same ??= run;
      if (basis !== undefined && same !== undefined) break;
    }
    return last && { last, basis, same };
  } finally {
    await journal.close();
  }
}

/** Account numbers of two suppliers may be the same: runs that were told different ones are of different books. */
function isOfAnother(run: KnownRun, { supplier }: RunRequest['config']): boolean {
  return run.supplier !== undefined && supplier !== undefined && run.supplier !== supplier;
}

/** Whoever was warned of an export may have ended the run for that. */
function isBrokenOff({ facts, end }: KnownRun): boolean {
  return !facts.unattended && (end === undefined || end.reason === 'interrupt');
}
