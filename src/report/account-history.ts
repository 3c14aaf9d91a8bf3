import type { Actor } from '../domain/actor.ts';
import { cellRecord, place, type Cell } from '../domain/cell.ts';
import { alreadyHeldCodes, changedAfterImport } from '../domain/shared-codes.ts';
import { stepNames } from '../domain/steps.ts';
import type { AccountEntry, Intervention, PartCell, PartEntry, RecordedProblem } from '../journal/journal.ts';
import { shownText } from '../domain/foreign-text.ts';
import { attemptRows } from './attempt-rows.ts';
import { quoted } from './command-line.ts';
import { actorText, counted, formatDuration, formatTime, isoTime } from './format.ts';
import { interventionOnAccount, interventionsOnAccountText } from './interventions.ts';
import { cellsOf, placesOf, skipCommand } from './listed-part.ts';
import { paragraph } from './paragraph.ts';
import { faultyPlace } from './problem-list.ts';
import {
  isRefusedNow,
  isStagedByDryRun,
  paintState,
  pendingMeaning,
  refusedNow,
  heldMeaning,
  rejectedMeaning,
  stateMeaning,
} from './state-table.ts';
import { textWidth } from './text-width.ts';
import { table, type Column } from './table.ts';
import type { Page } from './terminal.ts';

/** The most rows of a part that are shown to people. */
const mostRows = 20;

/** Everything that the journal knows of one account. */
export interface AccountHistory {
  /** The platform's address, or 'embedded'. */
  readonly platformLabel: string;
  readonly entry: AccountEntry;
  /** Every attempt, oldest first. */
  readonly attempts: readonly PartEntry[];
  readonly problems: readonly RecordedProblem[];
  /** The places in the export of its uncertain parts. */
  readonly partCells: readonly PartCell[];
  /** Manual changes to it, oldest first. */
  readonly interventions: readonly Intervention[];
  /** The cells of what was sent, by part, as an export has them; absent if no export was read. */
  readonly sent?:
    | {
        /** The export's location. */
        readonly place: string;
        /** Lacks the parts that the export does not have as they were sent. */
        readonly parts: ReadonlyMap<PartEntry, readonly Cell[]>;
      }
    | undefined;
  /** Who started each run; absent if that is shown elsewhere. */
  readonly runs?: ReadonlyMap<number, Actor>;
}

/** For programs: the fields of the summary of `show`. Times are UTC. */
export function historySummary(story: AccountHistory): object {
  const { platformLabel, entry, attempts, problems, interventions, runs } = story;
  const { key, state, code, krakenAccountNumber = null, steps, from, dataFrom = from } = entry;
  return {
    account: key.account,
    supplier: key.supplier,
    platform: platformLabel,
    state,
    code: code === '' ? null : code,
    krakenAccountNumber,
    stagedByDryRun: isStagedByDryRun(entry),
    changedIn: entry.changedIn ?? null,
    export: dataFrom ?? null,
    steps,
    parts: entry.parts.map((one) => ({
      step: one.step,
      // From 1, as for people: `resolve --part` accepts both.
      part: one.part + 1,
      state: one.state,
      cells: story.sent?.parts.get(one) ?? cellsOf(entry, one, story),
      inExport: story.sent?.parts.has(one),
    })),
    runs: runs && byRun(attempts).map(([run]) => ({ run, by: runs.get(run) ?? null })),
    attempts: attempts.map(attemptRecord),
    interventions: interventions.map((one) => interventionOnAccount(one, attempts)),
    problems: problems.map(({ step = null, cell, isWarning, ...problem }) => ({
      step,
      ...problem,
      severity: isWarning === true ? 'warning' : 'error',
      ...cellRecord(cell),
    })),
  };
}

function attemptRecord(attempt: PartEntry): object {
  const {
    step,
    part,
    attempt: number,
    run,
    state,
    hash,
    sentAt,
    answeredAt,
    outcome,
    status,
    code,
    words,
  } = attempt;
  return {
    step,
    part: part + 1,
    attempt: number,
    run,
    state,
    hash,
    sentAt: isoTime(sentAt),
    answeredAt: answeredAt === undefined ? null : isoTime(answeredAt),
    outcome: outcome ?? null,
    status: status ?? null,
    code: code ?? null,
    words: words ?? null,
  };
}

