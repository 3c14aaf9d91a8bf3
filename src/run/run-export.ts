import { definedFields } from '../domain/defined-fields.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import type { Journal } from '../journal/journal.ts';
import { type RunResult } from '../pipeline/run/run-migration.ts';
import type { StopControl } from '../pipeline/run/stop-control.ts';
import { runEmpty, runRefused } from '../pipeline/run/unread-runs.ts';
import type { RunEnding } from '../report/ending.ts';
import { lackOfRoom, lackText } from '../report/journal-room.ts';
import type { NightTold, ObservedEnd } from '../telemetry/run-observer.ts';
import { connect, requireCertificateCheck, type PlatformConnection } from './session/connect.ts';
import type { Environment } from '../host/environment.ts';
import { fingerprintBook, fingerprintExport, fingerprintMapping } from './reading/export-fingerprint.ts';
import { IgnoredRows } from './reading/ignored-rows.ts';
import { AccountExamples } from './account-examples.ts';
import { drivePlans, type ReadRun } from './drive-plans.ts';
import { endingOf } from './ending-of.ts';
import { withNight } from './exit-of-night.ts';
import type { RunParties, WatchedParties } from './run-parties.ts';
import { CompletedSeen, mapsAll, openEarly } from './session/early-journal.ts';
import { inTime } from './in-time.ts';
import { refuseUnreadable } from './reading/unreadable-rows.ts';
import { journalGone } from './journal-gone.ts';
import { journalOf } from './session/journal-of.ts';
import { contentOf, isUnattended } from './last-run/facts-of-run.ts';
import { sinceLastRun } from './last-run/since-last-run.ts';
import { ListedAccounts } from './listed-accounts.ts';
import { journalSpellings } from './session/journal-spellings.ts';
import { openToChange, upgradeFirst } from './session/open-to-change.ts';
import { guardOutputs } from './session/output-files.ts';
import { outputKinds } from './session/output-kinds.ts';
import { CannotStart } from '../host/cannot-start.ts';
import { otherImport } from './import-kind.ts';
import { cuttingOf } from './pipeline-settings.ts';
import { openReady } from './worker/open-ready.ts';
import { ProblemSink } from './reading/problem-sink.ts';
import { Rejects } from './rejects.ts';
import { freeFor, nightAfter } from './night-verdict.ts';
import type { RunRequest } from './run-request.ts';
import { runStops } from './run-stops.ts';
import { noneTaken } from './unknown-supplier.ts';
import { headOf, nameOf } from './run-head.ts';
import { heardBy, passHeld, passUnchanged } from './unread-export.ts';
import { untilStopped } from './until-stopped.ts';
import { brokenBy, watchRun } from './watch-run.ts';
import { noteNotBegun, type NotBegun } from './session/note-not-begun.ts';
import { refuseLostJournal } from './session/lost-journal.ts';
import { refuseRehearsal } from './session/rehearsal-beside.ts';
import { refuseOtherPlatform } from './session/unattended-platform.ts';

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
    let end: ObservedEnd | undefined;
    let night: NightTold | undefined;
    const askNight = (run: number | undefined): Promise<NightTold | undefined> =>
      inTime(environment.clock, stopping.aborted, () => nightAfter(environment, request.config, run));
    try {
      const ending = await runWatched({ ...environment, stopping }, request, {
        ...parties,
        watch,
        stop: stops.stop,
      });
      // Nobody watches: the exit code has to say how the night went.
      if (request.config.unattended && !ending.dryRun) night = await askNight(ending.run);
      const told = withNight(ending, night);
      end = endOf(told);
      return told;
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
        await watch.end(end, stops.hurry, async (run) => night ?? askNight(run));
      }
    }
  } finally {
    stops.end();
  }
}

function endOf({ stopped, night: _night, ...ending }: RunEnding): ObservedEnd {
  return { kind: 'ended', ...ending, stopped: stopped?.reason };
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
  await refuseRehearsal(environment, request, parties);
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
    const completed = mapping && new CompletedSeen();
    const content = contentOf(environment, request, stop.draining);
    const looking = early && completed && { ...early, find: completed.counting(early.find) };
    const plans = await openReady(environment, reporter, ready, stop.draining, looking).finally(() =>
      early?.close(),
    );
    try {
      if (request.skipUnreadable !== true) refuseUnreadable(plans);
      rejects?.expect(plans);
      const since = await sinceLastRun(environment, request, reporter, { plans, content, completed });
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

async function migrate(work: ReadRun): Promise<RunEnding> {
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
        const { reason, detail } = work.since.refusal;
        const stop = { reason, detail };
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
      await warnOfRoom(work, journal, connection);
      const listed = new ListedAccounts(request.accounts);
      const examples = new AccountExamples();
      const ignored = new IgnoredRows(request.config.supplier, plans.ignoredRows);
      const result = await drivePlans({ ...work, listed, examples, ignored }, connection, journal);
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
  { platform, importKind }: PlatformConnection,
  { adopt, config }: RunRequest,
): Promise<void> {
  if (adopt === true) return;
  const books = await journal.overview(platform);
  const own = books.filter(({ supplier }) => config.supplier === undefined || supplier === config.supplier);
  const why = otherImport(own, importKind);
  if (why !== undefined) throw new CannotStart(exitCodes.usage, why);
}

/** The run goes on: a disk that fills ends it, and loses nothing. */
async function warnOfRoom(
  { environment, request, plans, reporter }: ReadRun,
  journal: Journal,
  { platform }: PlatformConnection,
): Promise<void> {
  const { config, limit = Infinity, accounts, dryRun } = request;
  if (dryRun === true) return;
  const free = await freeFor(journalOf(environment, config));
  if (free === undefined) return;
  // The suppliers of the export are not known yet: other books say nothing of it.
  const isNamed = config.supplier !== undefined;
  const own = isNamed ? await journal.overview(platform) : [];
  const completed = own
    .filter(({ supplier }) => supplier === config.supplier)
    .reduce((sum, book) => sum + book.accounts.completed, 0);
  const left = Math.min(Math.max(0, plans.total - completed), limit, accounts?.size ?? Infinity);
  const lack = lackOfRoom(free, left, config.baseUrl === undefined);
  if (lack !== undefined)
    reporter.warn(`${lackText(lack, !isNamed)}. Free space: a run ends when it cannot record what it sends.`);
}

/** A run whose journal was removed reports where its records are: only now is everything recorded. */
async function whereItIs(result: RunResult, journal: Journal, at: number): Promise<RunResult> {
  if (result.stop?.reason !== 'journal-gone') return result;
  const detail = journalGone(journal.location, await journal.whereabouts(at));
  return { ...result, stop: { reason: 'journal-gone', detail } };
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
