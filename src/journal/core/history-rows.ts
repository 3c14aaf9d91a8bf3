import {
  restoredCell,
  restoredIfAny,
  storedCell,
  storedOrNulls,
  type StoredCell,
} from '../../domain/cell.ts';
import type { Intervention, InterventionEntry, PartCell, RecordedProblem, Superseded } from '../journal.ts';
import type { UpgradeEntry } from '../safety/upgrade-records.ts';
import { steps } from './codes.ts';
import { byOf, type ActorRow } from './rows.ts';

type CellColumns = { readonly [Key in keyof StoredCell]: StoredCell[Key] | null };

/** A problem of an account as it is stored. */
export interface ProblemRow extends CellColumns {
  readonly account: number;
  readonly position: number;
  readonly step: number | null;
  readonly code: string;
  readonly path: string;
  /** 1 if it holds nothing back. */
  readonly warning: number;
}

export function problemRows(account: number, problems: readonly RecordedProblem[]): ProblemRow[] {
  return problems.map(({ step, code, path, cell, isWarning = false }, position) => ({
    account,
    position,
    step: step === undefined ? null : steps.of[step],
    code,
    path,
    ...storedOrNulls(cell),
    warning: Number(isWarning),
  }));
}

export function problemOf(row: Omit<ProblemRow, 'account' | 'position'>): RecordedProblem {
  const { step, code, path, file, line, column, warning } = row;
  return {
    step: step === null ? undefined : steps.name(step),
    code,
    path,
    cell: restoredIfAny({ file, line, column }),
    isWarning: warning === 1 || undefined,
  };
}

/** A place in the export of an uncertain part's data, as it is stored. */
export interface PartCellRow extends StoredCell {
  readonly account: number;
  readonly position: number;
  readonly step: number;
  readonly part: number;
}

export function partCellRows(account: number, cells: readonly PartCell[]): PartCellRow[] {
  return cells.map(({ step, part, cell }, position) => ({
    ...{ account, position, step: steps.of[step], part },
    ...storedCell(cell),
  }));
}

export function partCellOf(row: Omit<PartCellRow, 'account' | 'position'>): PartCell {
  const { step, part, file, line, column } = row;
  return { step: steps.name(step), part, cell: restoredCell({ file, line, column }) };
}

/** Data that a fix replaced, as it is stored. */
export interface SupersededRow extends CellColumns {
  readonly told: number;
}

export function supersededOf({ file, line, column, told }: SupersededRow): Superseded {
  return { isTold: told === 1, fix: restoredIfAny({ file, line, column }) };
}

/** A person's command as it is stored. */
export interface InterventionRow extends ActorRow {
  readonly id: number;
  readonly command: Intervention['command'];
  readonly at: number;
  readonly accounts: number | null;
}

export function interventionOf(row: InterventionRow): Intervention {
  return { command: row.command, at: row.at, by: byOf(row) };
}

export function interventionEntryOf(row: InterventionRow): InterventionEntry {
  return { ...interventionOf(row), accounts: row.accounts ?? undefined };
}

/** Differs between any two commands: all changes of one have the same. */
export function commandKey({ command, at, by }: Intervention): string {
  return JSON.stringify([command, at, by?.user, by?.host, by?.version]);
}

/** An upgrade as it is stored. */
export interface UpgradeRow extends ActorRow {
  readonly at: number;
  readonly from_schema: number;
  readonly to_schema: number;
  readonly from_version: string | null;
  readonly backup: string | null;
  readonly accounts: number;
}

export function upgradeEntryOf(row: UpgradeRow): UpgradeEntry {
  return {
    at: row.at,
    by: byOf(row),
    fromSchema: row.from_schema,
    toSchema: row.to_schema,
    fromVersion: row.from_version ?? undefined,
    backup: row.backup ?? undefined,
    accounts: row.accounts,
  };
}