/** For people: its state and numbers, its steps, requests and answers, and the faulty cells. Times are local. */
export function historyText(page: Page, story: AccountHistory): string {
  const { platformLabel, entry, attempts, problems, interventions, runs } = story;
  const { bold } = page.paint;
  const { key, state, code, krakenAccountNumber, steps } = entry;
  const title = `Account ${key.account} of ${key.supplier} on ${platformLabel}`;
  const leaveAlone = skipCommand({ ...key, state, code });
  const planned = stepNames.filter((step) => steps[step] !== 'none').map((step) => [step, steps[step]]);
  const sections = [
    [
      bold(paragraph(page, title, '')),
      facts(page, [
        ['state', state],
        ['', meaningOf(entry)],
        ...(code === '' ? [] : [['reason', code]]),
        ...(krakenAccountNumber === undefined ? [] : [['new number', krakenAccountNumber]]),
        ...(entry.changedIn === undefined ? [] : [['rows changed', `run ${entry.changedIn}`]]),
      ]),
      ...(leaveAlone === undefined
        ? []
        : [paragraph(page, 'If the account on the platform is not yours:'), `    ${leaveAlone}`]),
    ],
    ...(planned.length === 0 ? [] : [[bold('Steps'), facts(page, planned)]]),
    ...rulingSection(page, entry),
    ...byRun(attempts).map(([run, sent]) => runSection(page, sent, runs?.get(run))),
    ...(interventions.length === 0 ? [] : [[interventionsOnAccountText(page, interventions, attempts)]]),
    ...(story.sent === undefined ? cellsSection(page, story) : [sentSection(page, story.entry, story.sent)]),
    ...(problems.length === 0
      ? []
      : [[bold('Problems'), ...problems.map((problem) => entryOf(page, problem))]]),
  ];
  return sections.map((lines) => lines.join('\n')).join('\n\n');
}

/** The commands for what is uncertain, each on a line of its own. */
function rulingSection(page: Page, { key, parts }: AccountEntry): string[][] {
  const open = new Set(parts.filter(({ state }) => state === 'uncertain').map(({ step }) => step));
  if (open.size === 0) return [];
  const of = `migrate resolve ${quoted(key.account)} --supplier ${quoted(key.supplier)}`;
  return [
    [
      page.paint.bold('To rule on it'),
      paragraph(page, 'Find out on the platform whether it took effect. Then one of:'),
      ...[...open].flatMap((step) =>
        [...(step === 'process' ? ['done --number NUMBER', 'repeat', 'skip'] : ['done', 'repeat'])].map(
          (as) => `  ${of} --step ${step} --as ${as}`,
        ),
      ),
    ],
  ];
}

/** What the state of an account means. */
export function meaningOf(entry: AccountEntry): string {
  if (isStagedByDryRun(entry)) return pendingMeaning(1, 1);
  if (isRefusedNow(entry)) return `${stateMeaning(entry.state)}; ${refusedNow}`;
  if (entry.code === changedAfterImport) return rejectedMeaning(1, 1);
  if (entry.state === 'rejected' && alreadyHeldCodes.includes(entry.code)) return heldMeaning;
  return entry.state === 'pending' && entry.parts.length === 0
    ? 'nothing was sent yet'
    : stateMeaning(entry.state);
}

/** The refused and uncertain parts, each with its place in the export. */
function cellsSection(page: Page, story: AccountHistory): string[][] {
  const { entry } = story;
  const { from, dataFrom = from } = entry;
  const lines = entry.parts.flatMap((one) => {
    const places = placesOf({ cells: cellsOf(entry, one, story) });
    if (one.state === 'done' || (places.length === 0 && one.state !== 'uncertain')) return [];
    // The problems name the step and the same cells, which are then those of its only part.
    const isAlone = entry.parts.every((other) => other === one || other.step !== one.step);
    if (one.state !== 'uncertain' && isAlone) return [];
    return [
      `  ${one.step} part ${one.part + 1}, ${one.state}`,
      ...(places.length === 0 ? ['cells not recorded'] : places).map((where) => `    ${shownText(where)}`),
    ];
  });
  if (lines.length === 0) return [];
  const title = dataFrom === undefined ? 'Cells of its parts' : `Cells of its parts, in ${dataFrom}`;
  return [[page.paint.bold(paragraph(page, title, '')), ...lines]];
}

