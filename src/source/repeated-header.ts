import type { BadRow, Cells } from './row.ts';
import type { FileTable } from './table.ts';

/**
 * The row if it is the header once more, as in files that were joined: it is left out with a warning. If its key cell alone has
 * the name of the key column, it is a fault. undefined for every other row.
 */
export function repeatedHeader(
  cells: Cells,
  keyCell: string,
  line: number,
  { columns = [], key }: FileTable,
): BadRow | undefined {
  // Nearly no row needs more than this.
  if (!keyCell.includes(key) || nameIn(keyCell) !== nameIn(key)) return undefined;
  const isWhole = cells.length === columns.length && columns.every((name, at) => nameIn(cells.at(at)) === nameIn(name)); // prettier-ignore
  if (isWhole)
    return {
      line,
      column: key,
      code: 'repeated_header',
      detail: 'The row is the header once more, and is left out. Remove it.',
      isWarning: true,
    };
  return {
    line,
    column: key,
    code: 'malformed_account_number',
    detail: "The cell has the column's own name, so the row seems to be another header. Remove the row.",
  };
}

/** Files that are joined have byte order marks among their rows. */
function nameIn(text = ''): string {
  return text.replaceAll('\ufeff', '').replaceAll(/\s+/g, ' ').trim();
}
