import type { AccountState } from '../domain/account-state.ts';
import { cellRecord, place, type Cell } from '../domain/cell.ts';
import type { PartState } from '../domain/step-state.ts';
import {
  createdMeanwhile,
  createdUnrecorded,
  dateMovedCode,
  numberOfAnotherAccount,
} from '../domain/shared-codes.ts';
import { isExtraStep, stepNames, type StepName } from '../domain/steps.ts';
import type { AccountEntry, PartCell, PartEntry, RecordedProblem } from '../journal/journal.ts';
import { shownText } from '../domain/foreign-text.ts';
import type { PlatformListing } from './reconciliation/joined.ts';
import { quoted } from './command-line.ts';
import { isoTime } from './format.ts';
import { isRefusedNow, isStagedByDryRun } from './state-table.ts';

/**
 * One line of `migrate list`: one part of an account that is not done, an account without such a part, or, if the code of a
 * warning is asked for, what has it.
 */
export interface ListedPart {
  readonly account: string;
  readonly supplier: string;
  /** The account's. */
  readonly state: AccountState;
  /** The reason: the part's machine code, otherwise the account's; '' if there is none. */
  readonly code: string;
  /** Every code of the problems in it, without those of warnings; that of `code` is the first. */
  readonly codes: readonly string[];
  readonly step?: StepName | undefined;
  /** From zero; absent if nothing of the step was sent. */
  readonly part?: number | undefined;
  readonly partState?: PartState;
  /** The faulty cells in the export, or those of an uncertain part. */
  readonly cells: readonly Cell[];
  /** The location of that export; absent if it is not recorded. */
  readonly export?: string | undefined;
  /** When it was last sent, in ms since the epoch; absent if it was not. */
  readonly sentAt?: number | undefined;
  /** The platform's message in the last refusal; absent if there was none, or it was not kept. */
  readonly words?: string | undefined;
  /** How often it was sent. */
  readonly attempts: number;
  /** What the platform lists of the account; null: it does not list it; absent: it was not asked. */
  readonly listing?: PlatformListing | null;
  /** Whether a dry run staged the data of the account, which is not created. */
  readonly stagedByDryRun: boolean;
  /** Whether the account is completed, and its data in the export is refused now. */
  readonly isRefusedNow: boolean;
}

/** Selects lines. */
export interface ListChoice {
  /** Of the account or of the part. */
  readonly code?: string;
  readonly step?: StepName;
}

const troubled: ReadonlySet<AccountState> = new Set(['rejected', 'failed', 'uncertain', 'skipped']);

/** Whether something is wrong with an account, so that its lines need its problems. */
export function isTroubled({ state, code }: Pick<AccountEntry, 'state' | 'code'>): boolean {
  return troubled.has(state) || isRefusedNow({ state, code });
}

/** The journal's knowledge of an account's places in the export. */
export interface KnownCells {
  readonly problems: readonly RecordedProblem[];
  readonly partCells: readonly PartCell[];
}

/** The lines of one account, in the order of its steps. */
export function listedParts(
  entry: AccountEntry,
  { problems, partCells }: KnownCells,
  { code, step }: ListChoice = {},
): readonly ListedPart[] {
  const open = entry.parts.filter((part) => isOpen(entry, part));
  const sent = open.map((part) => partLine(entry, part, { problems, partCells }));
  const unsent = problems.filter(
    ({ isWarning, step: of }) => isWarning !== true && open.every((part) => part.step !== of),
  );
  const ofCode = unsent.filter((problem) => problem.code === code);
  const named = ofCode.length === 0 ? unsent : ofCode;
  const lines = [...sent, ...bySteps(named).map((found) => unsentLine(entry, found))];
  const all = lines.length === 0 ? [accountLine(entry)] : lines;
  const isAsked = (line: ListedPart) =>
    code === undefined || line.codes.includes(code) || entry.code === code || line.code === code;
  const warned = code === undefined ? [] : warningLines(entry, problems, code);
  return [...all.filter(isAsked), ...warned].filter((line) => step === undefined || line.step === step);
}

/** An account that exists needs no staging: that of an adopted one was refused. */
function isOpen({ steps }: Pick<AccountEntry, 'steps'>, { step, state }: PartEntry): boolean {
  return state !== 'done' && !(step === 'stage' && steps.process === 'done');
}

/** Whether a part keeps the code of a warning after a later run has replaced the problem. */
export function keepsWarning({ state, code }: Pick<PartEntry, 'state' | 'code'>): boolean {
  return state === 'done' && code === dateMovedCode;
}

/** The codes of the warnings of an account: those that are recorded, and those that a part keeps. */
export function warningCodes(
  { parts }: Pick<AccountEntry, 'parts'>,
  problems: readonly RecordedProblem[],
): readonly string[] {
  const recorded = problems.filter(({ isWarning }) => isWarning === true).map(({ code }) => code);
  return [...new Set([...recorded, ...parts.filter(keepsWarning).map(({ code = '' }) => code)])];
}

/** What has a warning with this code, by its steps. */
function warningLines(
  entry: AccountEntry,
  problems: readonly RecordedProblem[],
  code: string,
): readonly ListedPart[] {
  if (!warningCodes(entry, problems).includes(code)) return [];
  const found = problems.filter((problem) => problem.isWarning === true && problem.code === code);
  const kept = entry.parts.filter((part) => keepsWarning(part) && part.code === code);
  const steps = new Set([...found, ...kept].map(({ step }) => step));
  return [...steps].map((step) => ({
    ...accountLine(entry),
    ...{ code, codes: [code], step },
    cells: found.filter((problem) => problem.step === step).flatMap(({ cell }) => cell ?? []),
  }));
}

