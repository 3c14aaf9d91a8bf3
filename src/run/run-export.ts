import { definedFields } from '../domain/defined-fields.ts';
import type { AccountState } from '../domain/account-state.ts';
import { exitCodeOf, exitCodes } from '../domain/exit-codes.ts';
import { changedAfterImport } from '../domain/shared-codes.ts';
import type { FinishedRun, Journal, RowsAsked } from '../journal/journal.ts';
import type { RunEvent } from '../pipeline/run/run-events.ts';
import { runMigration, type RunResult } from '../pipeline/run/run-migration.ts';
import type { StopControl } from '../pipeline/run/stop-control.ts';
import { runEmpty, runRefused } from '../pipeline/run/unread-runs.ts';
import type { ChangeCause } from '../domain/change-cause.ts';
import type { MappingPrint } from '../pipeline/mapping-print.ts';
import { PaceNotice } from '../report/pace-notice.ts';
import type { RunEnding } from '../report/ending.ts';
import { zoneForPeople } from '../report/format.ts';
import type { RunEnd } from '../telemetry/run-observer.ts';
import {
  connect,
  placeOf,
  platformOf,
  requireCertificateCheck,
  type Connection,
  unlessOutdated,
} from './session/connect.ts';
import type { Environment, Reporter } from '../host/environment.ts';
import { exportPlace } from './reading/export-place.ts';
import {
  fingerprintBook,
  fingerprintExport,
  fingerprintMapping,
  type ExportFingerprint,
} from './reading/export-fingerprint.ts';
import { IgnoredRows } from './reading/ignored-rows.ts';
import { inTime } from './in-time.ts';
import { refuseUnreadable } from './reading/unreadable-rows.ts';
import { journalGone } from './journal-gone.ts';
import { journalOf } from './session/journal-of.ts';
import { leaseSettings } from './session/lease-settings.ts';
import { contentOf, isUnattended } from './last-run/facts-of-run.ts';
import { sinceLastRun, type SinceLastRun } from './last-run/since-last-run.ts';
import { ListedAccounts } from './listed-accounts.ts';
import { placesOf } from './reading/open-plans-with.ts';
import { journalSpellings } from './session/journal-spellings.ts';
import { openToChange, upgradeFirst } from './session/open-to-change.ts';
import { guardOutputs } from './session/output-files.ts';
import { outputKinds } from './session/output-kinds.ts';
import { CannotStart } from '../host/cannot-start.ts';
import { otherImport } from './import-kind.ts';
import { scheduleWindow } from './schedule-window.ts';
import { cuttingOf, pipelineSettings } from './pipeline-settings.ts';
import { openReady, type FindRows, type ReadyExport } from './worker/open-ready.ts';
import { ProblemSink } from './reading/problem-sink.ts';
import { Rejects } from './rejects.ts';
import { ToldProblems } from './reading/told-problems.ts';
import { nightAfter } from './night-verdict.ts';
import { PaceNotes } from './pace-notes.ts';
import type { RunRequest } from './run-request.ts';
import { byReadingOf } from './read-back/by-reading-of.ts';
import { runStops } from './run-stops.ts';
import { stopDetail } from '../report/advice/stop-detail.ts';
import { isError, whyNotJoined } from './stop-messages.ts';
import { actorOf } from '../host/actor.ts';
import { bootOf } from '../host/process-identity.ts';
import { noneTaken, noSuchSupplier } from './unknown-supplier.ts';
import { headOf, nameOf } from './run-head.ts';
import { heardBy, passHeld, passUnchanged } from './unread-export.ts';
import { untilStopped } from './until-stopped.ts';
import { brokenBy, watchRun, type RunWatch } from './watch-run.ts';
import { noteNotBegun, type NotBegun } from './session/note-not-begun.ts';
import { refuseLostJournal } from './session/lost-journal.ts';
import { refuseOtherPlatform } from './session/unattended-platform.ts';
import { withinOpenFiles } from './session/within-open-files.ts';

/** The callbacks of a run. */
export interface RunParties {
  readonly reporter: Reporter;
  /** Called with every event, and every problem of the export. */
  readonly hear: (event: RunEvent) => void;
  /** Called when the export is read and nothing was sent; throws CannotStart to cancel. */
  readonly approve?: (accounts: number) => Promise<void>;
  /** Called when the work is over, before the wait for notifications and other outputs. */
  readonly workIsOver?: () => void;
}