/** Every part that was sent, with the rows of the export that have its data and their columns. */
function sentSection(
  page: Page,
  { parts }: AccountEntry,
  sent: NonNullable<AccountHistory['sent']>,
): string[] {
  const title = `Cells of its parts, in ${sent.place}`;
  if (parts.length === 0) return [page.paint.bold(paragraph(page, title, '')), '  nothing was sent'];
  const blocks = new Map<string, string[]>();
  for (const part of parts) {
    const cells = sent.parts.get(part);
    const rows = cells === undefined ? ['not in this export as it was sent'] : rowsOf(cells);
    // Validate, stage and process send the same data.
    const place = rows.map((row) => paragraph(page, shownText(row), '    ')).join('\n');
    const heading = `${part.step} part ${part.part + 1}, ${part.state}`;
    blocks.set(place, [...(blocks.get(place) ?? []), heading]);
  }
  const lines = [...blocks].flatMap(([rows, headings]) => [
    ...headings.map((heading) => `  ${heading}`),
    rows,
  ]);
  return [page.paint.bold(paragraph(page, title, '')), ...lines];
}

/** A line for each row: its place and its columns. */
function rowsOf(cells: readonly Cell[]): string[] {
  const rows = new Map<string, string[]>();
  for (const { column, ref: _ref, ...whole } of cells) {
    const row = place({ ...whole, column: '' });
    rows.set(row, [...(rows.get(row) ?? []), ...(column === '' ? [] : [column])]);
  }
  const lines = [...rows].map(([row, columns]) => `${row}  ${columns.join(', ')}`.trimEnd());
  const more = lines.length - mostRows;
  return more <= 0
    ? lines
    : [...lines.slice(0, mostRows), `and ${counted(more, 'more row', 'more rows')}; --json has all`];
}

function facts(page: Page, rows: readonly (readonly string[])[]): string {
  return table(
    page,
    [
      { title: '', whole: true },
      { title: '', paint: (state) => paintState(page, state) },
    ],
    rows,
  );
}

function byRun(attempts: readonly PartEntry[]): [run: number, attempts: PartEntry[]][] {
  const runs = new Map<number, PartEntry[]>();
  for (const attempt of attempts) runs.set(attempt.run, [...(runs.get(attempt.run) ?? []), attempt]);
  return [...runs];
}

/** The requests of one run; the title has the day, and a time of another day has its own. */
function runSection(page: Page, attempts: readonly PartEntry[], by: Actor | undefined): string[] {
  const [first] = attempts;
  const day = first === undefined ? '' : formatTime(first.sentAt, page.timeZone).slice(0, 10);
  const columns: Column[] = [
    { title: 'Sent', whole: true },
    { title: 'Step', whole: true },
    { title: 'Part', align: 'right', spare: true },
    { title: 'Try', align: 'right', spare: true },
    { title: 'Took', align: 'right', spare: true },
    { title: 'State', whole: true, paint: (state) => paintState(page, state) },
  ];
  const told = attemptRows(attempts);
  const rows = told.map(({ step, part, attempt, state, sentAt, answeredAt }) => [
    formatTime(sentAt, page.timeZone).replace(`${day} `, ''),
    step,
    String(part + 1),
    String(attempt),
    answeredAt === undefined ? '' : formatDuration(answeredAt - sentAt),
    state,
  ]);
  const title = `Run ${first?.run ?? ''}, ${day} (${page.timeZone})`;
  const heading = by === undefined ? title : `${title}, by ${actorText(by)}`;
  const [head = '', ...lines] = table(page, columns, rows).split('\n');
  const width = Math.max(...[head, ...lines].map(textWidth));
  const besides = (line: string, text: string) => `${line}${' '.repeat(width - textWidth(line))}  ${text}`;
  // One that does not fit beside its row has the whole width below: its code is copied.
  const answered = lines.flatMap((line, at) => {
    const answer = shownText(told[at]?.answer ?? '');
    if (answer === '') return [line];
    return width + 2 + textWidth(answer) <= page.columns
      ? [besides(line, answer)]
      : [line, paragraph(page, answer, '    ')];
  });
  return [page.paint.bold(heading), besides(head, page.paint.bold('Answer')), ...answered];
}

function entryOf(page: Page, problem: RecordedProblem): string {
  const { step, path } = problem;
  const code = problem.isWarning === true ? `${problem.code}, a warning` : problem.code;
  const payload = [step, path].filter((part) => part !== undefined && part !== '').join(' ');
  const said = payload === '' ? code : `${code} (${payload})`;
  return `  ${shownText(faultyPlace(problem))}\n${paragraph(page, said, '    ')}`;
}

/** Everything in the journal about one account as one JSON line (docs/journal.md). Times are UTC. */
export function journalAccountRecord(platform: string, story: AccountHistory): object {
  const { planHash = null, stagedHash = null, inDoubtSince } = story.entry;
  return {
    type: 'account',
    ...historySummary(story),
    platform,
    platformLabel: story.platformLabel,
    planHash,
    stagedHash,
    inDoubtSince: inDoubtSince === undefined ? null : isoTime(inDoubtSince),
  };
}
