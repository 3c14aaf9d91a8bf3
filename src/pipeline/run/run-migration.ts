import { leavesWork, withTotal, withUncounted, type AccountCounts } from '../../domain/account-state.ts';
import { noSuchSupplier } from '../../domain/no-such-supplier.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { LeaseHeld } from '../../journal/journal.ts';
import { joinBook } from './join-book.ts';
import { Migration } from './migration.ts';
import { rememberedPace } from './remembered-pace.ts';
import { rememberedSizes } from './remembered-sizes.ts';
import { RunClock } from './run-clock.ts';
import { aboutStop, type StopReason } from '../../domain/stop-reason.ts';
import { AlreadyThere, hasNothingOfItsOwn } from './already-there.ts';
import { DrivenAccounts } from './driven-accounts.ts';
import type { RunFigures } from './run-figures.ts';
import type { RunInput, RunPorts } from './run-input.ts';
import { beginRun } from './run-record.ts';

/** The largest difference between two readings of the boot time if nobody set the clock. */
export const clockGrainMs = 2_000;

export interface RunResult extends RunFigures {
  /** The suppliers of the export, if it has accounts but none of the requested supplier. */
  readonly otherSuppliers?: readonly string[] | undefined;
  readonly stop?: { readonly reason: StopReason; readonly detail: string } | undefined;
  /** The holder of the supplier, if that ended the run. */
  readonly heldBy?: LeaseHeld | undefined;
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
    ...endedFor(stop, input.supplier, { requests, otherSuppliers }),
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
    workLeft:
      otherSuppliers !== undefined ||
      leavesWork(counts.isAllCounted ? withTotal(taken) : withUncounted(book, unread)),
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

/** Why a run ended, as the history has it: one whose export is that of other suppliers did not begin, unless it sent items. */
function endedFor(
  stop: RunPorts['stop'],
  wanted: string | undefined,
  { requests, otherSuppliers }: Pick<RunResult, 'requests' | 'otherSuppliers'>,
): { readonly reason: string; readonly detail: string } {
  if (stop.reason === undefined && otherSuppliers !== undefined)
    return {
      reason: requests === 0 ? 'not-begun' : 'broke-off',
      detail: noSuchSupplier(wanted, otherSuppliers),
    };
  return { reason: stop.reason ?? '', detail: stop.detail };
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
