import type { Cell } from '../domain/cell.ts';
import type { Problem } from '../domain/problem.ts';
import type { Bundle, SourceRecord } from './export.ts';
import type { Through } from './formats/format.ts';
import { exportProblem } from './fault.ts';
import { linkedValue, ownKey, rowProblem, sourceRecord, unreadableRecord } from './source-record.ts';
import { isLeftOut, isSuspect, type GoodRow, type PlacedRow } from './row.ts';
import type { FileTable } from './table.ts';

/** The bundle of an account's rows; undefined if the account has no row in the accounts table. */
export function bundleOf(
  account: string,
  rows: readonly PlacedRow[],
  files: readonly FileTable[],
): Bundle | undefined {
  const records = new Map<string, SourceRecord[]>();
  const problems: Problem[] = [];
  const incomplete = new Set<string>();
  let own: readonly SourceRecord[] | undefined;
  for (const { file, row } of rows) {
    const table = files[file];
    if (table === undefined || isLeftOut(row)) continue;
    const known = records.get(table.name) ?? [];
    records.set(table.name, known);
    if (table.role === 'accounts' && !isSuspect(row)) own = known;
    if ('body' in row) {
      known.push(sourceRecord(row, table, throughOf(row, table, rows, files)));
      for (const value of row.unreadable ?? []) problems.push(rowProblem(value, table, account));
    } else {
      problems.push(rowProblem(row, table, account));
      incomplete.add(table.name);
      // The other rows of an account are checked even if its own cannot be read.
      if (table.role === 'accounts' && !isSuspect(row)) known.push(unreadableRecord(row, table));
    }
  }
  if (own === undefined) return undefined;
  return {
    account,
    records: (table) => records.get(table) ?? [],
    incomplete: incomplete.size === 0 ? incomplete : withLinked(incomplete, files),
    problems: own.length === 1 ? problems : [...problems, ...duplicates(account, own)],
    release: () => {
      for (const list of records.values()) for (const record of list) record.release();
    },
  };
}

/** With the tables whose rows are found through an incomplete one. */
function withLinked(incomplete: ReadonlySet<string>, files: readonly FileTable[]): ReadonlySet<string> {
  const more = new Set(
    files.flatMap(({ name, via }) => (via !== undefined && incomplete.has(via.table) ? [name] : [])),
  );
  const whole = new Set([...incomplete, ...more]);
  return whole.size === incomplete.size ? incomplete : withLinked(whole, files);
}

/** Its own scope, so that rows that are found directly are not kept, parsed, for as long as their account is. */
function throughOf(
  row: GoodRow,
  table: FileTable,
  rows: readonly PlacedRow[],
  files: readonly FileTable[],
): Through | undefined {
  return table.via === undefined ? undefined : () => through(row, table, rows, files);
}

/** The cells of other tables by which a row found its account, the nearest first. */
function through(
  row: GoodRow,
  table: FileTable,
  rows: readonly PlacedRow[],
  files: readonly FileTable[],
): readonly Cell[] {
  const { via } = table;
  if (via === undefined) return [];
  const own = ownKey(row, table);
  for (const { file, row: partner } of rows) {
    const other = files[file];
    if (other?.name !== via.table || !('body' in partner) || linkedValue(partner, other, via) !== own)
      continue;
    return [sourceRecord(partner, other).cell(via.column), ...through(partner, other, rows, files)];
  }
  return [];
}

function duplicates(account: string, [first, ...others]: readonly SourceRecord[]): Problem[] {
  if (first === undefined) return [];
  const { file, line, sheet } = first.cell(first.table.key);
  const where =
    sheet === undefined
      ? `on line ${first.line} of ${file}`
      : `in row ${line} of the sheet ${sheet} of ${file}`;
  return others.map((record) => {
    const detail = `The account is already ${where}. Remove one.`;
    const cell = record.cell(record.table.key);
    return { ...exportProblem('duplicate_account', detail, cell), account };
  });
}
