import type { Cell } from '../../domain/cell.ts';
import type { JsonValue } from '../../domain/json.ts';
import { spelledAs } from '../../domain/nearest.ts';
import type { Severity } from '../../domain/problem.ts';
import type { StepName } from '../../domain/steps.ts';
import type { Bundle, SourceRecord } from '../../source/export.ts';

/** A fault of a cell, found while building; its path grows as it is passed outward. */
export interface BuildFault {
  readonly code: string;
  path: string;
  readonly detail: string;
  readonly severity: Severity;
  readonly cell: Cell | undefined;
  /** The value of the cell. */
  readonly value?: string | undefined;
  step?: StepName;
  /** Which of the step's payloads, from zero. */
  request?: number;
}

/** An array that lacks elements, or a value that is missing, because rows of a table could not be read or placed. */
export interface Gap {
  readonly isList: boolean;
  path: string;
  step?: StepName;
  request?: number;
}

/** State that is collected while one account is built. */
export interface Run {
  readonly bundle: Bundle;
  readonly findings: (BuildFault | Gap)[];
  /** Tables with rows of the account that could not be read or placed. */
  readonly incomplete: ReadonlySet<string>;
  /** Rows that the mapping excludes on purpose. */
  ignoredRows: number;
  /** Rows of child tables that have a place in a payload. */
  readonly claimed: Set<SourceRecord>;
  /** Rows of child tables that may belong to a parent with an unreadable value. */
  readonly possible: Set<SourceRecord>;
  /** State of each rows node while this account is built, by the node's number. */
  readonly rows: (RowsState | undefined)[];
}

/** An account's rows of one child table, from the view of one rows node. */
export interface RowsState {
  /** Rows that name no parent. */
  readonly unnamed: readonly Scope[];
  readonly byParent: ReadonlyMap<string, readonly Scope[]>;
  /** The record of the first parent that asked. */
  first: SourceRecord | undefined;
  /** Whether a condition excluded the rows of a parent. */
  excluded: boolean;
  /** Rows with an unreadable value that decides whether the node takes them, and for which parent. */
  readonly unknown: readonly Scope[];
  /** Whether another parent asked too. */
  several: boolean;
}

/** The position of a node: the current record, and its index among the account's rows of its table, from zero. */
export interface Scope {
  readonly run: Run;
  readonly record: SourceRecord;
  readonly position: number;
}

/** Makes one value. */
export interface Node {
  /** undefined if empty: the field is omitted (interface, section 2). */
  build(scope: Scope): JsonValue | undefined;
  /** Where the value at this path, relative to here, was read or would have been read. */
  locate(scope: Scope, path: readonly string[]): Cell | undefined;
}

/** Makes some elements of an array. */
export interface ArrayPart {
  push(scope: Scope, out: JsonValue[]): void;
  /** The place of a path into the `index`-th of these elements; `index` is below the count that `push` returns. */
  locate(scope: Scope, index: number, path: readonly string[]): Cell | undefined;
}

export function startRun(bundle: Bundle, incomplete = bundle.incomplete): Run {
  return {
    bundle,
    findings: [],
    claimed: new Set(),
    possible: new Set(),
    rows: [],
    incomplete,
    ignoredRows: 0,
  };
}

export function isGap(found: BuildFault | Gap): found is Gap {
  return 'isList' in found;
}

/** Adds `name` before the paths of everything found since there were `before` findings. */
export function prefixFindings(run: Run, before: number, name: string | number): void {
  for (let at = before; at < run.findings.length; at++) {
    const finding = run.findings[at];
    if (finding !== undefined) finding.path = finding.path === '' ? String(name) : `${name}.${finding.path}`;
  }
}

/** Builds a value only for the rows that it claims; returns the faults of cells that were found. */
export function buildForRows(node: Node, scope: Scope): BuildFault[] {
  const { findings } = scope.run;
  const before = findings.length;
  node.build(scope);
  return findings.splice(before).filter((found): found is BuildFault => !isGap(found));
}

/**
 * The cell of a record for this column (CSV) or dotted path (JSON), even if it is missing; '' is the whole
 * record.
 */
export function cellAt(record: SourceRecord, column: string): Cell {
  if (column !== '') return record.cell(column);
  const { file, sheet } = record.table;
  const whole = { file, line: record.line, column };
  return sheet === undefined ? whole : { ...whole, sheet };
}

/** Whether a record's value in this column (CSV) or at this dotted path (JSON), or a part of it, cannot be read. */
export function isUnreadable({ unreadable, table }: SourceRecord, column: string): boolean {
  if (unreadable === undefined) return false;
  const { columns } = table;
  const name = columns === undefined ? column : spelledAs(column, columns);
  // A column that the file does not have is empty in every row.
  if (name === undefined) return false;
  return unreadable.some(
    (path) => path === '' || path === name || path.startsWith(`${name}.`) || name.startsWith(`${path}.`),
  );
}

/** The cell of a value, and others on which it depends. */
export function withBehind(cell: Cell, cells: readonly Cell[]): Cell {
  const { behind = [] } = cell;
  const named = new Map(behind.map((other) => [nameOf(other), other]));
  for (const { behind: _behind, ...own } of cells)
    if (nameOf(own) !== nameOf(cell) && !named.has(nameOf(own))) named.set(nameOf(own), own);
  return named.size === 0 ? cell : { ...cell, behind: [...named.values()] };
}

function nameOf({ file, line, column }: Cell): string {
  return `${file}:${line}:${column}`;
}
