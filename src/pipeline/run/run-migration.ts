import {
  leavesWork,
  withTotal,
  withUncounted,
  type AccountCounts,
  type RunCounts,
} from '../../domain/account-state.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { RunPace } from '../../domain/found-pace.ts';
import type { LeaseHeld, PartlyRead } from '../../journal/journal.ts';
import type { BodyLimit } from '../../domain/request-too-large.ts';
import type { FailingStep } from '../../domain/failing-step.ts';
import { joinBook } from './join-book.ts';
import { Migration } from './migration.ts';
import { rememberedPace } from './remembered-pace.ts';
import { rememberedSizes } from './remembered-sizes.ts';
import { RunClock } from './run-clock.ts';
import { aboutStop, type StopReason } from '../../domain/stop-reason.ts';
import { AlreadyThere, hasNothingOfItsOwn } from './already-there.ts';
import { DrivenAccounts } from './driven-accounts.ts';
import type { RunInput, RunPorts } from './run-input.ts';
import { beginRun } from './run-record.ts';

/** The largest difference between two readings of the boot time if nobody set the clock. */
export const clockGrainMs = 2_000;

export interface RunResult {
  readonly run: number;
  readonly suppliers: readonly string[];
  /** The book of the suppliers that were taken: every account of theirs that a run has read from an export. */
  readonly accounts: RunCounts;
  /** The exports of these suppliers that no run has read to their end. */
  readonly partlyRead: readonly PartlyRead[];
  /** Whether the same command, run again, would find accounts to drive. What needs a fix or a ruling is none. */
  readonly workLeft: boolean;
  /** Those of them that the filters took. */
  readonly taken: AccountCounts;
  /** Of the skipped ones, those that a person ruled to be somebody else's; absent if there are none. */
  readonly notOurs?: number;
  /** The suppliers of the export, if it has accounts but none of the requested supplier. */
  readonly otherSuppliers?: readonly string[] | undefined;
  readonly wouldImport: number;
  /** Of the pending accounts of the book, those whose data a dry run staged. */
  readonly stagedByDryRun: number;
  readonly changedInBook: number;
  readonly refusedInBook: number;
  /** Accounts whose state stays, and whose data in the export is refused now; absent if there are none. */
  readonly refusedData?: number;
  /** Accounts that an earlier run read from the export, and that this one no longer found in it; absent if there are none. */
  readonly leftExport?: number;
  /** Rows and files of the export that are faulty, and belong to no account; absent if there are none. */
  readonly faults?: number;
  /**
   * Accounts whose rows changed, those that were left alone because theirs did not, and those of which they did not and that
   * were checked again; absent if rows were not compared.
   */
  readonly rows?: { readonly changed: number; readonly unchanged: number; readonly same: number };
  /** Steps at which several accounts failed for one cause, while the platform answered others; absent if there are none. */
  readonly failingSteps?: readonly FailingStep[];
  readonly requests: number;
  readonly retries: number;
  readonly pace?: RunPace | undefined;
  /** The largest bodies, if a gateway refused one for its size. */
  readonly bodyLimit?: BodyLimit | undefined;
  readonly durationMs: number;
  /** The earlier run that left nothing to do in the identical export, which was therefore not read again. */
  readonly unchangedSince?: number;
  readonly stop?: { readonly reason: StopReason; readonly detail: string } | undefined;
  /** The holder of the supplier, if that ended the run. */
  readonly heldBy?: LeaseHeld | undefined;
  /** Accounts of these suppliers that have the platform number of another account, which is not settled. */
  readonly doubled: number;
  readonly exit: ExitCode;
}

/**
 * Migrates every account of an export that has work left, as many concurrently as the platform takes, and records
 * everything in the journal. Can be stopped at any moment and run again.
 */
