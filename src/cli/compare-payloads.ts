import { cellKey, type Cell } from '../domain/cell.ts';
import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '../domain/json.ts';
import { different, locateMade, madeSections, type ValueDifference } from '../mapping/compare-plans.ts';
import type { AccountPlan } from '../mapping/plan.ts';
import type { Plans } from '../run/reading/plans.ts';

/** A field whose value differs; `*` in its path matches any element of a list. */
export interface ChangedField {
  readonly path: string;
  /** The number of accounts. */
  readonly accounts: number;
  /** Accounts in which the field is new, is missing now, and has another value. */
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly examples: readonly { readonly account: string; readonly cell: Cell | undefined }[];
}

export interface PayloadsCompared {
  /** The accounts that were compared. */
  readonly accounts: number;
  readonly changed: number;
  /** Accounts of the sample that are only in the later plans. */
  readonly added: number;
  readonly fields: readonly ChangedField[];
  /** Whether the requested account is only in the earlier plans. */
  readonly hasLeft: boolean;
  /** The differences of each account; only kept if one was requested. */
  readonly differences: readonly LocatedDifference[];
}

/** A value that differs, with its cell, and that of the earlier value if it is another one. */
export interface LocatedDifference extends ValueDifference {
  readonly cell: Cell | undefined;
  readonly earlier: Cell | undefined;
}

const mostExamples = 2;

interface Tally {
  accounts: number;
  added: number;
  removed: number;
  changed: number;
  readonly examples: ChangedField['examples'][number][];
}

/**
 * Compares the first `limit` accounts, or one, with what another mapping makes of them, or with an earlier export. Their
 * plans are kept in memory.
 */
export async function comparePayloads(
  before: Plans,
  after: Plans,
  {
    limit,
    account,
    ignoresOrder,
  }: {
    readonly limit: number;
    readonly account: string | undefined;
    /** Whether lists of the same elements are the same: rows have no order in an export. */
    readonly ignoresOrder: boolean;
  },
): Promise<PayloadsCompared> {
  const sample = new Map<string, AccountPlan>();
  for await (const plan of after.plansOf((number) => account === undefined || number === account)) {
    sample.set(plan.key.account, plan);
    if (sample.size === limit || account !== undefined) break;
  }
  const tallies = new Map<string, Tally>();
  const kept: LocatedDifference[] = [];
  let accounts = 0;
  let changed = 0;
  if (sample.size > 0)
    for await (const old of before.plansOf((number) => sample.has(number))) {
      const plan = sample.get(old.key.account);
      if (plan === undefined) continue;
      accounts += 1;
      const [first, then] = [whole(old), whole(plan)];
      const differences = different('', ignoresOrder ? inOrderOf(first, then) : first, then);
      if (differences.length > 0) changed += 1;
      if (account !== undefined) kept.push(...differences.map((one) => located(one, old, plan)));
      count(tallies, differences, old, plan);
      if (accounts === sample.size) break;
    }
  let hasLeft = false;
  if (sample.size === 0 && account !== undefined)
    for await (const _old of before.plansOf((number) => number === account)) hasLeft = true;
  const fields = [...tallies].map(([path, tally]) => ({ path, ...tally }));
  return {
    accounts,
    changed,
    added: sample.size - accounts,
    hasLeft,
    fields: fields.sort((one, other) => other.accounts - one.accounts || (one.path < other.path ? -1 : 1)),
    differences: kept,
  };
}

function located(difference: ValueDifference, old: AccountPlan, plan: AccountPlan): LocatedDifference {
  const { path, expected, found } = difference;
  const was = expected === undefined ? undefined : locateMade(old, path);
  const is = found === undefined ? undefined : locateMade(plan, path);
  if (is === undefined) return { ...difference, cell: was, earlier: undefined };
  const isSame = was !== undefined && cellKey(was) === cellKey(is);
  return { ...difference, cell: is, earlier: isSame ? undefined : was };
}

/** The first value, with those of its lists in the second one's order that have the same elements. */
function inOrderOf(first: JsonValue, second: JsonValue): JsonValue {
  if (Array.isArray(first) && Array.isArray(second)) {
    const [ours, theirs] = [first, second].map((list) => list.map((one) => stringifyJson(one)).sort());
    const isSame = first.length === second.length && ours?.every((text, at) => text === theirs?.[at]);
    if (isSame === true) return second;
    return first.map((one, at) => (at < second.length ? inOrderOf(one, second[at] ?? null) : one));
  }
  if (!isJsonObject(first) || !isJsonObject(second)) return first;
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => {
      const other = second[name];
      return [name, other === undefined ? value : inOrderOf(value, other)];
    }),
  );
}

/** The payloads, and how many problems there are of each code. */
function whole(plan: AccountPlan): JsonObject {
  const codes = new Map<string, number>();
  for (const { code } of plan.problems) codes.set(code, (codes.get(code) ?? 0) + 1);
  return { ...madeSections(plan), ...(codes.size === 0 ? {} : { problems: Object.fromEntries(codes) }) };
}

function count(
  tallies: Map<string, Tally>,
  differences: readonly ValueDifference[],
  old: AccountPlan,
  plan: AccountPlan,
): void {
  const seen = new Set<string>();
  for (const { path, expected, found } of differences) {
    const field = path.replaceAll(/\.\d+(?=\.|$)/g, '.*');
    if (seen.has(field)) continue;
    seen.add(field);
    const tally = tallies.get(field) ?? { accounts: 0, added: 0, removed: 0, changed: 0, examples: [] };
    tallies.set(field, tally);
    tally.accounts += 1;
    tally[expected === undefined ? 'added' : found === undefined ? 'removed' : 'changed'] += 1;
    if (tally.examples.length < mostExamples) {
      const cell = locateMade(found === undefined ? old : plan, path);
      tally.examples.push({ account: plan.key.account, cell });
    }
  }
}
