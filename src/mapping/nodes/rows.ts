import { cellKey, type Cell } from '../../domain/cell.ts';
import { parseDecimal } from '../../domain/decimal.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { CellValue } from '../../domain/typed-value.ts';
import type { SourceRecord } from '../../source/export.ts';
import { textOf } from '../condition.ts';
import { Fault, type Convert } from '../convert.ts';
import { allHold, allHoldOf, reportUncompared, withConditions, type ConditionPlan } from './cases.ts';
import { pushElement } from './list.ts';
import {
  buildForRows,
  cellAt,
  isUnreadable,
  withBehind,
  type BuildFault,
  type Node,
  type ArrayPart,
  type RowsState,
  type Run,
  type Scope,
} from './run.ts';
import type { Read } from './value.ts';

/** A rows spec with its columns resolved. */
export interface RowsPlan {
  /** Its number among the mapping's rows nodes: where a run keeps its state. */
  readonly number: number;
  readonly table: string;
  readonly parentTable: string;
  /** Tests on the parent's record, or the account's. */
  readonly when: readonly ConditionPlan[];
  readonly where: readonly ConditionPlan[];
  /** Which of several rows to take, if only one is needed. */
  readonly take?: 'first' | 'last' | 'only' | undefined;
  /** The mapping excludes rows of the table on purpose if all conditions of one of these lists match. */
  readonly ignore: readonly (readonly ConditionPlan[])[];
  /** The same of the tables through which its rows find their account. */
  readonly ignoreThrough: readonly {
    readonly table: string;
    readonly column: string;
    readonly ignore: readonly (readonly ConditionPlan[])[];
  }[];
  readonly match: readonly {
    readonly column: string;
    readonly read: Read;
    readonly parent: (scope: Scope) => CellValue | undefined;
    /** The parent's column that is matched; '' for the parent's position. */
    readonly parentColumn: string;
  }[];
  readonly distinct: readonly { readonly column: string; readonly read: Read }[];
  readonly order: readonly {
    readonly column: string;
    readonly read: Read;
    readonly convert: Convert;
    readonly descending: boolean;
  }[];
  /** The columns that the element reads from the first of several rows that count as one; the others must agree. */
  readonly agree: readonly { readonly path: string; readonly column: string; readonly read: Read }[];
  readonly onlyParent: boolean;
  readonly each: Node;
}

/** One element for each of the parent's rows in a child table. */
export function rowsPart(plan: RowsPlan): ArrayPart {
  /** The rows of each parent that gave an element: searched once, however many of them are traced. */
  const filled = new WeakMap<SourceRecord, readonly Scope[]>();
  return {
    push(scope, out) {
      const { run } = scope;
      const rows = rowsOf(plan, scope);
      for (const row of rows) run.claimed.add(row.record);
      if (areRowsUnknown(plan, scope)) run.findings.push({ isList: true, path: '' });
      if (plan.distinct.length === 0) {
        for (const row of rows) pushElement(plan.each, row, out);
        return;
      }
      for (const [first, ...others] of groupsOf(plan, rows)) {
        const at = out.length;
        if (first === undefined || !pushElement(plan.each, first, out)) continue;
        for (const other of others) reportDisagreement(plan, first, other, at);
      }
    },
    locate(scope, index, path) {
      const rows = filled.get(scope.record) ?? filledRows(plan, scope);
      filled.set(scope.record, rows);
      const row = rows[index];
      if (row === undefined) return cellAt(scope.record, '');
      const cell = plan.each.locate(row, path);
      return cell && withChoice(cell, plan, row, scope);
    },
  };
}

/** The cell of a value of a row, and the cells that chose the row for its parent. */
export function withChoice(cell: Cell, { when, where, match }: RowsPlan, row: Scope, scope: Scope): Cell {
  const joined = match.flatMap(({ column, parentColumn }) => [
    cellAt(row.record, column),
    ...(parentColumn === '' ? [] : [cellAt(scope.record, parentColumn)]),
  ]);
  return withConditions(withBehind(withConditions(cell, where, row), joined), when, scope);
}

function filledRows(plan: RowsPlan, scope: Scope): readonly Scope[] {
  const rows = [...groupsOf(plan, rowsOf(plan, scope))].flatMap(([first]) => first ?? []);
  return rows.filter((row) => pushElement(plan.each, row, []));
}

/** Whether the part takes this row, whatever its parent; undefined if that cannot be read. */
export function takes(plan: RowsPlan, record: SourceRecord): boolean | undefined {
  return allHoldOf(plan.where, record);
}

