import { stepNames } from '../domain/steps.ts';
import type { Actor } from '../domain/actor.ts';
import type { AccountEntry, Intervention, PartCell, PartEntry, RecordedProblem } from '../journal/journal.ts';
import { actorText } from './actor.ts';
import { formatDuration, formatTime, isoTime } from './format.ts';
import { paragraph } from './paragraph.ts';
import { interventionOnAccount, interventionsOnAccountText } from './interventions.ts';
import { cellsOf, placesOf } from './listed-part.ts';
import { faultyPlace } from './problem-list.ts';
import { isStagedByDryRun, paintState, pendingMeaning, stateMeaning } from './state-table.ts';
import { table, type Column } from './table.ts';
import type { Page } from './terminal.ts';
import { escapeControl } from './escape-control.ts';

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
    export: dataFrom ?? null,
    steps,
    parts: entry.parts.map((one) => ({
      step: one.step,
      // From 1, as for people: `resolve --part` accepts both.
      part: one.part + 1,
      state: one.state,
      cells: cellsOf(entry, one, story),
    })),
    ...(runs === undefined
      ? {}
      : { runs: byRun(attempts).map(([run]) => ({ run, by: runs.get(run) ?? null })) }),
    attempts: attempts.map(attemptRecord),
    interventions: interventions.map((one) => interventionOnAccount(one, attempts)),
    problems: problems.map(({ step = null, cell, isWarning, ...problem }) => ({
      step,
      ...problem,
      severity: isWarning === true ? 'warning' : 'error',
      file: cell?.file ?? null,
      line: cell?.line ?? null,
      column: cell?.column ?? null,
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
  const planned = stepNames.filter((step) => steps[step] !== 'none').map((step) => [step, steps[step]]);
  const sections = [
    [
      bold(paragraph(page, title, '')),
      facts(page, [
        ['state', state],
        ['', isStagedByDryRun(entry) ? pendingMeaning(1, 1) : stateMeaning(state)],
        ...(code === '' ? [] : [['reason', code]]),
        ...(krakenAccountNumber === undefined ? [] : [['new number', krakenAccountNumber]]),
      ]),
    ],
    ...(planned.length === 0 ? [] : [[bold('Steps'), facts(page, planned)]]),
    ...byRun(attempts).map(([run, sent]) => runSection(page, sent, runs?.get(run))),
    ...(interventions.length === 0 ? [] : [[interventionsOnAccountText(page, interventions, attempts)]]),
    ...cellsSection(page, story),
    ...(problems.length === 0
      ? []
      : [[bold('Problems'), ...problems.map((problem) => entryOf(page, problem))]]),
  ];
  return sections.map((lines) => lines.join('\n')).join('\n\n');
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
      ...(places.length === 0 ? ['cells not recorded'] : places).map(
        (where) => `    ${escapeControl(where)}`,
      ),
    ];
  });
  if (lines.length === 0) return [];
  const title = dataFrom === undefined ? 'Cells of its parts' : `Cells of its parts, in ${dataFrom}`;
  return [[page.paint.bold(paragraph(page, title, '')), ...lines]];
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
    { title: 'Step' },
    { title: 'Part', align: 'right', spare: true },
    { title: 'Try', align: 'right', spare: true },
    { title: 'Took', align: 'right', spare: true },
    { title: 'State', paint: (state) => paintState(page, state) },
    { title: 'Answer', wrap: true },
  ];
  const rows = attempts.map(
    ({ step, part, attempt, state, sentAt, answeredAt, outcome, status, code, words }) => [
      formatTime(sentAt, page.timeZone).replace(`${day} `, ''),
      step,
      String(part + 1),
      String(attempt),
      answeredAt === undefined ? '' : formatDuration(answeredAt - sentAt),
      state,
      [status ?? outcome, words !== undefined && code === 'invalid' ? '' : code, words]
        .filter((said) => said !== undefined && said !== '')
        .join(' '),
    ],
  );
  const title = `Run ${first?.run ?? ''}, ${day} (${page.timeZone})`;
  const heading = by === undefined ? title : `${title}, by ${actorText(by)}`;
  return [page.paint.bold(heading), table(page, columns, rows)];
}

function entryOf(page: Page, problem: RecordedProblem): string {
  const { step, path } = problem;
  const code = problem.isWarning === true ? `${problem.code}, a warning` : problem.code;
  const payload = [step, path].filter((part) => part !== undefined && part !== '').join(' ');
  const said = payload === '' ? code : `${code} (${payload})`;
  return `  ${escapeControl(faultyPlace(problem))}\n${paragraph(page, said, '    ')}`;
}