export async function runMigration(input: RunInput, given: RunPorts): Promise<RunResult> {
  const clock = new RunClock(given.clock);
  const driven = new DrivenAccounts();
  const isNew = (await given.journal.overview(input.platform)).every(hasNothingOfItsOwn);
  const watch = isNew && !input.settings.adopt ? new AlreadyThere(given.stop) : undefined;
  const emit = driven.heardBefore((event) => {
    watch?.hear(event);
    given.emit(event);
  });
  const ports = { ...given, clock, emit };
  const { journal, stop } = ports;
  const since = clock.monotonic();
  const { settings, size, accounts } = input;
  const named = accounts === undefined ? size : undefined;
  const { run } = await beginRun({ ...input, named, dryRun: settings.dryRun }, ports);
  const clockSince = await journal.sameBootSince(run, input.boot, clockGrainMs);
  const joined = await joinBook(input, ports, run);
  const own = joined === undefined ? input : { ...input, place: joined.place, fixes: joined.fixes };
  const remembered = await rememberedPace(journal, input.platform, run, clock.now());
  const migration = new Migration(own, ports, run, {
    clockSince,
    joined,
    remembered,
    bodyLimit: await rememberedSizes(journal, input.platform, run, clock.now()),
    fixes: input.fixes ?? [],
  });
  const { counts, rows, tally, heldBy, doubled } = await migration.run();
  const { requests, retries } = tally;
  const { taken, book, unread, uncounted, partlyRead, otherSuppliers } = counts;

  const endedAt = clock.now();
  const exit = exitCodeOf([
    ...exitCodesHolding(
      { ...taken, skipped: taken.skipped - counts.ruled },
      stop.reasons,
      input.faults + counts.refused,
    ),
    ...(otherSuppliers === undefined ? [] : [exitCodes.usage]),
    ...(doubled > 0 ? [exitCodes.uncertain] : []),
  ]);
  await journal.finishRun(run, {
    endedAt,
    exit,
    reason: stop.reason ?? '',
    detail: stop.detail,
    accounts: book,
    driven: driven.counts,
    uncounted: uncounted === 0 ? undefined : uncounted,
    withoutSupplier: counts.withoutSupplier,
    shared: migration.failuresApart.conclude(),
    requests,
    retries,
  });
  return {
    run,
    suppliers: [...counts.suppliers].sort(),
    accounts: withUncounted(book, uncounted),
    partlyRead,
    workLeft: leavesWork(counts.isAllCounted ? withTotal(taken) : withUncounted(book, unread)),
    taken,
    otherSuppliers,
    ...(counts.ruled === 0 ? {} : { notOurs: counts.ruled }),
    wouldImport: counts.wouldImport,
    stagedByDryRun: counts.stagedByDryRun,
    changedInBook: counts.changedInBook,
    refusedInBook: counts.refusedInBook,
    ...(counts.refused === 0 ? {} : { refusedData: counts.refused }),
    ...(counts.left === 0 ? {} : { leftExport: counts.left }),
    ...(input.faults === 0 ? {} : { faults: input.faults }),
    ...(input.recognition === undefined
      ? {}
      : { rows: { changed: rows.changed, unchanged: rows.unchanged, same: rows.same } }),
    ...(migration.failingSteps.found.length === 0 ? {} : { failingSteps: migration.failingSteps.found }),
    requests,
    retries,
    pace: migration.pace,
    bodyLimit: migration.sizes.limit,
    durationMs: Math.round(clock.monotonic() - since),
    doubled,
    exit,
    stop: stop.reason === undefined ? undefined : { reason: stop.reason, detail: stop.detail },
    heldBy,
  };
}

/** The exit codes that apply to a run; `counts` without the accounts of others that were ruled on; `faults`: rows of the export that belong to no account, and refused data. */
function* exitCodesHolding(
  counts: AccountCounts,
  reasons: Iterable<StopReason>,
  faults: number,
): Iterable<ExitCode> {
  for (const reason of reasons) yield aboutStop(reason).exit;
  if (counts.uncertain > 0) yield exitCodes.uncertain;
  if (counts.rejected + counts.failed + counts.skipped + faults > 0) yield exitCodes.accountsRejected;
}
