import { rejectedBecause } from '../../../domain/shared-codes.ts';
import { readBytes } from '../../file-bytes.ts';
import { rawBytes, RawLines } from '../../raw-text.ts';
import type { Row } from '../../row.ts';
import { copiedRows, spans } from '../copied-rows.ts';
import type { CellMark, CopiedFile, Format, WrittenCell } from '../format.ts';
import type { CsvTable } from './dialect.ts';
import { parseCsv } from './parsing.ts';

type Copied = readonly [CopiedFile<CsvTable>, ...CopiedFile<CsvTable>[]];

/** The header of a CSV file, and its rows with a reason, as cells that hold the texts of the file. */
export async function* copiedCells(
  tables: Copied,
  format: Pick<Format<CsvTable>, 'rows' | 'text'>,
): AsyncGenerator<readonly WrittenCell[], void, undefined> {
  const { table, stored } = tables[0].file;
  const columns = table.columns.filter((name) => name !== rejectedBecause);
  yield rowOf([...columns, rejectedBecause]);
  const raw = new RawLines(readBytes(stored), table.encoding);
  const textsOf = async (row: Row, first: number, after: number): Promise<readonly string[]> => {
    if ('body' in row) return columns.map((name) => format.text(row, table, name));
    // A row that cannot be read as one: all that its lines hold.
    await raw.skipTo(first);
    const bytes = rawBytes(await raw.upTo(after), table.encoding);
    const text = new TextDecoder(table.encoding).decode(bytes).replace(/[\r\n]+$/, '');
    const [record] = parseCsv(Buffer.from(text), table).records;
    return record === undefined ? [text] : [...record.cells];
  };
  try {
    for await (const { row, reason, first, after } of spans(copiedRows(tables, format))) {
      if (reason === undefined) continue;
      const marks = marksOf(tables, first, Math.min(after, first + mostLines));
      const texts = await textsOf(row, first, after);
      const cells = rowOf(texts).map(({ column, ...cell }): WrittenCell => {
        // What a row has too much of stands behind the reason, which keeps its column.
        if (column >= columns.length) return { ...cell, column: column + 1 };
        return { ...cell, column, mark: marks.get(columns[column] ?? '') };
      });
      const told: WrittenCell = { column: columns.length, kind: 'text', value: reason };
      yield [...cells, told].sort(byColumn);
    }
  } finally {
    await raw.close();
  }
}

/** A row of more lines than these has its other problems in its reason alone. */
const mostLines = 1000;

/** What is wrong with the cells of a row, whose lines end before `after`. */
function marksOf(tables: Copied, first: number, after: number): ReadonlyMap<string, CellMark> {
  const marks = new Map<string, CellMark>();
  for (let line = first; line < after; line += 1)
    for (const copied of tables) for (const [column, mark] of copied.marksAt(line)) marks.set(column, mark);
  return marks;
}

function rowOf(texts: readonly string[]): WrittenCell[] {
  return texts.map((value, column) => ({ column, kind: 'text', value }));
}

function byColumn(one: WrittenCell, other: WrittenCell): number {
  return one.column - other.column;
}
