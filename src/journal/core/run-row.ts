import { accountStates, zeroCounts, type AccountCounts } from '../../domain/account-state.ts';
import { isJsonObject, parseJson, type JsonValue } from '../../domain/json.ts';
import type { SharedByFailures } from '../../domain/shared-by-failures.ts';
import { readStoredFacts } from './run-facts.ts';
import { readStoredPace } from './noted-pace.ts';
import type { RunEnd, RunEntry } from '../journal.ts';

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
  facts: string | null;
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
    supplier: row.supplier ?? undefined,
    dryRun: row.dry_run === 1,
    export: row.export,
    startedAt: row.started_at,
    named: row.named ?? undefined,
    boot: row.boot === null || row.boot_at === null ? undefined : { id: row.boot, at: row.boot_at },
    ...paceOf(row.pace),
    facts: readStoredFacts(row.facts),
    end: row.ended_at === null ? undefined : endOf(row, row.ended_at),
  };
}

function paceOf(stored: string | null): Pick<RunEntry, 'pace' | 'found' | 'answered' | 'bodyLimit'> {
  if (stored === null) return {};
  const { words, ...figures } = readStoredPace(stored);
  return { pace: words === '' ? undefined : words, ...figures };
}

function endOf({ exit, reason, accounts, requests, retries }: RunRow, endedAt: number): RunEnd {
  const uncounted = uncountedOf(accounts);
  const { driven, detail, withoutSupplier, shared } = outcomeOf(accounts);
  return {
    endedAt,
    exit,
    reason,
    detail,
    accounts: countsOf(accounts),
    driven,
    uncounted,
    withoutSupplier,
    shared,
    requests,
    retries,
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

function uncountedOf(text: string): number | null | undefined {
  const stored = parseJson(text);
  if (!isJsonObject(stored) || stored['uncounted'] === undefined) return undefined;
  const { uncounted } = stored;
  return uncounted === null ? null : Number(uncounted);
}

/** The counts of a run's end as they are stored. */
export function storedCounts({
  accounts,
  uncounted,
  driven,
  detail,
  withoutSupplier,
  shared,
}: RunEnd): string {
  const kept = detail === '' ? undefined : detail;
  return JSON.stringify({
    ...accounts,
    uncounted,
    driven,
    detail: kept,
    withoutSupplier,
    shared: shared?.length === 0 ? undefined : shared,
  });
}

function outcomeOf(text: string): Pick<RunEnd, 'driven' | 'detail' | 'withoutSupplier' | 'shared'> {
  const stored = parseJson(text);
  if (!isJsonObject(stored)) return {};
  const { driven, detail, withoutSupplier } = stored;
  return {
    driven: isJsonObject(driven) ? countsOf(JSON.stringify(driven)) : undefined,
    detail: typeof detail === 'string' ? detail : undefined,
    withoutSupplier: typeof withoutSupplier === 'number' ? withoutSupplier : undefined,
    shared: Array.isArray(stored['shared']) ? stored['shared'].flatMap(sharedOf) : undefined,
  };
}

function sharedOf(stored: JsonValue): SharedByFailures[] {
  if (!isJsonObject(stored)) return [];
  const { code, accounts, compared, differences } = stored;
  const state = accountStates.find((known) => known === stored['state']);
  if (state === undefined || typeof code !== 'string' || !Array.isArray(differences)) return [];
  const told = differences.filter((one) => typeof one === 'string');
  return [{ state, code, accounts: Number(accounts), compared: Number(compared), differences: told }];
}