/** Whether the mapping excludes this row, or one through which it found its account, on purpose; undefined if that cannot be read. */
export function ignores(plan: RowsPlan, record: SourceRecord, { bundle }: Run): boolean | undefined {
  const { ignore, ignoreThrough } = plan;
  const own = oneHolds(ignore, record);
  if (own === true || ignoreThrough.length === 0) return own;
  const { behind = [] } = record.cell(record.table.key);
  const partners = new Set(behind.map(cellKey));
  const answers = ignoreThrough.flatMap(({ table, column, ignore: conditions }) =>
    bundle
      .records(table)
      .filter((partner) => partners.has(cellKey(partner.cell(column))))
      .map((partner) => oneHolds(conditions, partner)),
  );
  return answers.includes(true) || (own === undefined || answers.includes(undefined) ? undefined : false);
}

function oneHolds(cases: readonly (readonly ConditionPlan[])[], record: SourceRecord): boolean | undefined {
  if (cases.length === 0) return false;
  const answers = cases.map((when) => allHoldOf(when, record));
  return answers.includes(true) || (answers.includes(undefined) ? undefined : false);
}

/** Whether rows may be missing from those that `rowsOf` gave for this parent. */
export function areRowsUnknown(plan: RowsPlan, scope: Scope): boolean {
  const { rows, incomplete } = scope.run;
  return (
    incomplete.has(plan.table) ||
    (rows[plan.number]?.unknown ?? []).length > 0 ||
    isParentUnknown(plan, scope)
  );
}

/** Whether a value of the parent that cannot be read decides which rows are its own. */
function isParentUnknown({ when, match }: RowsPlan, scope: Scope): boolean {
  if (scope.record.unreadable === undefined && when.length === 0) return false;
  const asked = allHold(when, scope);
  if (asked !== true) return asked === undefined;
  return match.some(({ parentColumn }) => parentColumn !== '' && isUnreadable(scope.record, parentColumn));
}

/** The parent's rows, in their order; none if they cannot be distinguished from those of others. */
export function rowsOf(plan: RowsPlan, scope: Scope): readonly Scope[] {
  const { run } = scope;
  const state = (run.rows[plan.number] ??= startState(plan, run));
  if (isParentUnknown(plan, scope)) {
    if (allHold(plan.when, scope) === undefined) reportUncompared(plan.when, scope);
    claimPossible(plan, [...state.unnamed, ...[...state.byParent.values()].flat()]);
    return [];
  }
  if (plan.when.length > 0 && allHold(plan.when, scope) !== true) {
    state.excluded = true;
    return [];
  }
  // Tracing asks nodes again, so parents are identified by their record and not by a count.
  state.first ??= scope.record;
  const isFirst = state.first === scope.record;
  if (!isFirst) state.several = true;
  const unnamed = isFirst && plan.onlyParent ? state.unnamed : [];
  if (plan.match.length === 0) return inOrder(plan, unnamed);
  const named = state.byParent.get(joinKey(plan.match.map(({ parent }) => textOf(parent(scope))))) ?? [];
  if (unnamed.length === 0) return inOrder(plan, named);
  return inOrder(
    plan,
    [...named, ...unnamed].sort((one, other) => one.position - other.position),
  );
}

/** Rows that may have a parent are not without one, and neither are the rows that belong to them. */
function claimPossible(plan: RowsPlan, rows: readonly Scope[]): void {
  for (const row of rows) {
    row.run.possible.add(row.record);
    buildForRows(plan.each, row);
  }
}

/**
 * The faults in the cells of rows that have no place in a payload, or no certain one. Call after everything else of the
 * account is built: rows that belong to such a row are then not without a parent.
 */
export function findInRowsWithoutPlace(
  run: Run,
  plans: readonly RowsPlan[],
  isLeftOut: (table: string, record: SourceRecord) => boolean,
): BuildFault[] {
  let found: Map<string, BuildFault> | undefined;
  for (const plan of plans) {
    const state = run.rows[plan.number];
    // Most accounts have a place for every row.
    if (state === undefined || (state.unknown.length === 0 && areAllClaimed(run, plan.table))) continue;
    const lost = withoutParent(run, state).filter(({ record }) => !isLeftOut(plan.table, record));
    for (const row of [...state.unknown, ...lost]) {
      const faults = buildForRows(plan.each, row);
      // Of a row that the node may not take at all, they may be no faults. Another node may find the same ones.
      if (takes(plan, row.record) === true)
        for (const fault of faults)
          (found ??= new Map()).set(`${fault.code} ${JSON.stringify(fault.cell)}`, fault);
    }
    for (const { record } of state.unknown) run.claimed.add(record);
  }
  return found === undefined ? [] : [...found.values()];
}

