import type { Cell } from '../../domain/cell.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { Severity } from '../../domain/problem.ts';
import type { StepName } from '../../domain/steps.ts';
import type { Bundle, SourceRecord } from '../../source/export.ts';

/** Something wrong with a cell, found while building; its path grows as it travels outward. */
export interface Finding {
  readonly code: string;
  path: string;
  readonly detail: string;
  readonly severity: Severity;
  readonly cell: Cell | undefined;
  /** What the cell holds. */
  readonly value?: string;
  step?: StepName;
  /** Which of the step's payloads, from zero. */
  request?: number;
}

/** An array that lacks elements, or a value that is missing, since rows of a table could not be read or placed. */
export interface Gap {
  readonly isList: boolean;
  path: string;
  step?: StepName;
  request?: number;
}

/** What is gathered while one account is built. */
export interface Run {
  readonly bundle: Bundle;
  readonly findings: (Finding | Gap)[];
  /** Tables of which not every row of the account is known, or found its place. */
  readonly incomplete: ReadonlySet<string>;
  /** Rows that the mapping leaves out on purpose. */
  ignoredRows: number;
  /** Rows of child tables that found their place in a payload. */
  readonly claimed: Set<SourceRecord>;
  /** What each rows node keeps while this account is built, by the node's number. */
  readonly rows: (RowsState | undefined)[];
}

/** An account's rows of one child table, as one rows node sees them. */
export interface RowsState {
  /** Rows that name no parent. */
  readonly unnamed: readonly Scope[];
  readonly byParent: ReadonlyMap<string, readonly Scope[]>;
  /** The record of the first parent that asked. */
  first?: SourceRecord;
  /** Whether a second one asked. */
  several: boolean;
}

/** Where a node reads: the record at hand, and its position among the account's rows of its table, from zero. */
export interface Scope {
  readonly run: Run;
  readonly record: SourceRecord;
  readonly position: number;
}

/** Makes one value. */
export interface Node {
  /** undefined where there is nothing: the field is omitted (interface, section 2). */
  build(scope: Scope): JsonValue | undefined;
  /** Where the value at this path, from here on, was read, or would have been. */
  locate(scope: Scope, path: readonly string[]): Cell | undefined;
}

/** Makes some elements of an array. */
export interface Part {
  push(scope: Scope, out: JsonValue[]): void;
  /** Where a path into the `index`-th of these elements leads; `index` is within what `push` gives. */
  locate(scope: Scope, index: number, path: readonly string[]): Cell | undefined;
}

export function startRun(bundle: Bundle, incomplete = bundle.incomplete): Run {
  return { bundle, findings: [], claimed: new Set(), rows: [], incomplete, ignoredRows: 0 };
}

export function isGap(found: Finding | Gap): found is Gap {
  return 'isList' in found;
}

/** Puts `name` before the paths of everything found since there were `before` findings. */
export function prefixFindings(run: Run, before: number, name: string | number): void {
  for (let at = before; at < run.findings.length; at++) {
    const finding = run.findings[at];
    if (finding !== undefined) finding.path = finding.path === '' ? String(name) : `${name}.${finding.path}`;
  }
}
