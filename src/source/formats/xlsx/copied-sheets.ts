import { rejectedBecause } from '../../../domain/shared-codes.ts';
import type { TypedDate } from '../../../domain/typed-value.ts';
import type { CellMark, CopiedFile, WrittenCell } from '../format.ts';
import { daysOf, textOfCell, type CellReading } from './cell-text.ts';
import type { ShownMoment } from './number-format.ts';
import { storedRows, type WorkbookCell, type StoredRow } from './sheet-cells.ts';
import { TableRows, type XlsxTable } from './table-rows.ts';
import type { Workbook } from './workbook.ts';
import type { WrittenSheet } from './write-workbook.ts';

type Copied = readonly [CopiedFile<XlsxTable>, ...CopiedFile<XlsxTable>[]];

const momentFormats: Readonly<Record<ShownMoment, string>> = {
  date: 'yyyy\\-mm\\-dd',
  datetime: 'yyyy\\-mm\\-dd\\ hh:mm:ss',
  time: 'hh:mm:ss',
  duration: '[hh]:mm:ss',
};
/** Days between the two counts. */
const later1904 = 1462;

/** A date as a cell of its type; undefined if a workbook does not keep it exactly, such as one in UTC. */
export function dateCell({ text }: TypedDate): Pick<WrittenCell, 'kind' | 'value' | 'format'> | undefined {
  const shown = text.includes('T') ? 'datetime' : 'date';
  const days = daysOf(text, shown);
  return days === undefined
    ? undefined
    : { kind: 'number', value: String(days), format: momentFormats[shown] };
}

/** The sheets of a copy: those of the tables, with their headers and the rows that have a reason. */
export function copiedSheets(
  tables: Copied,
  workbook: Workbook,
  reading: CellReading,
): readonly WrittenSheet[] {
  const names = [...new Set(tables.map(({ file }) => file.table.sheet))];
  return names.flatMap((name) => {
    const own = tables.filter(({ file }) => file.table.sheet === name);
    const [first, ...others] = own;
    if (first === undefined) return [];
    return [{ name, rows: () => copiedSheet([first, ...others], workbook, reading) }];
  });
}

/** The header of a sheet, and its rows that have a reason. */
export async function* copiedSheet(
  own: Copied,
  { parts }: Workbook,
  reading: CellReading,
): AsyncGenerator<readonly WrittenCell[], void, undefined> {
  const { table } = own[0].file;
  const columns = table.columns.filter((name) => name !== rejectedBecause);
  const places = columns.map((name) => table.places[table.positions.get(name) ?? -1] ?? -1);
  yield [...columns, rejectedBecause].map((value, column) => ({ column, kind: 'text', value }));
  const rows = own.map((copied) => ({ copied, rows: new TableRows(copied.file.table, reading) }));
  for await (const batch of storedRows(parts, table.part, {}))
    for (const stored of batch) {
      const reasons = rows.flatMap(({ copied, rows: read }) => {
        const account = read.of(stored)?.account;
        return account === undefined ? [] : (copied.reasonOf(account) ?? []);
      });
      const [reason] = reasons;
      if (reason === undefined) continue;
      const marks =
        own.map((copied) => copied.marksAt(stored.line)).find(({ size }) => size > 0) ?? new Map();
      yield [
        ...cellsOf(stored, columns, places, marks, reading),
        { column: columns.length, kind: 'text', value: reason },
      ];
    }
}

function cellsOf(
  { cells }: StoredRow,
  columns: readonly string[],
  places: readonly number[],
  marks: ReadonlyMap<string, CellMark>,
  reading: CellReading,
): WrittenCell[] {
  return columns.map((name, column) => {
    const stored = cells.find((cell) => cell.column === places[column]);
    const written = stored === undefined ? empty : valueOf(stored, reading);
    return { column, ...written, mark: marks.get(name) };
  });
}

const empty = { kind: 'text', value: '' } as const;

/** A cell as it is stored, without its formula: numbers and dates keep their types. */
function valueOf(cell: WorkbookCell, reading: CellReading): Pick<WrittenCell, 'kind' | 'value' | 'format'> {
  const { type, style, value } = cell;
  if (type === 'e') return { kind: 'error', value };
  if (type === 'b') return { kind: 'boolean', value };
  const shown = reading.formats[style];
  if (type === 'n' && value !== '') {
    if (shown === undefined) return { kind: 'number', value };
    if (typeof shown === 'object') return { kind: 'number', value, format: shown.code };
    const hasDate = shown !== 'duration' && !(shown === 'time' && Number(value) < 1);
    const days = reading.is1904 && hasDate ? Number(value) + later1904 : value;
    return { kind: 'number', value: String(days), format: momentFormats[shown] };
  }
  const text = textOfCell(cell, reading);
  return { kind: 'text', value: typeof text === 'string' ? text : '' };
}