function areAllClaimed({ bundle, claimed }: Run, table: string): boolean {
  return bundle.records(table).every((record) => claimed.has(record));
}

function withoutParent(
  { claimed, possible }: Run,
  { unnamed, byParent, excluded }: RowsState,
): readonly Scope[] {
  if (excluded) return [];
  const isPlaced = ({ record }: Scope): boolean => claimed.has(record) || possible.has(record);
  return [...unnamed, ...[...byParent.values()].flat()].filter((row) => !isPlaced(row));
}

function inOrder(plan: RowsPlan, rows: readonly Scope[]): readonly Scope[] {
  if (plan.order.length === 0) return rows;
  const keyed = rows.map((row) => ({
    row,
    keys: plan.order.map(({ read, convert }) => {
      const raw = read(row.record);
      const value = raw === undefined ? undefined : convert(raw);
      return value instanceof Fault ? undefined : value;
    }),
  }));
  keyed.sort((one, other) => {
    for (const [at, { descending }] of plan.order.entries()) {
      const order = compare(one.keys[at], other.keys[at], descending ? -1 : 1);
      if (order !== 0) return order;
    }
    return 0;
  });
  return keyed.map(({ row }) => row);
}

/** Numbers are compared by value, anything else as text; empty values come last in both directions. */
function compare(one: JsonValue | undefined, other: JsonValue | undefined, sign: 1 | -1): number {
  if (one === undefined || other === undefined)
    return Number(one === undefined) - Number(other === undefined);
  if (typeof one === 'string') {
    const text = textOf(other);
    return one === text ? 0 : one < text ? -sign : sign;
  }
  const [size, limit] = [parseDecimal(textOf(one)), parseDecimal(textOf(other))];
  return size === undefined || limit === undefined ? 0 : sign * size.cmp(limit);
}

const noScopes: readonly Scope[] = [];
const noParents: RowsState['byParent'] = new Map();

function startState(plan: RowsPlan, run: Run): RowsState {
  const records = run.bundle.records(plan.table);
  if (records.length === 0)
    return {
      unnamed: noScopes,
      byParent: noParents,
      unknown: noScopes,
      first: undefined,
      several: false,
      excluded: false,
    };
  const unnamed: Scope[] = [];
  const byParent = new Map<string, Scope[]>();
  const unknown: Scope[] = [];
  let position = 0;
  for (const record of records) {
    const row: Scope = { run, record, position };
    position += 1;
    const [isIgnored, isTaken] = [ignores(plan, record, run), takes(plan, record)];
    if (isIgnored === true || isTaken === false) continue;
    if (isIgnored === undefined || isTaken === undefined || isPlaceUnknown(plan, record)) {
      if (isIgnored === undefined) reportUncompared(plan.ignore.flat(), row);
      if (isTaken === undefined) reportUncompared(plan.where, row);
      unknown.push(row);
      continue;
    }
    const texts = plan.match.map(({ read }) => textOf(read(record)));
    if (texts.every((text) => text === '')) unnamed.push(row);
    else put(byParent, joinKey(texts), row);
  }
  return { unnamed, byParent, unknown, first: undefined, several: false, excluded: false };
}

/** Whether a value that cannot be read decides to which parent a row belongs, or with which rows it is one. */
function isPlaceUnknown({ match, distinct }: RowsPlan, record: SourceRecord): boolean {
  if (record.unreadable === undefined) return false;
  return [...match, ...distinct].some(({ column }) => isUnreadable(record, column));
}

function groupsOf(plan: RowsPlan, rows: readonly Scope[]): Iterable<readonly Scope[]> {
  if (plan.distinct.length === 0) return rows.map((row) => [row]);
  const groups = new Map<string, Scope[]>();
  for (const row of rows)
    put(groups, joinKey(plan.distinct.map(({ read }) => textOf(read(row.record)))), row);
  return groups.values();
}

function reportDisagreement(plan: RowsPlan, first: Scope, other: Scope, at: number): void {
  for (const { path, column, read } of plan.agree) {
    if (isUnreadable(first.record, column) || isUnreadable(other.record, column)) continue;
    if (textOf(read(first.record)) === textOf(read(other.record))) continue;
    other.run.findings.push({
      code: 'conflicting_values',
      path: `${at}.${path}`,
      detail: `This row and line ${first.record.line} form one object, but differ here. Correct one of them.`,
      severity: 'error',
      cell: cellAt(other.record, column),
    });
  }
}

function put(groups: Map<string, Scope[]>, key: string, row: Scope): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [row]);
  else group.push(row);
}

/** Texts that are compared together, as one. */
export function joinKey(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] ?? '') : texts.join('\u0000');
}