/**
 * The cells of an uncertain part's data, and of the problems in a part. In a step whose parts are ranges of items of
 * one array, a part's number is the index of its first item.
 */
export function cellsOf(
  { parts }: Pick<AccountEntry, 'parts'>,
  { step, part, state }: Pick<PartEntry, 'step' | 'part' | 'state'>,
  { problems, partCells }: KnownCells,
): readonly Cell[] {
  const later = parts.filter((one) => one.step === step && one.part > part).map((one) => one.part);
  const end = Math.min(...later);
  const isIn = (item: number | undefined) => item === undefined || (item >= part && item < end);
  const faulty = problems.flatMap((problem) =>
    problem.step === step && problem.isWarning !== true && problem.cell !== undefined && isIn(itemOf(problem))
      ? [problem.cell]
      : [],
  );
  if (state !== 'uncertain') return faulty;
  const held = partCells.filter((one) => one.step === step && one.part === part);
  return [...faulty, ...held.map(({ cell }) => cell)];
}

/** The index of the item that a problem is in, if its step sends items. */
function itemOf({ step, path }: RecordedProblem): number | undefined {
  if (step === undefined || !isExtraStep(step)) return undefined;
  const item = /^(?:notes|transactions|statements)\.(\d+)(?:\.|$)/.exec(path)?.[1];
  return item === undefined ? undefined : Number(item);
}

function partLine(entry: AccountEntry, part: PartEntry, known: KnownCells): ListedPart {
  const code = part.code ?? entry.code;
  const told = known.problems.filter(({ step, isWarning }) => step === part.step && isWarning !== true);
  return {
    ...accountLine(entry),
    code,
    codes: codesOf(code, told),
    step: part.step,
    part: part.part,
    partState: part.state,
    cells: cellsOf(entry, part, known),
    sentAt: part.sentAt,
    words: part.words,
    attempts: part.attempt,
  };
}

function unsentLine(entry: AccountEntry, problems: readonly RecordedProblem[]): ListedPart {
  const [first] = problems;
  const code = first?.code ?? entry.code;
  return {
    ...accountLine(entry),
    code,
    codes: codesOf(code, problems),
    step: first?.step,
    cells: problems.flatMap(({ cell }) => cell ?? []),
  };
}

function accountLine(entry: AccountEntry): ListedPart {
  const { key, state, code, steps, from, dataFrom = from } = entry;
  const step = stepNames.find((name) => ['uncertain', 'refused', 'failed'].includes(steps[name]));
  return {
    ...{ ...key, state, code, codes: codesOf(code, []), cells: [], attempts: 0 },
    stagedByDryRun: isStagedByDryRun(entry),
    isRefusedNow: isRefusedNow(entry),
    step,
    export: dataFrom,
  };
}

function codesOf(first: string, problems: readonly RecordedProblem[]): readonly string[] {
  return [...new Set([first, ...problems.map(({ code }) => code)])].filter((code) => code !== '');
}

function bySteps(problems: readonly RecordedProblem[]): readonly (readonly RecordedProblem[])[] {
  const groups = new Map<StepName | undefined, RecordedProblem[]>();
  for (const problem of problems) {
    const group = groups.get(problem.step);
    if (group === undefined) groups.set(problem.step, [problem]);
    else group.push(problem);
  }
  return [...groups.values()];
}

/** For programs: one JSON line. Parts count from 1, as `resolve --part` takes them. Times are UTC. */
export function listedRecord(line: ListedPart): object {
  const { account, supplier, state, code, step, part, partState, cells, sentAt, words, attempts } = line;
  return {
    type: 'part',
    account,
    supplier,
    state,
    code: code === '' ? null : code,
    codes: line.codes,
    step: step ?? null,
    part: part === undefined ? null : part + 1,
    partState: partState ?? null,
    cells: cells.map(cellRecord),
    export: line.export ?? null,
    sentAt: sentAt === undefined ? null : isoTime(sentAt),
    words: words ?? null,
    attempts,
    stagedByDryRun: line.stagedByDryRun,
    ...(line.listing === undefined ? {} : { listing: listingRecord(line.listing) }),
  };
}

/** For programs: the platform's number of an account, and when it created it; null: it does not list the account. */
export function listingRecord(listing: PlatformListing | null): object | null {
  if (listing === null) return null;
  return { krakenAccountNumber: listing.krakenAccountNumber ?? null, createdAt: listing.createdAt ?? null };
}

/** The same for people. */
export function listingText(listing: PlatformListing | null): string {
  if (listing === null) return 'not in the list of the platform';
  const { krakenAccountNumber, createdAt } = listing;
  if (krakenAccountNumber === undefined) return 'staged on the platform, not created';
  const when = createdAt === undefined ? '' : `, created at ${shownText(createdAt)}`;
  return `on the platform: ${shownText(krakenAccountNumber)}${when}`;
}

/** The places of its cells, each once. */
export function placesOf({ cells }: Pick<ListedPart, 'cells'>): readonly string[] {
  return [...new Set(cells.map(place))];
}

/**
 * The command for an account that is uncertain because it may be somebody else's, if it is; undefined if there is no
 * such doubt.
 */
export function skipCommand({
  account,
  supplier,
  state,
  code,
}: Pick<ListedPart, 'account' | 'supplier' | 'state' | 'code'>): string | undefined {
  const isPerhapsNotOurs = [createdMeanwhile, createdUnrecorded, numberOfAnotherAccount].includes(code);
  if (state !== 'uncertain' || !isPerhapsNotOurs) return undefined;
  return `migrate resolve ${quoted(account)} --supplier ${quoted(supplier)} --step process --as skip`;
}
