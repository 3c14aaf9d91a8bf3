import { isJsonObject, parseJson } from '../../domain/json.ts';
import type { Budget, TurnReport } from '../run-groups.ts';

export interface RunnerRow {
  readonly id: number;
  readonly session: string;
  readonly run: number;
  readonly host: string;
  readonly pid: number;
  readonly process_start: string;
  readonly since: number;
  readonly expires_at: number;
  readonly budget: string;
  readonly granted: string;
  readonly heard: string | null;
}

export interface PartitionRow {
  readonly number: number;
  readonly runner: number | null;
  readonly is_done: boolean;
}

interface Shares {
  readonly taken: readonly number[];
  readonly held: readonly number[];
  readonly surplus: number;
  readonly share: number;
  readonly counts: ReadonlyMap<number, number>;
}

/** Gives a runner free partitions up to an equal share, except those that it just gave up, and says how many it has beyond that while another one lacks some. */
export function shareOut(
  runner: number,
  living: readonly Pick<RunnerRow, 'id'>[],
  rows: readonly PartitionRow[],
  given: ReadonlySet<number>,
): Shares {
  const open = rows.filter(({ is_done: isDone }) => !isDone);
  const counts = new Map(living.map(({ id }) => [id, 0]));
  // With less budget than runners, the last ones wait.
  const mayWork = counts.has(runner);
  for (const { runner: id } of open)
    if (id !== null && counts.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const own = open.filter(({ runner: id }) => id === runner).map(({ number }) => number);
  const free = open.filter(({ runner: id }) => id === null).map(({ number }) => number);
  const share = mayWork ? Math.ceil(open.length / living.length) : 0;
  const taken = free.filter((number) => !given.has(number)).slice(0, Math.max(0, share - own.length));
  const held = [...own, ...taken];
  counts.set(runner, held.length);
  const least = Math.floor(open.length / living.length);
  const lacking = [...counts.values()].reduce((sum, count) => sum + Math.max(0, least - count), 0);
  const wanted = mayWork ? Math.max(0, lacking - (free.length - taken.length)) : own.length;
  return { taken, held, surplus: Math.min(wanted, Math.max(0, held.length - share)), share, counts };
}

/** Each runner that works has a place for an account of its own. */
export function mostWorking(living: readonly RunnerRow[]): number {
  const stated = living.map(({ budget }) => budgetIn(budget));
  return Math.min(
    ...stated.flatMap(({ concurrency, processConcurrency }) => [concurrency, processConcurrency]),
  );
}

export const nothing: Budget = { concurrency: 0, processConcurrency: 0, rate: 0 };

/**
 * The part of the budget that a runner keeps and the part that it may use: an equal share of the least that a runner states, and never more
 * than the others leave. What it has more than its share it keeps until it uses it no longer. An idle runner has no share, unless all are
 * idle.
 */
export function grantedTo(
  own: RunnerRow,
  living: readonly RunnerRow[],
  { uses, isIdle }: Pick<TurnReport, 'uses' | 'isIdle'>,
): { readonly kept: Budget; readonly allowed: Budget } {
  const busy = living.filter((one) => !(one.id === own.id ? isIdle : isIdleIn(one.granted)));
  const sharing = busy.length === 0 ? living : busy;
  const rank = sharing.findIndex(({ id }) => id === own.id);
  const stated = living.map(({ budget }) => budgetIn(budget));
  const others = living.filter(({ id }) => id !== own.id).map(({ granted }) => budgetIn(granted));
  const before = budgetIn(own.granted);
  const whole = (of: (budget: Budget) => number): readonly [kept: number, allowed: number] => {
    const total = Math.min(...stated.map(of));
    const share = rank < 0 ? 0 : Math.floor(total / sharing.length) + (rank < total % sharing.length ? 1 : 0);
    return grant(Math.min(of(before), of(uses)), share, total - sum(others.map(of)));
  };
  const rates = stated.flatMap(({ rate }) => (rate === null ? [] : [rate]));
  const total = rates.length === 0 ? null : Math.min(...rates);
  const [keptRate, rate] =
    total === null
      ? [null, null]
      : grant(
          Math.min(before.rate ?? 0, uses.rate ?? 0),
          rank < 0 ? 0 : total / sharing.length,
          total - sum(others.map((other) => other.rate ?? 0)),
        );
  const [keptConcurrency, concurrency] = whole((budget) => budget.concurrency);
  const [keptProcess, processConcurrency] = whole((budget) => budget.processConcurrency);
  return {
    kept: { concurrency: keptConcurrency, processConcurrency: keptProcess, rate: keptRate },
    allowed: { concurrency, processConcurrency, rate },
  };
}

/** `has`: what it uses of its last grant; `room`: what the grants of the others leave. */
function grant(has: number, share: number, room: number): readonly [kept: number, allowed: number] {
  const kept = Math.max(has, Math.min(share, Math.max(has, room)));
  return [kept, Math.min(kept, share)];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function isIdleIn(granted: string): boolean {
  const value = parseJson(granted);
  return isJsonObject(value) && value['isIdle'] === true;
}

function budgetIn(text: string): Budget {
  const value = parseJson(text);
  if (!isJsonObject(value)) return nothing;
  const { concurrency, processConcurrency, rate } = value;
  return {
    concurrency: Number(concurrency ?? 0),
    processConcurrency: Number(processConcurrency ?? 0),
    rate: rate === null || rate === undefined ? null : Number(rate),
  };
}