/**
 * One run of an export, from its files to its end: the work of `migrate run`. Throws CannotStart if it cannot start,
 * and DatabaseRefused if the journal cannot be used.
 */
export async function runExport(
  environment: Environment,
  request: RunRequest,
  parties: RunParties,
): Promise<RunEnding> {
  const { reporter } = parties;
  // Before the log is opened.
  await guardRun(environment, request);
  const stops = runStops(environment, reporter, request);
  try {
    const watch = await watchRun(environment, reporter, request.config);
    const stopping = stops.stop.draining;
    let end: RunEnd | undefined;
    try {
      const ending = await runWatched({ ...environment, stopping }, request, {
        ...parties,
        watch,
        stop: stops.stop,
      });
      end = endOf(ending);
      return ending;
    } catch (error) {
      const broken = brokenBy(error, watch.hasBegun());
      end = broken;
      await inTime(environment.clock, stopping.aborted, () =>
        noteNotBegun(environment, notBegunOf(request), broken),
      );
      throw error;
    } finally {
      stops.workIsOver();
      parties.workIsOver?.();
      if (end !== undefined) {
        const night = () =>
          inTime(environment.clock, stopping.aborted, () => nightAfter(environment, request.config));
        await watch.end(end, stops.hurry, night);
      }
    }
  } finally {
    stops.end();
  }
}

function endOf({ stopped, ...ending }: RunEnding): RunEnd {
  return { kind: 'ended', ...ending, stopped: stopped?.reason };
}

/** The observers of a run, and its stop control. */
interface WatchedParties extends RunParties {
  readonly watch: RunWatch;
  readonly stop: StopControl;
}

async function runWatched(
  environment: Environment,
  request: RunRequest,
  parties: WatchedParties,
): Promise<RunEnding> {
  const { config } = request;
  const { reporter, hear, approve, stop } = parties;
  await refuseOtherPlatform(environment, config);
  await refuseLostJournal(environment, config, isUnattended(request));
  if (config.baseUrl !== undefined) requireCertificateCheck(environment.env);
  await untilStopped(
    stop.draining,
    (signal) => journalOf(environment, config).awaited({ warn: (message) => reporter.warn(message), signal }),
    'it waited for the journal',
  );
  await upgradeFirst(environment, config, reporter);
  const rejects = await Rejects.open(environment, request);
  const outlet = new ProblemSink(environment, request, (problem) => hear({ type: 'problem', problem }));
  try {
    const print = await fingerprintExport(environment, request);
    const unchanged = await passUnchanged(environment, request, parties, { print, signal: stop.draining });
    if (unchanged !== undefined) return endingOf(unchanged, request, outlet);
    const book = await bookOf(environment, request, stop);
    const mapping = await fingerprintMapping(request);
    const held = await passHeld(environment, request, parties, book);
    if (held !== undefined) return endingOf(held, request, outlet);
    const { path, with: fixes, withNew, documents } = request;
    const ready = {
      ...definedFields({ path, with: fixes, withNew, documents }),
      config,
      cutting: cuttingOf(config),
      spellings: journalSpellings(environment, config),
    };
    const early =
      mapping === undefined || mapsAll(request)
        ? undefined
        : await openEarly(environment, request, mapping.text);
    const content = contentOf(environment, request, stop.draining);
    const plans = await openReady(environment, reporter, ready, stop.draining, early).finally(() =>
      early?.close(),
    );
    try {
      if (request.skipUnreadable !== true) refuseUnreadable(plans);
      rejects?.expect(plans);
      const since = await sinceLastRun(environment, request, reporter, { plans, content });
      await approve?.(plans.total);
      return await migrate({
        environment,
        request,
        ...parties,
        print,
        book,
        mapping,
        plans,
        since,
        outlet,
        rejects,
      });
    } finally {
      await plans.close();
    }
  } finally {
    outlet.close();
    rejects?.close();
  }
}

function notBegunOf(request: RunRequest): NotBegun {
  const { config, unattended = false } = request;
  return { config, export: nameOf(request), unattended };
}

