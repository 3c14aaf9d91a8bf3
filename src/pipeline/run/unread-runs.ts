import {
  withTotal,
  zeroCounts,
  accountStates,
  withUncounted,
  uncountedOf,
} from '../../domain/account-state.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { notOurs } from '../../domain/shared-codes.ts';
import type { FinishedRun, Journal, LeaseHeld, SupplierOverview } from '../../journal/journal.ts';
import { partlyReadOf } from './book-counts.ts';
import type { BreakReason, StopReason } from '../../domain/stop-reason.ts';
import type { RunPorts } from './run-input.ts';
import type { RunResult } from './run-migration.ts';
import { beginRun, type RunHead } from './run-record.ts';

type Ports = Pick<RunPorts, 'journal' | 'clock' | 'emit'>;

/** A run whose supplier another one holds, which is known before the export is read: it reads nothing and sends nothing. */
export async function runHeld(
  head: RunHead,
  { supplier, held }: { readonly supplier: string; readonly held: LeaseHeld },
  ports: Ports,
): Promise<RunResult> {
  const ended = await endAtOnce(head, { exit: exitCodes.supplierHeld, reason: 'held' }, ports);
  const accounts = { ...ended.accounts, uncounted: null };
  return { ...ended, accounts, workLeft: true, stop: { reason: 'held', detail: supplier }, heldBy: held };
}

/**
 * A run over an export without accounts: it is in the history, and changes nothing. Its book stays as it is, because an
 * export that came empty says nothing about accounts that an earlier one had.
 */
export function runEmpty(head: RunHead, ports: Ports): Promise<RunResult> {
  return endAtOnce(head, { exit: exitCodes.done, reason: '' }, ports);
}

/** Accounts of these suppliers that a person ruled to be somebody else's. */
async function countRuled(
  journal: Pick<Journal, 'accounts'>,
  books: readonly SupplierOverview[],
): Promise<number> {
  let ruled = 0;
  for (const { platform, supplier } of books)
    for await (const { code } of journal.accounts(platform, supplier, ['skipped']))
      if (code === notOurs) ruled += 1;
  return ruled;
}

/** A run that was not to send anything: it is in the history, with the reason. */
export async function runRefused(
  head: RunHead,
  refused: {
    readonly reason: StopReason | BreakReason;
    readonly detail: string;
    readonly exit: ExitCode;
  },
  ports: Ports,
): Promise<RunResult> {
  const ended = await endAtOnce(head, refused, ports);
  return { ...ended, accounts: { ...ended.accounts, uncounted: null }, workLeft: true };
}

/** A run that is in the history, and counts no account. */
async function endAtOnce(
  head: RunHead,
  { exit, reason, detail }: { readonly exit: ExitCode; readonly reason: string; readonly detail?: string },
  ports: Ports,
): Promise<RunResult> {
  const since = ports.clock.monotonic();
  const { run } = await beginRun(head, ports);
  const none = zeroCounts();
  const [requests, retries] = [0, 0];
  const end = { endedAt: ports.clock.now(), exit, reason, detail, accounts: none, requests, retries };
  await ports.journal.finishRun(run, end);
  return {
    ...{ run, requests, retries, exit },
    suppliers: [],
    accounts: { ...withTotal(none), uncounted: 0 },
    partlyRead: [],
    workLeft: false,
    taken: none,
    wouldImport: 0,
    stagedByDryRun: 0,
    changedInBook: 0,
    refusedInBook: 0,
    durationMs: Math.round(ports.clock.monotonic() - since),
    doubled: 0,
  };
}

/**
 * A run over an export that is unchanged since a run that left nothing to do: it is in the history, and neither reads
 * an account nor sends a request.
 */
export async function runUnchanged(
  head: RunHead,
  { run: unchangedSince, suppliers, accounts }: FinishedRun,
  ports: Ports,
): Promise<RunResult> {
  const since = ports.clock.monotonic();
  const { run } = await beginRun(head, ports);
  const endedAt = ports.clock.now();
  const book = zeroCounts();
  const overviews = await ports.journal.overview(head.platform);
  const books = overviews.filter(({ supplier }) => suppliers.includes(supplier));
  for (const { accounts: now } of books) for (const state of accountStates) book[state] += now[state];
  const partlyRead = partlyReadOf(books);
  const uncounted = uncountedOf(partlyRead);
  const ruled = accounts.skipped === 0 ? 0 : await countRuled(ports.journal, books);
  const exit = accounts.skipped > ruled ? exitCodes.accountsRejected : exitCodes.done;
  const [requests, retries] = [0, 0];
  await ports.journal.finishRun(run, {
    ...{ endedAt, exit, reason: '', accounts: book, requests, retries },
    uncounted: uncounted === 0 ? undefined : uncounted,
  });
  return {
    ...{ run, suppliers, unchangedSince, requests, retries, exit },
    accounts: withUncounted(book, uncounted),
    partlyRead,
    workLeft: false,
    taken: { ...zeroCounts(), completed: accounts.completed, skipped: accounts.skipped },
    ...(ruled === 0 ? {} : { notOurs: ruled }),
    wouldImport: 0,
    stagedByDryRun: 0,
    changedInBook: 0,
    refusedInBook: 0,
    durationMs: Math.round(ports.clock.monotonic() - since),
    doubled: 0,
  };
}
