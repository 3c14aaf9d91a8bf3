import { accountStates, withUncounted, zeroCounts } from '../domain/account-state.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import type { FinishedRun } from '../journal/journal.ts';
import { partlyReadOf, type RunPorts, type RunResult } from './run-migration.ts';
import { beginRun, type RunHead } from './run-record.ts';

/**
 * A run over an export that is unchanged since a run that left nothing to do: it is in the history, and neither reads
 * an account nor sends a request.
 */
export async function runUnchanged(
  head: RunHead,
  { run: unchangedSince, suppliers, accounts }: FinishedRun,
  ports: Pick<RunPorts, 'journal' | 'clock' | 'emit'>,
): Promise<RunResult> {
  const since = ports.clock.monotonic();
  const { run } = await beginRun(head, ports);
  const endedAt = ports.clock.now();
  const book = zeroCounts();
  const overviews = await ports.journal.overview(head.platform);
  const books = overviews.filter(({ supplier }) => suppliers.includes(supplier));
  for (const { accounts: now } of books) for (const state of accountStates) book[state] += now[state];
  const partlyRead = partlyReadOf(books);
  const uncounted = partlyRead.length === 0 ? 0 : null;
  const exit = accounts.skipped > 0 ? exitCodes.accountsRejected : exitCodes.done;
  const [requests, retries] = [0, 0];
  await ports.journal.finishRun(run, {
    ...{ endedAt, exit, reason: '', accounts: book, requests, retries },
    ...(uncounted === null ? { uncounted } : {}),
  });
  return {
    ...{ run, suppliers, unchangedSince, requests, retries, exit },
    accounts: withUncounted(book, uncounted),
    partlyRead,
    workLeft: false,
    taken: { ...zeroCounts(), completed: accounts.completed, skipped: accounts.skipped },
    wouldImport: 0,
    stagedByDryRun: 0,
    durationMs: Math.round(ports.clock.monotonic() - since),
    sharesNumbers: false,
  };
}
