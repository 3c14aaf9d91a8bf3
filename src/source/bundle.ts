import type { Problem } from '../domain/problem.ts';
import type { Bundle, SourceRecord } from './export.ts';
import { rowProblem } from './fault.ts';
import { sourceRecord } from './source-record.ts';
import type { PlacedRow } from './row.ts';
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
    if (table === undefined) continue;
    const known = records.get(table.name) ?? [];
    records.set(table.name, known);
    if (table.role === 'accounts') own = known;
    if ('body' in row) known.push(sourceRecord(row, table));
    else {
      problems.push(rowProblem(row, table.file, account));
      incomplete.add(table.name);
    }
  }
  if (own === undefined) return undefined;
  return {
    account,
    records: (table) => records.get(table) ?? [],
    incomplete,
    problems: [...problems, ...duplicates(account, own)],
    release: () => {
      for (const list of records.values()) for (const record of list) record.release();
    },
  };
}

function duplicates(account: string, [first, ...others]: readonly SourceRecord[]): Problem[] {
  if (first === undefined) return [];
  return others.map((record) => {
    const { file, line, column } = record.cell(record.table.key);
    const detail = `The account is on line ${first.line} of ${first.table.file} already. Remove one.`;
    return rowProblem({ code: 'duplicate_account', detail, line, column }, file, account);
  });
}
