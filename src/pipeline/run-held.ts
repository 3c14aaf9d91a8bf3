import { withTotal, zeroCounts } from '../domain/account-state.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import type { LeaseHeld } from '../journal/journal.ts';
import type { RunPorts, RunResult } from './run-migration.ts';
import { beginRun, type RunHead } from './run-record.ts';

/** A run whose supplier another one holds, which is known before the export is read: it reads nothing and sends nothing. */
export async function runHeld(
  head: RunHead,
  { supplier, held }: { readonly supplier: string; readonly held: LeaseHeld },
  ports: Pick<RunPorts, 'journal' | 'clock' | 'emit'>,
): Promise<RunResult> {
  const since = ports.clock.monotonic();
  const { run } = await beginRun(head, ports);
  const none = zeroCounts();
  const [requests, retries, exit] = [0, 0, exitCodes.supplierHeld];
  const end = { endedAt: ports.clock.now(), exit, reason: 'held', accounts: none, requests, retries };
  await ports.journal.finishRun(run, end);
  return {
    ...{ run, requests, retries, exit },
    suppliers: [],
    accounts: { ...withTotal(none), uncounted: null },
    partlyRead: [],
    workLeft: true,
    taken: none,
    wouldImport: 0,
    stagedByDryRun: 0,
    durationMs: Math.round(ports.clock.monotonic() - since),
    sharesNumbers: false,
    stop: { reason: 'held', detail: supplier },
    heldBy: held,
  };
}
