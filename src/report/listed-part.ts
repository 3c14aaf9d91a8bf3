import type { AccountState } from '../domain/account-state.ts';
import type { Cell } from '../domain/cell.ts';
import type { PartState } from '../domain/part-state.ts';
import { isExtraStep, stepNames, type StepName } from '../domain/steps.ts';
import type { AccountEntry, PartCell, PartEntry, RecordedProblem } from '../journal/journal.ts';
import { formatTime, isoTime } from './format.ts';
import { place } from './place.ts';
import { isStagedByDryRun, pendingMeaning } from './state-table.ts';

/** What `migrate list` tells in one line: one part of an account that is not done, or an account of which none is. */
export interface ListedPart {
  readonly account: string;
  readonly supplier: string;
  /** The account's. */
  readonly state: AccountState;
  /** Why: the part's machine code, else the account's; '' where there is none. */
  readonly code: string;
  readonly step?: StepName;
  /** From zero; absent where nothing of the step was sent. */
  readonly part?: number;
  readonly partState?: PartState;
  /** Where the export has what is at fault, or what an uncertain part sent. */
  readonly cells: readonly Cell[];
  /** Where that export lies; absent where it is not recorded. */
  readonly export?: string;
  /** When it was sent last, in ms since the epoch; absent where it was not. */
  readonly sentAt?: number;
  /** What the platform said last in a refusal; absent where it did not, or that was not kept. */
  readonly words?: string;
  /** How many times it was sent. */
  readonly attempts: number;
  /** A dry run staged the data of the account, which is not created. */
  readonly stagedByDryRun: boolean;
}

/** Which lines are wanted. */
export interface ListChoice {
  /** Of the account or of the part. */
  readonly code?: string;
  readonly step?: StepName;
}

/** States of which the journal keeps problems. */
const troubled: ReadonlySet<AccountState> = new Set(['rejected', 'failed', 'uncertain', 'skipped']);

/** Whether the lines of an account need its problems. */
export function needsProblems({ state }: AccountEntry): boolean {
  return troubled.has(state);
}

/** What the journal knows of an account's places in the export. */
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
  const open = entry.parts.filter(({ state }) => state !== 'done');
  const sent = open.map((part) => partLine(entry, part, cellsOf(entry, part, { problems, partCells })));
  const unsent = problems.filter(
    ({ isWarning, step: of }) => isWarning !== true && open.every((part) => part.step !== of),
  );
  const lines = [...sent, ...bySteps(unsent).map((found) => unsentLine(entry, found))];
  const all = lines.length === 0 ? [accountLine(entry)] : lines;
  return all.filter(
    (line) =>
      (code === undefined || line.code === code || entry.code === code) &&
      (step === undefined || line.step === step),
  );
}

/**
 * The cells of what an uncertain part sent, and of the problems that lie in a part. In a step whose parts are runs of items of one array, a part has the
 * position of its first item as its number.
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

/** The position of the item that a problem lies in, where its step sends items. */
function itemOf({ step, path }: RecordedProblem): number | undefined {
  if (step === undefined || !isExtraStep(step)) return undefined;
  const item = /^(?:notes|transactions|statements)\.(\d+)(?:\.|$)/.exec(path)?.[1];
  return item === undefined ? undefined : Number(item);
}

function partLine(entry: AccountEntry, part: PartEntry, cells: readonly Cell[]): ListedPart {
  return {
    ...accountLine(entry),
    ...(part.code === undefined ? {} : { code: part.code }),
    step: part.step,
    part: part.part,
    partState: part.state,
    cells,
    sentAt: part.sentAt,
    ...(part.words === undefined ? {} : { words: part.words }),
    attempts: part.attempt,
  };
}

function unsentLine(entry: AccountEntry, problems: readonly RecordedProblem[]): ListedPart {
  const [first] = problems;
  const { step: _ofAccount, ...line } = accountLine(entry);
  return {
    ...line,
    ...(first === undefined ? {} : { code: first.code }),
    ...(first?.step === undefined ? {} : { step: first.step }),
    cells: problems.flatMap(({ cell }) => cell ?? []),
  };
}

function accountLine(entry: AccountEntry): ListedPart {
  const { key, state, code, steps, from, dataFrom = from } = entry;
  const step = stepNames.find((name) => ['uncertain', 'refused', 'failed'].includes(steps[name]));
  return {
    ...{ ...key, state, code, cells: [], attempts: 0, stagedByDryRun: isStagedByDryRun(entry) },
    ...(step === undefined ? {} : { step }),
    ...(dataFrom === undefined ? {} : { export: dataFrom }),
  };
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
    step: step ?? null,
    part: part === undefined ? null : part + 1,
    partState: partState ?? null,
    cells,
    export: line.export ?? null,
    sentAt: sentAt === undefined ? null : isoTime(sentAt),
    words: words ?? null,
    attempts,
    stagedByDryRun: line.stagedByDryRun,
  };
}

/** For people: what it is in one line, and below it where to look. */
export function listedText(line: ListedPart, timeZone: string): string {
  const { account, supplier, state, code, step, part, sentAt, attempts } = line;
  const what = [step, ...(part === undefined ? [] : [`part ${part + 1}`])].filter(
    (word) => word !== undefined,
  );
  const sent =
    sentAt === undefined
      ? []
      : [`sent ${timesOf(attempts)}, last ${formatTime(sentAt, timeZone)} (${timeZone})`];
  const staged = line.stagedByDryRun ? [pendingMeaning(1, 1)] : [];
  const head = [`${account} of ${supplier}`, state, what.join(' '), code, ...sent, ...staged];
  return [
    head.filter((word) => word !== '').join('  '),
    ...[...(line.words === undefined ? [] : [line.words]), ...placesOf(line), ...unknownPlace(line)].map(
      (where) => `    ${where}`,
    ),
  ].join('\n');
}

/** Of an uncertain part whose cells are not recorded: what is known in their place. */
function unknownPlace(line: ListedPart): readonly string[] {
  if (line.partState !== 'uncertain' || line.cells.length > 0) return [];
  return [
    line.export === undefined ? 'cells not recorded' : `cells not recorded; last read from ${line.export}`,
  ];
}

/** The places of its cells, each once. */
export function placesOf({ cells }: Pick<ListedPart, 'cells'>): readonly string[] {
  return [...new Set(cells.map(place))];
}

function timesOf(attempts: number): string {
  if (attempts === 1) return 'once';
  return attempts === 2 ? 'twice' : `${attempts} times`;
}
