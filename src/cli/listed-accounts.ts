import { withTotal, type AccountState } from '../domain/account-state.ts';
import type { AccountEntry, Journal, SupplierOverview } from '../journal/journal.ts';
import {
  isTroubled,
  listedParts,
  type KnownCells,
  type ListChoice,
  type ListedPart,
} from '../report/listed-part.ts';
import { collected } from './collected.ts';

/** Which accounts `list` is asked for, and who reads them. */
export interface ListFilter extends ListChoice {
  readonly state?: AccountState | undefined;
  /** Those whose rows this run found changed; `true`: the last run, with those that shared its book. */
  readonly changed?: number | true | undefined;
  /** Those that left their export before they were created, alone. */
  readonly gone?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly csv?: string | undefined;
  readonly json?: boolean | undefined;
}

/** A person is shown so many accounts unless they say how many. */
const mostForPeople = 50;

/** The urgent ones first. */
const byUrgency: readonly (readonly AccountState[])[] = [
  ...([['uncertain'], ['failed'], ['rejected'], ['skipped']] as const),
  ...([['imported'], ['scheduled'], ['staged'], ['pending'], ['completed']] as const),
];

/** Whether a person reads the list, and not a file's or a pipe's reader. */
export function isForPeople({ csv, json }: ListFilter): boolean {
  return csv === undefined && json !== true;
}

/** How many accounts are listed at most: a person sees no more than can be read. */
export function mostOf(filter: ListFilter): number {
  if (filter.limit !== undefined) return filter.limit;
  return isForPeople(filter) && filter.changed === undefined ? mostForPeople : Infinity;
}

/** What is to be listed of each account, in the order of the list, streamed; none of one that is not asked for. */
export async function accountsToList(
  journal: Journal,
  suppliers: readonly SupplierOverview[],
  filter: ListFilter,
): Promise<AsyncIterable<readonly ListedPart[]>> {
  const { changed } = filter;
  const runs = changed === true ? await lastRuns(journal) : changed === undefined ? undefined : [changed];
  return lookedAt(journal, entriesIn(journal, suppliers, runs, orderOf(suppliers, filter)), filter);
}

/** The codes of all accounts of the journal, whatever is asked for. */
export async function allCodes(journal: Journal): Promise<Set<string>> {
  const codes = new Set<string>();
  for await (const entry of entriesIn(journal, await journal.overview(), undefined, [undefined])) {
    const problems = entry.hasProblems === true ? await collected(journal.problems(entry.id)) : [];
    for (const { code } of [entry, ...entry.parts, ...problems]) if (code !== undefined) codes.add(code);
  }
  return codes;
}

async function* lookedAt(
  journal: Journal,
  entries: AsyncIterable<AccountEntry>,
  filter: ListFilter,
): AsyncGenerator<readonly ListedPart[]> {
  for await (const entry of entries) {
    if (
      isGone(entry) !== (filter.gone === true) ||
      (filter.state !== undefined && entry.state !== filter.state)
    )
      continue;
    const cells = await knownCells(journal, entry, filter.code);
    yield listedParts(entry, cells, filter);
  }
}

/** The states of each pass over the journal; undefined: all. */
function orderOf(
  suppliers: readonly SupplierOverview[],
  filter: ListFilter,
): readonly (readonly AccountState[] | undefined)[] {
  if (filter.state !== undefined) return [[filter.state]];
  if (!isForPeople(filter)) return [undefined];
  return leftOut(suppliers, filter) > 0 ? byUrgency.slice(0, -1) : byUrgency;
}

/** How many completed accounts a person who asks for none in particular is not shown: there is nothing to do about them. */
export function leftOut(suppliers: readonly SupplierOverview[], filter: ListFilter): number {
  const { state, code, step, changed } = filter;
  if (filter.gone === true) return 0;
  const isOfAll = [state, code, step, changed].every((choice) => choice === undefined);
  if (!isForPeople(filter) || !isOfAll || suppliers.some(({ refusedData }) => refusedData > 0)) return 0;
  return suppliers.reduce((sum, { accounts }) => sum + accounts.completed, 0);
}

async function* entriesIn(
  journal: Journal,
  suppliers: readonly SupplierOverview[],
  runs: readonly number[] | undefined,
  order: readonly (readonly AccountState[] | undefined)[],
): AsyncGenerator<AccountEntry> {
  for (const states of runs === undefined ? order : [undefined])
    for (const { platform, supplier } of suppliers)
      yield* runs === undefined
        ? journal.accounts(platform, supplier, states)
        : changedIn(journal, platform, supplier, runs);
}

/** The newest run that recorded what it read, with those that shared its book. */
async function lastRuns(journal: Journal): Promise<readonly number[]> {
  for await (const { id, end, dryRun } of journal.runs()) {
    if (dryRun || (end?.reason === 'held' && withTotal(end.accounts).total === 0)) continue;
    const together = (await journal.groups?.runsWith(id)) ?? [];
    return together.length > 0 ? together : [id];
  }
  return [];
}

async function* changedIn(
  journal: Journal,
  platform: string,
  supplier: string,
  runs: readonly number[],
): AsyncGenerator<AccountEntry> {
  for (const run of runs) yield* journal.accountsChangedIn(platform, supplier, run);
}

/** Not created, and no longer in its export: it is in no count either. */
function isGone({ isAbsent, krakenAccountNumber, state }: AccountEntry): boolean {
  return isAbsent === true && krakenAccountNumber === undefined && state !== 'uncertain';
}

/** A code may be that of a warning, which holds nothing back. */
async function knownCells(
  journal: Journal,
  entry: AccountEntry,
  code: string | undefined,
): Promise<KnownCells> {
  const isAsked = code !== undefined && entry.hasProblems === true;
  return {
    problems: isTroubled(entry) || isAsked ? await collected(journal.problems(entry.id)) : [],
    partCells: entry.state === 'uncertain' ? await collected(journal.partCells(entry.id)) : [],
  };
}
