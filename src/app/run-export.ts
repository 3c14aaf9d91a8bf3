import { exitCodeOf, exitCodes } from '../domain/exit-codes.ts';
import type { FinishedRun, Journal } from '../journal/journal.ts';
import type { RunEvent } from '../pipeline/run-events.ts';
import type { RunHead } from '../pipeline/run-record.ts';
import { runEmpty, runHeld, runUnchanged } from '../pipeline/unread-runs.ts';
import { runMigration, type RunResult } from '../pipeline/run-migration.ts';
import type { StopControl } from '../pipeline/stop-control.ts';
import { flowNote } from '../report/flow-note.ts';
import type { RunEnding } from '../report/ending.ts';
import type { RunEnd } from '../telemetry/run-observer.ts';
import { connect, platformLabel, platformOf, requireCertificateCheck, type Connection } from './connect.ts';
import { fingerprintBook, fingerprintExport, type ExportFingerprint } from './export-fingerprint.ts';
import { journalGone } from './journal-gone.ts';
import { journalOf } from './journal-of.ts';
import { leaseSettings } from './lease-settings.ts';
import { IgnoredRows } from './ignored-rows.ts';
import { ListedAccounts } from './listed-accounts.ts';
import { noneTaken, noSuchSupplier } from './unknown-supplier.ts';
import { guardOutputs } from './output-files.ts';
import { placesOf } from './open-plans-with.ts';
import { outputKinds } from './output-kinds.ts';
import { openToChange } from './open-to-change.ts';
import { cuttingOf, pipelineSettings } from './pipeline-settings.ts';
import { ProblemSink } from './problem-sink.ts';
import { openReady, type ReadyExport } from './plan-worker/open-ready.ts';
import { Rejects } from './rejects.ts';
import type { RunRequest } from './run-request.ts';
import { runStops } from './run-stops.ts';
import { isError, stopDetail } from './stop-detail.ts';
import type { Environment } from './environment.ts';
import type { Reporter } from './reporter.ts';
import { refuseUnreadable } from './unreadable-rows.ts';
import { actorOf } from './system/actor.ts';
import { bootOf } from './system/process-identity.ts';
import { AccountExamples } from './account-examples.ts';
import { addressOf } from '../source/places/places.ts';
import { brokenBy, watchRun, type RunWatch } from './watch-run.ts';

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
    let end: RunEnd | undefined;
    try {
      const ending = await runWatched(environment, request, { ...parties, watch, stop: stops.stop });
      end = endOf(ending);
      return ending;
    } catch (error) {
      end = brokenBy(error, watch.hasBegun());
      throw error;
    } finally {
      stops.workIsOver();
      parties.workIsOver?.();
      if (end !== undefined) await watch.end(end, stops.hurry);
    }
  } finally {
    stops.end();
  }
}

