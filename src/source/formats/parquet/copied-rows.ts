import { rejectedBecause } from '../../../domain/shared-codes.ts';
import type { CopiedFile, WrittenCell } from '../format.ts';
import { keyedRows, type TextRow } from '../keyed-row.ts';
import type { TextsTable } from '../texts-record.ts';
import { digitsKept } from '../xlsx/cell-text.ts';

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
      yield cellsOf([...row.texts, reason], named, row.numbers);
    }
}

function cellsOf(
  texts: readonly string[],
  marks: ReadonlyMap<number, string | undefined>,
  numbers: readonly number[] = [],
): readonly WrittenCell[] {
  return texts.map((value, column) => ({
    column,
    // As a text, a mapping would read it by its marks. A number with too many digits for a workbook is refused then.
    kind: numbers.includes(column) && isKept(value) ? 'number' : 'text',
    value,
    mark: marks.get(column),
  }));
}

/** Whether a workbook keeps all digits of a number. */
function isKept(number: string): boolean {
  return number.replaceAll(/\D/g, '').length <= digitsKept;
}