function guardRun(environment: Environment, request: RunRequest): Promise<void> {
  const { config, path, documents, accountsFile, problems, rejects, force } = request;
  const outputs = [
    { name: '--problems', path: problems, kind: outputKinds.problems },
    { name: '--rejects', path: rejects },
    { name: '--log', path: config.log.file, kind: outputKinds.log },
    { name: '--metrics-file', path: config.metrics.file, kind: outputKinds.metrics },
  ];
  const inputs = { export: path, with: request.with, documents, accounts: accountsFile };
  return guardOutputs(environment, config, outputs, { inputs, force });
}

interface Work extends WatchedParties {
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

async function migrate(work: Work): Promise<RunEnding> {
  const { environment, request, reporter, plans, stop, outlet, rejects } = work;
  const journal = await openToChange(environment, request.config, reporter, {
    create: true,
    checkAfterCrash: true,
    stop: stop.draining,
  });
  try {
    const connection = await connect(environment, request.config);
    try {
      await refuseOtherImport(journal, connection, request);
      if (work.since.refusal !== undefined) {
        const head = headOf(environment, request, connection.platform);
        const stop = { reason: 'export-shrank', detail: work.since.refusal } as const;
        const ports = { journal, clock: environment.clock, emit: heardBy(work) };
        const result = await runRefused(head, { ...stop, exit: exitCodes.usage }, ports);
        return endingOf({ ...result, stop }, request, outlet);
      }
      for (const problem of plans.faults) outlet.add(problem);
      if (plans.total === 0 && plans.faults.length === 0) {
        reporter.warn(`${nameOf(request)} has no accounts, so there is nothing to do.`);
        const head = headOf(environment, request, connection.platform);
        const { clock } = environment;
        const empty = await runEmpty(head, { journal, clock, emit: heardBy(work) });
        return endingOf(empty, request, outlet);
      }
      const listed = new ListedAccounts(request.accounts);
      const examples = new AccountExamples();
      const ignored = new IgnoredRows(request.config.supplier, plans.ignoredRows);
      const result = await drive({ ...work, listed, examples, ignored }, connection, journal);
      if (work.book !== undefined && !stop.aborting.aborted)
        await rejects?.addRecorded({ journal, platform: connection.platform }, result.suppliers);
      const unwritten = stop.aborting.aborted ? [] : await rejects?.write(plans, reporter);
      const isNoneTaken = Object.values(result.taken).every((count) => count === 0);
      const hasOthersAlone = result.otherSuppliers !== undefined;
      if (isNoneTaken && plans.total > 0 && result.stop === undefined && !hasOthersAlone)
        reporter.warn(noneTaken);
      if (result.stop === undefined)
        listed.warnings('the export').forEach((warning) => reporter.warn(warning));
      const settled = await whereItIs(result, journal, environment.clock.now());
      return {
        ...endingOf(settled, request, outlet, unwritten),
        ...(unwritten?.length === 0 && rejects !== undefined ? { rejectedRows: rejects.accounts } : {}),
        ignoredRows: ignored.count,
        isShared: work.book !== undefined,
        ...examples.found(),
      };
    } finally {
      await connection.close();
    }
  } finally {
    await journal.close();
  }
}

/** A book that was begun in one way is not continued in the other by mistake. */
async function refuseOtherImport(
  journal: Journal,
  { platform, importKind }: Connection,
  { adopt, config }: RunRequest,
): Promise<void> {
  if (adopt === true) return;
  const books = await journal.overview(platform);
  const own = books.filter(({ supplier }) => config.supplier === undefined || supplier === config.supplier);
  const why = otherImport(own, importKind);
  if (why !== undefined) throw new CannotStart(exitCodes.usage, why);
}

/** A run whose journal was removed reports where its records are: only now is everything recorded. */
async function whereItIs(result: RunResult, journal: Journal, at: number): Promise<RunResult> {
  if (result.stop?.reason !== 'journal-gone') return result;
  const detail = journalGone(journal.location, await journal.whereabouts(at));
  return { ...result, stop: { reason: 'journal-gone', detail } };
}

async function drive(
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
  }: Work & {
    readonly listed: ListedAccounts;
    readonly examples: AccountExamples;
    readonly ignored: IgnoredRows;
  },
  connection: Connection,
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

/** Whether every account is to be mapped, changed or not: for the problems that it has, or to be compared with a list. */
function mapsAll({ problems, rejects, documents, accounts, approved, dryRun }: RunRequest): boolean {
  return (
    [problems, rejects, documents, accounts, approved].some((one) => one !== undefined) || dryRun === true
  );
}

/** Unchanged accounts are mapped too. */
function mappedAnyway(find: FindRows): FindRows {
  return async (accounts) =>
    (await find(accounts)).map((found) => (found.is === 'unchanged' ? { is: 'same' } : found));
}

/**
 * The journal for looking accounts up while the export is first read; undefined if there is none. What it says is asked again
 * when the run holds the accounts.
 */
async function openEarly(environment: Environment, request: RunRequest, mapping: string) {
  const store = journalOf(environment, request.config);
  if (!(await store.exists())) return undefined;
  const platform = await platformOf(environment, request.config);
  if (platform === undefined) return undefined;
  const journal = await store.open({ create: false, reading: true }).catch(unlessOutdated);
  if (journal === undefined) return undefined;
  const place = await exportPlace(environment, request);
  return {
    mapping,
    find: (accounts: readonly RowsAsked[]) => journal.recognise(platform, place, accounts),
    close: () => journal.close(),
  };
}

/** An embedded platform is this machine's own. */
async function bookOf(
  environment: Environment,
  request: RunRequest,
  stop: StopControl,
): Promise<string | undefined> {
  const { config, approved } = request;
  // What was approved is driven by the run that compared it.
  if (config.baseUrl === undefined || approved !== undefined || !journalOf(environment, config).isShared)
    return undefined;
  return fingerprintBook(environment, request, stop.draining);
}

async function printed(
  print: ExportFingerprint,
  stop: StopControl,
): Promise<Pick<FinishedRun, 'fingerprint' | 'content'>> {
  const content = await print.content(stop.draining);
  return { fingerprint: print.fingerprint, content };
}

function endingOf(
  result: RunResult,
  request: RunRequest,
  outlet: ProblemSink,
  unwritten: readonly string[] = [],
): RunEnding {
  const { stop, heldBy, exit, otherSuppliers, ...figures } = result;
  const { supplier } = request.config;
  const unknown = otherSuppliers === undefined ? [] : [noSuchSupplier(supplier, otherSuppliers)];
  const notJoined = heldBy?.sharedWith === undefined ? '' : ` ${whyNotJoined(request)}`;
  const stopped = stop && {
    reason: stop.reason,
    detail: `${stopDetail(stop.reason, stop.detail, heldBy)}${notJoined}`,
  };
  const { totals, errors: unlisted } = outlet.complete();
  const errors = [...unlisted, ...unwritten];
  return definedFields({
    ...figures,
    ignoredRows: null,
    knowsNotDelivered: request.config.notDelivered !== undefined,
    ...placeOf(request.config),
    dryRun: request.dryRun ?? false,
    problems: totals,
    exit: exitCodeOf([exit, ...(errors.length > 0 ? [exitCodes.usage] : [])]),
    errors: [
      ...errors,
      ...unknown,
      ...(stopped !== undefined && isError(stopped.reason) ? [stopped.detail] : []),
    ],
    stopped,
  });
}

/** Keeps one account of each state of a run, as examples for the advice at its end. */
class AccountExamples {
  readonly #first = new Map<AccountState, string>();
  #changed = 0;
  readonly #causes = new Map<string, { readonly cause: ChangeCause; readonly accounts: number }>();

  hear(event: RunEvent): void {
    if (event.type !== 'account') return;
    const { account, state, code, changedBy } = event;
    if (state === 'rejected' && code === changedAfterImport) {
      this.#changed += 1;
      if (changedBy !== undefined) {
        const key = JSON.stringify(changedBy);
        this.#causes.set(key, { cause: changedBy, accounts: (this.#causes.get(key)?.accounts ?? 0) + 1 });
      }
    } else if (!this.#first.has(state)) this.#first.set(state, account);
  }

  found(): Pick<RunEnding, 'examples' | 'changedAfterImport' | 'changedBy'> {
    const changedBy = [...this.#causes.values()];
    return definedFields({
      examples: Object.fromEntries(this.#first),
      changedAfterImport: this.#changed,
      changedBy: changedBy.length === 0 ? undefined : changedBy,
    });
  }
}
