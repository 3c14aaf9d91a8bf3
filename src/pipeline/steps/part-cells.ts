import { cellKey, oneCell, type Cell } from '../../domain/cell.ts';
import type { JsonObject } from '../../domain/json.ts';
import { isExtraStep } from '../../domain/steps.ts';
import type { AccountEntry, PartCell, PartEntry } from '../../journal/journal.ts';
import type { ReadyPlan } from '../ready-plan.ts';
import type { Settings } from '../settings.ts';
import { stepOf } from './extra-steps.ts';
import { ItemList } from './item-list.ts';
import { wholeRequest } from './ready-requests.ts';

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
