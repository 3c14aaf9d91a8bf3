import type { Journal, FinishedRun } from '../journal/journal.ts';
import type { Environment } from '../host/environment.ts';
import { actorOf } from '../host/actor.ts';
import { bootOf } from '../host/process-identity.ts';
import type { MappingPrint } from '../pipeline/mapping-print.ts';
import type { RunEvent } from '../pipeline/run/run-events.ts';
import { runMigration, type RunResult } from '../pipeline/run/run-migration.ts';
import type { StopControl } from '../pipeline/run/stop-control.ts';
import { zoneForPeople } from '../report/format.ts';
import { PaceNotice } from '../report/pace-notice.ts';
import type { AccountExamples } from './account-examples.ts';
import type { SinceLastRun } from './last-run/since-last-run.ts';
import type { ListedAccounts } from './listed-accounts.ts';
import { PaceNotes } from './pace-notes.ts';
import { pipelineSettings } from './pipeline-settings.ts';
import { byReadingOf } from './read-back/by-reading-of.ts';
import type { ExportFingerprint } from './reading/export-fingerprint.ts';
import { readContract } from './effective-rules.ts';
import { exportPlace } from './reading/export-place.ts';
import type { IgnoredRows } from './reading/ignored-rows.ts';
import { placesOf } from './reading/open-plans-with.ts';
import type { ProblemSink } from './reading/problem-sink.ts';
import { readAddedSteps } from './reading/read-items.ts';
import { ToldProblems } from './reading/told-problems.ts';
import type { Rejects } from './rejects.ts';
import { nameOf } from './run-head.ts';
import type { WatchedParties } from './run-parties.ts';
import type { RunRequest } from './run-request.ts';
import { scheduleWindow } from './schedule-window.ts';
import type { PlatformConnection } from './session/connect.ts';
import { mappedAnyway, mapsAll } from './session/early-journal.ts';
import { leaseSettings } from './session/lease-settings.ts';
import { withinOpenFiles } from './session/within-open-files.ts';
import type { ReadyExport } from './worker/open-ready.ts';

/** A run whose export is read, and what is known of both. */
export interface ReadRun extends WatchedParties {
  readonly environment: Environment;
  readonly request: RunRequest;
  readonly print: ExportFingerprint | undefined;
  /** Identifies what is run for other machines; absent if this run does not share it. */
  readonly book: string | undefined;
  /** Identifies how rows are mapped; absent if all accounts are to be mapped. */
  readonly mapping: MappingPrint | undefined;
  readonly plans: ReadyExport;
  readonly since: SinceLastRun;
  readonly outlet: ProblemSink;
  readonly rejects: Rejects | undefined;
}

/** What is gathered while accounts are driven, for the end of the run. */
interface Gathered {
  readonly listed: ListedAccounts;
  readonly examples: AccountExamples;
  readonly ignored: IgnoredRows;
}

/** Drives the accounts of an export on a platform, and records them in a journal. */
export async function drivePlans(
  {
    environment,
    request,
    hear,
    print,
    book,
    mapping,
    reporter,
    plans,
    since,
    stop,
    outlet,
    rejects,
    listed,
    watch,
    examples,
    ignored,
  }: ReadRun & Gathered,
  connection: PlatformConnection,
  journal: Journal,
): Promise<RunResult> {
  const { config, accounts } = request;
  const { client, platform, label } = connection;
  const { supplier } = config;
  const { clock, random } = environment;
  const paceNotes = new PaceNotes(journal, clock, zoneForPeople(config.timeZone));
  const noteStop = (): void => paceNotes.stopping(stop.reason ?? '', clock.now());
  stop.draining.addEventListener('abort', noteStop, { once: true });
  const told = book === undefined ? undefined : new ToldProblems();
  const total = accounts === undefined ? plans.total : undefined;
  const { limit } = request;
  const notice = new PaceNotice(total === undefined ? limit : Math.min(total, limit ?? Infinity));
  const emit = (event: RunEvent): void => {
    rejects?.hear(event);
    examples.hear(event);
    if (event.type !== 'problem') hear(event);
    else if (told === undefined || told.isNew(event.problem)) outlet.add(event.problem);
    paceNotes.hear(event);
    const sentence = notice.hear(event);
    if (sentence !== undefined) reporter.info(sentence);
    watch.hear(event);
  };
  const window = connection.importKind === 'v2' ? scheduleWindow(config, clock.now()) : {};
  const settings = withinOpenFiles(pipelineSettings(request, connection, window), reporter);
  const read = listed.met(ignored.counting(plans.plans));
  const result = await runMigration(
    {
      plans: request.approved?.following(read, { supplier, accounts }, stop.draining) ?? read,
      ...(book === undefined
        ? {}
        : {
            shared: {
              book,
              plansOf: (partitions) => ignored.counting(plans.plansOf(partitions)),
              inform: (message) => reporter.info(message),
            },
          }),
      ...(mapping === undefined
        ? {}
        : {
            recognition: {
              mapping,
              begin: (find) =>
                plans.recogniseBy(mapping.text, find && mapsAll(request) ? mappedAnyway(find) : find),
            },
          }),
      export: nameOf(request),
      place: await exportPlace(environment, request),
      added: await readAddedSteps(environment, request.path, config, () => readContract(config)),
      fixes: placesOf(environment, request.with),
      faults: plans.faults.filter(({ severity }) => severity === 'error').length,
      platform,
      platformLabel: label,
      settings,
      lease: leaseSettings(environment, config),
      boot: bootOf(clock),
      by: actorOf(environment),
      facts: since.facts,
      print: print && (() => printed(print, stop)),
      supplier,
      accounts,
      size: plans.total,
    },
    {
      client,
      journal,
      clock,
      random,
      stop,
      emit,
      byReading: byReadingOf(environment, config, connection, journal),
    },
  ).finally(() => told?.close());
  if (result.stop === undefined) for await (const problem of plans.sharedProblems()) outlet.add(problem);
  return result;
}

async function printed(
  print: ExportFingerprint,
  stop: StopControl,
): Promise<Pick<FinishedRun, 'fingerprint' | 'content'>> {
  const content = await print.content(stop.draining);
  return { fingerprint: print.fingerprint, content };
}
