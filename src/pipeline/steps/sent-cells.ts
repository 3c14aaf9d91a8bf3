import { cellKey, oneCell, type Cell } from '../../domain/cell.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { joinPath } from '../../domain/paths.ts';
import { isExtraStep } from '../../domain/steps.ts';
import type { AccountEntry, PartCell, PartEntry } from '../../journal/journal.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { printOf } from '../hash.ts';
import type { ReadyPlan } from '../account/ready-plan.ts';
import { wholeRequest } from '../request/ready-request.ts';
import type { Cutting, Settings } from '../settings.ts';
import { ItemList } from './item-list.ts';
import { itemsStepOf, stepOf } from './step-table.ts';

/** A value that a part sent. */
interface Sent {
  readonly value: JsonValue;
  readonly path: string;
  /** Which of the step's payloads, from zero. */
  readonly request: number;
}

/**
 * The cells of the export with the data of a part, each once; undefined if the export does not have this data as it was
 * sent, by its fingerprint. Constants of the mapping are not among them.
 */
export function sentCells(
  plan: AccountPlan,
  part: PartEntry,
  cutting: Cutting,
  isOfExport: (cell: Cell) => boolean,
): readonly PartCell[] | undefined {
  const sent = sentBy(plan, part, cutting);
  if (sent === undefined) return undefined;
  const cells = new Map<string, Cell>();
  for (const one of sent)
    for (const { path } of leavesOf(one.value, one.path))
      for (const cell of cellsAt(plan, part, path, one.request))
        if (isOfExport(cell)) cells.set(cellKey(cell), cell);
  return [...cells.values()].map((cell) => ({ step: part.step, part: part.part, cell }));
}

function* cellsAt(plan: AccountPlan, { step }: PartEntry, path: string, request: number): Generator<Cell> {
  const cell = plan.locate(step, path, request);
  if (cell === undefined) return;
  const { ref: _ref, ...row } = oneCell(cell);
  yield oneCell(cell);
  for (const column of cell.beside ?? []) yield { ...row, column };
}

function sentBy(plan: AccountPlan, part: PartEntry, cutting: Cutting): readonly Sent[] | undefined {
  const { step } = part;
  if (!isExtraStep(step))
    return printOf(plan).payloadHash === part.hash
      ? [{ value: plan.payload, path: '', request: 0 }]
      : undefined;
  const items = itemsStepOf(step, cutting);
  if (items === undefined) {
    const request = plan.extras[step].findIndex((payload) => wholeRequest(step, payload).hash === part.hash);
    const value = plan.extras[step][request];
    return value && [{ value, path: '', request }];
  }
  const list = new ItemList(items, plan, []);
  const range = list.rangeOf(part);
  return (
    range &&
    list.itemsIn(range).map((value, at) => ({ value, path: `${items.array}.${range.from + at}`, request: 0 }))
  );
}

function* leavesOf(value: JsonValue, path: string): Generator<{ readonly path: string }> {
  const inner = Array.isArray(value)
    ? value.map((item, at) => [String(at), item] as const)
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  if (inner.length === 0) yield { path };
  for (const [name, field] of inner) yield* leavesOf(field, joinPath(path, name));
}

/** A part may have thousands of items; a person who rules on it reads a few. */
const mostCells = 20;

/**
 * The places in the export of the uncertain parts of an account: the rows or records of their items, the first twenty
 * of a part. Nothing for a part that is no longer in the export as sent.
 */
export async function uncertainCells(
  plan: ReadyPlan,
  { parts }: Pick<AccountEntry, 'parts'>,
  settings: Settings,
): Promise<readonly PartCell[]> {
  const found: PartCell[] = [];
  for (const entry of parts) {
    if (entry.state !== 'uncertain') continue;
    const cells = new Map<string, Cell>();
    for (const { path, request } of pathsOf(plan, entry, settings)) {
      const cell = await plan.locate(entry.step, path, request);
      if (cell === undefined) continue;
      cells.set(cellKey(cell), oneCell(cell));
      if (cells.size === mostCells) break;
    }
    const { step, part } = entry;
    found.push(...[...cells.values()].map((cell) => ({ step, part, cell })));
  }
  return found;
}

interface PathOfPart {
  readonly path: string;
  /** Which of the step's payloads, from zero. */
  readonly request: number;
}

/** The place of a part's contents in the current payloads. */
function pathsOf(plan: ReadyPlan, entry: PartEntry, settings: Settings): readonly PathOfPart[] {
  const name = entry.step;
  if (!isExtraStep(name)) return [{ path: 'external_account_number', request: 0 }];
  const step = stepOf(name, settings);
  if (step.kind === 'items') {
    const range = new ItemList(step, plan, []).rangeOf(entry);
    if (range === undefined) return [];
    return positions(range.from, range.to).map((at) => ({ path: `${step.array}.${at}`, request: 0 }));
  }
  return plan.extras[name].flatMap((payload, request) =>
    wholeRequest(name, payload).hash === entry.hash ? pathsIn(payload, request) : [],
  );
}

/** The items of a payload that is a list, otherwise its record. */
function pathsIn(payload: JsonObject, request: number): readonly PathOfPart[] {
  const items = Object.entries(payload).flatMap(([name, value]) =>
    Array.isArray(value) ? positions(0, value.length).map((at) => `${name}.${at}`) : [],
  );
  return (items.length === 0 ? [''] : items).map((path) => ({ path, request }));
}

function positions(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
