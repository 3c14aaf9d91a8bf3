import { rejectedBecause } from '../../../domain/shared-codes.ts';
import { TypedDate, TypedNumber, typedValue } from '../../../domain/typed-value.ts';
import type { CellMark, CopiedFile, WrittenCell } from '../format.ts';
import { keyedRows, type TextRow } from '../keyed-row.ts';
import type { TextsTable } from '../texts-record.ts';
import { digitsKept } from '../xlsx/cell-text.ts';
import { dateCell } from '../xlsx/copied-sheets.ts';

type Copied = readonly [CopiedFile<TextsTable>, ...CopiedFile<TextsTable>[]];

/** The names of the columns, and the rows of a file that have a reason, as cells. */
export async function* copiedCells(
  tables: Copied,
  rows: AsyncIterable<readonly TextRow[]>,
): AsyncGenerator<readonly WrittenCell[], void, undefined> {
  const { columns } = tables[0].file.table;
  yield cellsOf([...columns, rejectedBecause], new Map());
  const read = tables.map((copied) => ({ copied, keyed: keyedRows(copied.file.table) }));
  for await (const batch of rows)
    for (const row of batch) {
      const [reason] = read.flatMap(({ copied, keyed }) => {
        const { account } = keyed(row);
        return account === undefined ? [] : (copied.reasonOf(account) ?? []);
      });
      if (reason === undefined) continue;
      const marks = tables.map((copied) => copied.marksAt(row.line)).find(({ size }) => size > 0);
      const named = new Map(columns.map((name, at) => [at, marks?.get(name)]));
      yield cellsOf([...row.texts, reason], named, row.typed);
    }
}

function cellsOf(
  texts: readonly string[],
  marks: ReadonlyMap<number, CellMark | undefined>,
  typed: readonly number[] = [],
): readonly WrittenCell[] {
  return texts.map((text, column) => ({
    column,
    // As a text, a mapping would read it by its marks and formats.
    ...(typed.includes(column) ? typedCell(text) : asText(text)),
    mark: marks.get(column),
  }));
}

/** A number or a date; a text if a workbook does not keep it exactly. */
function typedCell(text: string): Pick<WrittenCell, 'kind' | 'value' | 'format'> {
  const value = typedValue(text);
  if (value instanceof TypedDate) return dateCell(value) ?? asText(text);
  return value instanceof TypedNumber && isKept(text) ? { kind: 'number', value: text } : asText(text);
}

function asText(value: string): Pick<WrittenCell, 'kind' | 'value'> {
  return { kind: 'text', value };
}

/** Whether a workbook keeps all digits of a number. */
function isKept(number: string): boolean {
  return number.replaceAll(/\D/g, '').length <= digitsKept;
}
