import { accountStates, zeroCounts, type AccountCounts } from '../domain/account-state.ts';
import { isJsonObject, parseJson } from '../domain/json.ts';
import type { RunEnd, RunEntry } from './journal.ts';

/** A run as it is stored. */
export interface RunRow {
  id: number;
  identity: string;
  label: string;
  supplier: string | null;
  dry_run: number;
  export: string;
  started_at: number;
  named: number | null;
  boot: string | null;
  boot_at: number | null;
  pace: string | null;
  actor: number | null;
  /** The following is null until the run has ended. */
  ended_at: number | null;
  exit: number;
  reason: string;
  accounts: string;
  requests: number;
  retries: number;
}

/** The entry of a run, without who started it. */
export function runEntryOf(row: RunRow): RunEntry {
  return {
    id: row.id,
    platform: row.identity,
    platformLabel: row.label,
    ...(row.supplier !== null && { supplier: row.supplier }),
    dryRun: row.dry_run === 1,
    export: row.export,
    startedAt: row.started_at,
    ...(row.named !== null && { named: row.named }),
    ...(row.boot !== null && row.boot_at !== null && { boot: { id: row.boot, at: row.boot_at } }),
    ...(row.pace !== null && { pace: row.pace }),
    ...(row.ended_at !== null && {
      end: {
        endedAt: row.ended_at,
        exit: row.exit,
        reason: row.reason,
        accounts: countsOf(row.accounts),
        ...uncountedOf(row.accounts),
        requests: row.requests,
        retries: row.retries,
      },
    }),
  };
}

/** Counts of accounts, as a run keeps them. */
export function countsOf(text: string): AccountCounts {
  const stored = parseJson(text);
  const counts = zeroCounts();
  if (!isJsonObject(stored)) return counts;
  for (const state of accountStates) counts[state] = Number(stored[state] ?? 0);
  return counts;
}

function uncountedOf(text: string): Pick<RunEnd, 'uncounted'> {
  const stored = parseJson(text);
  if (!isJsonObject(stored) || stored['uncounted'] === undefined) return {};
  const { uncounted } = stored;
  return { uncounted: uncounted === null ? null : Number(uncounted) };
}
