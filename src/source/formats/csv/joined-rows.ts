import type { BadRow } from '../../row.ts';
import type { CsvTable } from './dialect.ts';

/**
 * The texts in a row that may be account numbers of further rows, if its line end, or a part of it, was lost: a row
 * behind it has all of its cells, and the first of them is joined to the last cell before. `cells`: more than the header has.
 */
export function numbersOfJoinedRows(cells: readonly string[], table: CsvTable): readonly string[] {
  const width = table.columns.length;
  const key = table.columns.indexOf(table.key);
  const found = new Set<string>();
  for (const at of firstCells(cells.length, width)) {
    const cell = bare(cells[at + key] ?? '', table.quote);
    if (key > 0) found.add(cell);
    else for (const ending of endingsOf(cell)) found.add(ending);
  }
  found.delete('');
  return [...found];
}

/**
 * The fault of a header with as many names as itself and a first row have, whose line end may be lost: the account of that row
 * is not known. `cells`: those of the row behind it.
 */
export function joinedHeader(cells: number, columns: readonly string[], line: number): readonly BadRow[] {
  if (cells < 2 || (columns.length !== 2 * cells - 1 && columns.length !== 2 * cells)) return [];
  const detail =
    'The header has the names of two rows: the line end behind it may be lost, and a row with it. Insert the line end, or correct the rows.';
  return [{ line, column: columns[cells - 1] ?? '', code: 'wrong_number_of_cells', detail }];
}

/** Where rows may begin that end with the last cell, one after another, with or without a delimiter between them. */
function firstCells(length: number, width: number): ReadonlySet<number> {
  const places = new Set<number>();
  for (const step of [Math.max(1, width - 1), width])
    for (let at = length - width; at > 0 && places.size < mostPlaces; at -= step) places.add(at);
  return places;
}

const mostPlaces = 100;

/** No account number is longer. */
const longestNumber = 128;

function endingsOf(cell: string): string[] {
  const characters = Array.from(cell).slice(-longestNumber);
  return characters.map((_character, at) => characters.slice(at).join('').trim());
}

/** A cell without the quotes and blanks around it. */
function bare(cell: string, quote = '"'): string {
  let [from, to] = [0, cell.length];
  const isAround = (at: number): boolean => cell[at] === quote || cell.slice(at, at + 1).trim() === '';
  while (from < to && isAround(from)) from += 1;
  while (from < to && isAround(to - 1)) to -= 1;
  return cell.slice(from, to);
}