function endOf({ stopped, ...ending }: RunEnding): RunEnd {
  return { kind: 'ended', ...ending, ...(stopped === undefined ? {} : { stopped: stopped.reason }) };
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
  if (config.baseUrl !== undefined) requireCertificateCheck(environment.env);
  const rejects = await Rejects.open(environment, request);
  const outlet = new ProblemSink(environment, request, (problem) => hear({ type: 'problem', problem }));
  try {
    const print = await fingerprintExport(environment, request);
    const unchanged = await passUnchanged(environment, request, parties, { print, signal: stop.draining });
    if (unchanged !== undefined) return endingOf(unchanged, request, outlet);
    const book = await bookOf(environment, request, stop);
    const held = await passHeld(environment, request, parties, book);
    if (held !== undefined) return endingOf(held, request, outlet);
    const { path, with: fixes, documents } = request;
    const ready = { path, with: fixes, documents, config, cutting: cuttingOf(config) };
    const plans = await openReady(environment, reporter, ready, stop.draining);
    try {
      if (request.skipUnreadable !== true) refuseUnreadable(plans);
      await approve?.(plans.total);
      return await migrate({
        environment,
        request,
        ...parties,
        print,
        book,
        plans,
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
  readonly plans: ReadyExport;
  readonly outlet: ProblemSink;
  readonly rejects: Rejects | undefined;
}

async function migrate(work: Work): Promise<RunEnding> {
  const { environment, request, reporter, plans, stop, outlet, rejects } = work;
  const journal = await openToChange(environment, request.config, reporter, {
    create: true,
    checkAfterCrash: true,
  });
  try {
    const connection = await connect(environment, request.config);
    try {
      for (const problem of plans.faults) outlet.add(problem);
      if (plans.total === 0 && plans.faults.length === 0) {
        reporter.warn(`${nameOf(request)} has no accounts in it, so there is nothing to do.`);
        const head = headOf(environment, request, connection.platform);
        const { clock } = environment;
        const empty = await runEmpty(head, { journal, clock, emit: heardBy(work) });
        return endingOf(empty, request, outlet);
      }
      const listed = new ListedAccounts(request.accounts);
      const examples = new AccountExamples();
      const ignored = new IgnoredRows(request.config.supplier);
      const result = await drive({ ...work, listed, examples, ignored }, connection, journal);
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
        ignoredRows: ignored.count,
        ...examples.found(),
      };
    } finally {
      await connection.close();
    }
  } finally {
    await journal.close();
  }
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
    reporter,
    plans,
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
  { client, platform, label, ...connection }: Connection,
  journal: Journal,
): Promise<RunResult> {
  const { config, accounts } = request;
  const { supplier } = config;
  const { clock, random } = environment;
  let run = 0;
  const emit = (event: RunEvent): void => {
    rejects?.hear(event);
    examples.hear(event);
    if (event.type === 'problem') outlet.add(event.problem);
    else hear(event);
    if (event.type === 'begun') run = event.run;
    // The run itself reports a journal that cannot be written.
    if (event.type === 'flow') journal.notePace(run, flowNote(event)).catch(() => undefined);
    watch.hear(event);
  };
  const settings = pipelineSettings(request, connection);
  const read = listed.met(ignored.counting(plans.plans));
  const result = await runMigration(
    {
      plans: request.approved?.following(read, { supplier, accounts }) ?? read,
      ...(book === undefined
        ? {}
        : {
            shared: {
              book,
              plansOf: (partitions) => ignored.counting(plans.plansOf(partitions)),
              inform: (message) => reporter.info(message),
            },
          }),
      export: nameOf(request),
      place: addressOf(environment.cwd, nameOf(request)),
      fixes: placesOf(environment, request.with),
      faults: plans.faults.filter(({ severity }) => severity === 'error').length,
      platform,
      platformLabel: label,
      settings,
      lease: leaseSettings(environment, config),
      boot: bootOf(clock),
      by: actorOf(environment),
      print: print && (() => printed(print, stop)),
      supplier,
      accounts,
      size: plans.total,
    },
    { client, journal, clock, random, stop, emit },
  );
  if (result.stop === undefined) for await (const problem of plans.sharedProblems()) outlet.add(problem);
  return result;
}

/**
 * A run without anything to read or send, because everything is unchanged since an earlier one; undefined if that is
 * not so, or not certain.
 */
async function passUnchanged(
  environment: Environment,
  request: RunRequest,
  { reporter, hear, watch }: WatchedParties,
  { print, signal }: { readonly print: ExportFingerprint | undefined; readonly signal: AbortSignal },
): Promise<RunResult | undefined> {
  const { config, checksum = false, problems, rejects } = request;
  const wantsReading = problems !== undefined || rejects !== undefined;
  if (print === undefined || wantsReading || !(await journalOf(environment, config).exists()))
    return undefined;
  // First of all: if the journal cannot be used, that is reported.
  const journal = await openToChange(environment, config, reporter, { create: false, checkAfterCrash: true });
  try {
    const platform = await platformOf(config);
    if (platform === undefined) return undefined;
    const finished = await leftBy(await journal.finishedRuns(platform), print, checksum, signal);
    if (finished === undefined) return undefined;
    const emit = heardBy({ hear, watch });
    const head = headOf(environment, { ...request, dryRun: false }, platform);
    const result = await runUnchanged(head, finished, { journal, clock: environment.clock, emit });
    return result;
  } finally {
    await journal.close();
  }
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

/**
 * A run whose supplier another run holds, if that is known before the export is read, which may take minutes;
 * undefined if the supplier is free, or not known yet.
 */
async function passHeld(
  environment: Environment,
  request: RunRequest,
  { reporter, hear, watch }: WatchedParties,
  book: string | undefined,
): Promise<RunResult | undefined> {
  const { config } = request;
  const store = journalOf(environment, config);
  if (!(await store.exists())) return undefined;
  const platform = await platformOf(config);
  if (platform === undefined) return undefined;
  const { clock } = environment;
  const { isDead } = leaseSettings(environment, config);
  const wanted = { platform, supplier: config.supplier, export: nameOf(request), book };
  const found = await store.heldSupplier(wanted, { now: clock.now(), isDead });
  if (found === undefined) return undefined;
  const journal = await openToChange(environment, config, reporter, { create: false });
  try {
    const emit = heardBy({ hear, watch });
    return await runHeld(headOf(environment, request, platform), found, { journal, clock, emit });
  } finally {
    await journal.close();
  }
}

/** For a run that reads no account: everybody hears of it. */
function heardBy({ hear, watch }: Pick<WatchedParties, 'hear' | 'watch'>): (event: RunEvent) => void {
  return (event) => {
    hear(event);
    watch.hear(event);
  };
}

/** What people and the journal call the export. */
function nameOf({ path, name = path }: Pick<RunRequest, 'path' | 'name'>): string {
  return name;
}

/** The history's record of a run that reads no account. */
function headOf(
  environment: Environment,
  request: Pick<RunRequest, 'config' | 'path' | 'name' | 'dryRun'>,
  platform: string,
): RunHead {
  const { config, dryRun = false } = request;
  return {
    ...{ platform, platformLabel: platformLabel(config), export: nameOf(request), dryRun },
    boot: bootOf(environment.clock),
    by: actorOf(environment),
    supplier: config.supplier,
  };
}

/** The earlier run with the same export: by the metadata of its files, or by their contents. */
async function leftBy(
  runs: readonly FinishedRun[],
  print: ExportFingerprint,
  checksum: boolean,
  signal: AbortSignal,
): Promise<FinishedRun | undefined> {
  const asItLies = runs.find(({ fingerprint }) => fingerprint === print.fingerprint);
  if (asItLies !== undefined && !checksum) return asItLies;
  // With another size the contents differ, so they need not be read.
  const likely = runs.filter(({ content }) => content?.startsWith(`${print.bytes} `));
  if (likely.length === 0) return undefined;
  const held = await print.content(signal);
  return likely.find(({ content }) => content === held);
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
  const stopped = stop && { reason: stop.reason, detail: stopDetail(stop.reason, stop.detail, heldBy) };
  const { totals, errors: unlisted } = outlet.complete();
  const errors = [...unlisted, ...unwritten];
  return {
    ...figures,
    ignoredRows: null,
    platform: platformLabel(request.config),
    dryRun: request.dryRun ?? false,
    problems: totals,
    exit: exitCodeOf([exit, ...(errors.length > 0 ? [exitCodes.usage] : [])]),
    errors: [
      ...errors,
      ...unknown,
      ...(stopped !== undefined && isError(stopped.reason) ? [stopped.detail] : []),
    ],
    ...(stopped === undefined ? {} : { stopped }),
  };
}
