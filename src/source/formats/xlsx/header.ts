import { definedFields } from '../../../domain/defined-fields.ts';
import type { Problem } from '../../../domain/problem.ts';
import { meantRemedy, nearest } from '../../../domain/nearest.ts';
import { spelledAs } from '../../../domain/nearest.ts';
import type { TableSpec } from '../../export.ts';
import { fileProblem } from '../../fault.ts';
import { textOfCell, type CellReading } from './cell-text.ts';
import type { StoredRow } from './sheet-cells.ts';

/** The header is among this many rows: titles and remarks may be above it. */
export const headerRows = 200;

/** A row that may be the header: its names by the column on the sheet. */
export interface HeaderRow {
  readonly line: number;
  readonly names: readonly string[];
  readonly places: readonly number[];
}

/**
 * The names in a row; cells without a name are left out. Line ends and several spaces within a name count as one space,
 * unless the names are copies (`isCopy`).
 */
export function headerRow({ line, cells }: StoredRow, reading: CellReading, isCopy = false): HeaderRow {
  const named = cells.flatMap((cell) => {
    const text = textOfCell(cell, reading);
    const name = typeof text !== 'string' ? '' : isCopy ? text : text.replaceAll(/\s+/g, ' ').trim();
    return name === '' ? [] : [{ name, place: cell.column }];
  });
  return { line, names: named.map(({ name }) => name), places: named.map(({ place }) => place) };
}

/** The header among the first rows: the first one with the key column. */
export function findHeader(
  rows: readonly HeaderRow[],
  { file, key }: TableSpec,
  sheet: string,
): (HeaderRow & { readonly key: string }) | { readonly problem: Problem } {
  const where = `The sheet ${sheet} of ${file}`;
  const problem = (code: string, detail: string, line = 1): { problem: Problem } => {
    const { cell, ...rest } = fileProblem(code, file, detail, line);
    return { problem: definedFields({ ...rest, cell: cell && { ...cell, sheet } }) };
  };
  const fitting = rows.flatMap((row) => {
    const spelled = spelledAs(key, row.names);
    return spelled === undefined ? [] : [{ ...row, key: spelled }];
  });
  // A legend may contain the name too, as its only cell.
  const header = fitting.find(({ names }) => names.length > 1) ?? fitting[0];
  const likely = likelyHeader(rows);
  if (header === undefined && likely === undefined)
    return problem('no_header', `${where} is empty. Give it a header row, or name another sheet.`);
  if (header === undefined) {
    const meant = nearest(key, likely?.names ?? []);
    return problem(
      'missing_key_column',
      `${where} has no header with the column '${key}', which contains the account number, in its first ${headerRows} rows. ` +
        (meant === undefined ? 'Add it, or name the right column or sheet.' : meantRemedy(key, meant, "'")),
      likely?.line,
    );
  }
  const seen = new Set<string>();
  const repeated = header.names.find((name) => seen.size === seen.add(name).size);
  if (repeated === undefined) return header;
  return problem(
    'repeated_column',
    `The header of the sheet ${sheet} of ${file} has the name '${repeated}' twice. Give each column its own name.`,
    header.line,
  );
}

/** The row with most names, if it is not known what is in the header. */
export function likelyHeader(rows: readonly HeaderRow[]): HeaderRow | undefined {
  let best: HeaderRow | undefined;
  for (const row of rows)
    if (new Set(row.names).size === row.names.length && row.names.length > (best?.names.length ?? 0))
      best = row;
  return best;
}
