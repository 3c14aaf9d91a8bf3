import { accountStates, zeroCounts, type AccountCounts } from '../../domain/account-state.ts';
import { isJsonObject, parseJson, type JsonValue } from '../../domain/json.ts';
import type { SharedByFailures } from '../../domain/shared-by-failures.ts';
import { readStoredFacts } from './run-facts.ts';
import { readStoredPace } from './noted-pace.ts';
import type { FinishedRun, RunEnd, RunEntry } from '../journal.ts';
import { byOf, type ActorRow } from './rows.ts';

/** How a run ended, as it is stored. */
export interface StoredEnd {
  readonly ended_at: number;
  readonly exit: number;
  readonly reason: string;
  readonly accounts: string;
  readonly requests: number;
  readonly retries: number;
}

/** A run as it is stored. What is of its end is null until it has ended. */
export interface RunRow extends Omit<StoredEnd, 'ended_at'>, ActorRow {
  readonly id: number;
  readonly identity: string;
  readonly label: string;
  readonly supplier: string | null;
  readonly dry_run: number;
  readonly export: string;
  readonly started_at: number;
  readonly named: number | null;
  readonly boot: string | null;
  readonly boot_at: number | null;
  readonly pace: string | null;
  readonly facts: string | null;
  readonly ended_at: number | null;
}

/** A run that left nothing to do, as it is stored. */
export interface FinishedRow {
  readonly run: number;
  readonly fingerprint: string;
  readonly content: string | null;
  /** Counts of accounts. */
  readonly accounts: string;
  /** Codes of suppliers, in order. */
  readonly codes: readonly string[];
}

export function finishedRunOf({ run, fingerprint, content, accounts, codes }: FinishedRow): FinishedRun {
  return {
    ...{ run, suppliers: codes, accounts: countsOf(accounts), fingerprint },
    content: content ?? undefined,
  };
}

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
    by: byOf(row),
    end: row.ended_at === null ? undefined : endOf(row, row.ended_at),
  };
}

function paceOf(
  stored: string | null,
): Pick<RunEntry, 'pace' | 'found' | 'answered' | 'bodyLimit' | 'stopping'> {
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
function countsOf(text: string): AccountCounts {
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

export function storedEnd(end: RunEnd): StoredEnd {
  const { endedAt, exit, reason, requests, retries } = end;
  const { accounts, uncounted, driven, detail, withoutSupplier, shared } = end;
  const counts = {
    ...{ ...accounts, uncounted, driven, detail: detail === '' ? undefined : detail, withoutSupplier },
    shared: shared?.length === 0 ? undefined : shared,
  };
  return { ended_at: endedAt, exit, reason, accounts: JSON.stringify(counts), requests, retries };
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
