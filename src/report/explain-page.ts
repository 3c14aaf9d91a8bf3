import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '../domain/json.ts';
import { joinPath } from '../domain/paths.ts';
import type { StepName } from '../domain/steps.ts';
import { counted } from './format.ts';
import { ignoredRowsText } from './partly-read.ts';
import { paragraph } from './paragraph.ts';
import { cellRecord, place, type Cell } from '../domain/cell.ts';
import { problemCount, problemList } from './problem-list.ts';
import type { ProblemTotals } from './ending.ts';
import {
  markOf,
  markSigns,
  sinceSentRecord,
  sinceSentText,
  type SinceSent,
  type ValueMark,
} from './since-sent.ts';
import type { Page } from './terminal.ts';
import { shownText, visibleText } from '../domain/foreign-text.ts';
import { padded } from './text-width.ts';

/** One payload that a mapping built. */
export interface ExplainedRequest {
  readonly step: StepName;
  /** Which of the step's payloads, from zero. */
  readonly request: number;
  readonly payload: JsonObject;
  /** Where the value at this path was read; undefined if it came from no file. */
  readonly locate: (path: string) => Cell | undefined;
}

export interface ExplainView {
  readonly account: string;
  readonly supplier: string;
  readonly requests: readonly ExplainedRequest[];
  readonly problems: ProblemTotals;
  /** Its rows that the mapping excludes on purpose. */
  readonly ignoredRows: number;
  /** What is not as it was sent; absent if the journal has not sent the account. */
  readonly since?: SinceSent | undefined;
}

interface ExplainedValue {
  readonly path: string;
  readonly value: JsonValue;
}

/** For programs: each value of each payload with its source, as one JSON line. */
export function* valueRecords({ requests, since }: ExplainView): Generator<object> {
  for (const { step, request, payload, locate } of requests)
    for (const { path, value } of valuesOf(payload, '')) {
      const cell = locate(path);
      const { column = null, beside, behind } = cell ?? {};
      yield {
        ...{ type: 'value', step, request, path, value },
        ...cellRecord(cell),
        columns: beside && [column, ...beside],
        behind: behind?.map(cellRecord),
        sinceSent: markOf(since, { step, request }, path),
      };
    }
}

/** For programs: the fields of the summary of `explain`. */
export function explainSummary(view: ExplainView): object {
  const { problems, warnings, byCode } = view.problems;
  const values = view.requests.reduce((sum, { payload }) => sum + [...valuesOf(payload, '')].length, 0);
  return {
    account: view.account,
    supplier: view.supplier,
    values,
    problems,
    warnings,
    byCode,
    ignoredRows: view.ignoredRows,
    sinceSent: sinceSentRecord(view.since, marksIn(view)),
  };
}

function marksIn({ requests, since }: ExplainView): readonly ValueMark[] {
  if (since === undefined) return [];
  return requests.flatMap((request) =>
    [...valuesOf(request.payload, '')].flatMap(({ path }) => markOf(since, request, path) ?? []),
  );
}

/** For people: the payloads as they will be sent, each value with the cell that it came from. */
export function explainText(page: Page, view: ExplainView): string {
  const { bold } = page.paint;
  const { account, supplier, requests, problems, ignoredRows } = view;
  const whose = supplier === '' ? '' : ` of ${supplier}`;
  const sections = requests.map((request) => [
    bold(titleOf(request, requests)),
    ...tree(page, request, view.since),
  ]);
  const faults =
    problems.problems === 0 ? [] : [[`${problemCount(problems)}:`, '', problemList(page, problems)]];
  const title = paragraph(page, `Account ${account}${whose}: ${counted(requests.length, 'payload')}`, '');
  const ignored = ignoredRowsText(ignoredRows).map((line) => [paragraph(page, line, '')]);
  const { since } = view;
  const sent = since === undefined ? [] : [sinceSentText(page, since, marksIn(view))];
  return [[bold(title)], ...sections, ...sent, ...ignored, ...faults]
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** The leaf values, in the order in which they are sent. */
function* valuesOf(value: JsonValue, path: string): Generator<ExplainedValue> {
  const inner = innerOf(value);
  if (inner.length === 0) yield { path, value };
  for (const [name, field] of inner) yield* valuesOf(field, joinPath(path, name));
}

function innerOf(value: JsonValue): readonly (readonly [string | number, JsonValue])[] {
  if (Array.isArray(value)) return [...value.entries()];
  return isJsonObject(value) ? Object.entries(value) : [];
}

function titleOf({ step, request }: ExplainedRequest, all: readonly ExplainedRequest[]): string {
  if (step === 'stage') return 'account (validate, stage)';
  const several = all.filter((other) => other.step === step).length > 1;
  return several ? `${step} ${request + 1}` : step;
}

/** The column of the sources, unless the values before them are longer. */
const sourceColumn = 48;

function tree(page: Page, request: ExplainedRequest, since: SinceSent | undefined): string[] {
  const { payload, locate } = request;
  const lines: string[] = [];
  const add = (value: JsonValue, path: string, margin: string): void => {
    for (const [name, field] of innerOf(value)) {
      const at = joinPath(path, name);
      const isLeaf = innerOf(field).length === 0;
      const said = `${margin}${shownText(String(name))}:${isLeaf ? ` ${visibleText(shown(field))}` : ''}`;
      const mark = isLeaf ? markOf(since, request, at) : undefined;
      const marked = mark === undefined ? said : `${markSigns[mark]}${said.slice(1)}`;
      lines.push(isLeaf ? `${padded(marked, sourceColumn)}  ${source(page, locate(at))}` : said);
      if (!isLeaf) add(field, at, `${margin}  `);
    }
  };
  add(payload, '', '  ');
  return lines;
}

/** Texts are quoted if they could be taken for another type. */
function shown(value: JsonValue): string {
  const isPlain = typeof value === 'string' && /^[\p{L}_][\p{L}\p{N} _.,@/:-]*$/u.test(value);
  return isPlain && !['true', 'false', 'null'].includes(value) ? value : stringifyJson(value);
}

function places(cell: Cell): string {
  const own = [place(cell), ...(cell.beside ?? [])].join(', ');
  const isOfRow = ({ file, line, sheet }: Cell): boolean =>
    file === cell.file && line === cell.line && sheet === cell.sheet;
  const behind = (cell.behind ?? [])
    .map((other) => (isOfRow(other) ? other.column : place(other)))
    .join(', ');
  return behind === '' ? own : `${own}, by ${behind}`;
}

function source(page: Page, cell: Cell | undefined): string {
  return page.paint.dim(shownText(cell === undefined ? '(no file: set by the tool)' : places(cell)));
}
