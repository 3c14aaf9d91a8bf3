import { isUtcDate, needsType } from '../../../domain/typed-value.ts';
import type { Remark, Row, UnreadableValue } from '../../row.ts';
import { keyedRows, type TextRow } from '../keyed-row.ts';
import type { TextsTable } from '../texts-record.ts';
import { isTyped, textOfCell, type CellReading } from './cell-text.ts';
import type { Merge } from './merges.ts';
import { lettersOf, type StoredRow } from './sheet-cells.ts';

/** A table on a sheet of a workbook, whose header was found. */
export interface XlsxTable extends TextsTable {
  readonly sheet: string;
  readonly otherSheets: readonly string[];
  /** The sheet's part of the file. */
  readonly part: string;
  readonly headerLine: number;
  /** The number of each column on the sheet, from zero. */
  readonly places: readonly number[];
  readonly merges: readonly Merge[];
}

/** Makes rows of a table from those of its sheet. */
export class TableRows {
  readonly #table: XlsxTable;
  readonly #reading: CellReading;
  readonly #keyed: (row: TextRow) => Row;
  /** The column of the table at each place on the sheet. */
  readonly #columnAt: readonly (number | undefined)[];
  /** Those that may be in the next row, and the number of those that begin before it. */
  #open: readonly Merge[] = [];
  #begun = 0;

  constructor(table: XlsxTable, reading: CellReading) {
    this.#table = table;
    this.#reading = reading;
    this.#keyed = keyedRows(table);
    const columnAt: (number | undefined)[] = [];
    for (const [column, place] of table.places.entries()) columnAt[place] = column;
    this.#columnAt = columnAt;
  }

  /** The row; undefined for the header and what is above it, and for a row without values. */
  of({ line, cells }: StoredRow): Row | undefined {
    const table = this.#table;
    if (line <= table.headerLine) return undefined;
    const texts = Array<string>(table.columns.length).fill('');
    const remarks: Remark[] = [];
    const unreadable: UnreadableValue[] = [];
    let typed: number[] | undefined;
    let isBlank = true;
    for (const cell of cells) {
      const column = this.#columnAt[cell.column];
      if (column === undefined) {
        remarks.push(withoutHeader(cell.column));
        continue;
      }
      const text = textOfCell(cell, this.#reading);
      const name = table.columns[column] ?? '';
      if (typeof text === 'string') {
        texts[column] = text;
        if (isTyped(cell) ? needsType(text) : table.hasUtcTexts && isUtcDate(text))
          (typed ??= []).push(column);
        if (isBlank && text.trim() !== '') isBlank = false;
        if (cell.isFormula) remarks.push(formulaAt(name));
      } else {
        isBlank = false;
        unreadable.push({ line, column: name, ...text });
      }
    }
    if (table.merges.length > 0) unreadable.push(...this.#mergedAt(line));
    if (isBlank) return undefined;
    return this.#keyed({ line, texts, typed, unreadable, remarks });
  }

  /** The cells of a row that are merged with another one, which has their value. */
  #mergedAt(line: number): readonly UnreadableValue[] {
    const { merges, columns } = this.#table;
    if (this.#open.some(({ bottom }) => bottom < line))
      this.#open = this.#open.filter(({ bottom }) => bottom >= line);
    for (
      let merge = merges[this.#begun];
      merge !== undefined && merge.top <= line;
      merge = merges[this.#begun]
    ) {
      if (merge.bottom >= line) this.#open = [...this.#open, merge];
      this.#begun += 1;
    }
    return this.#open.flatMap(({ top, left, right }) =>
      columns.flatMap((column, at) => {
        const place = this.#table.places[at] ?? -1;
        if (place < left || place > right || (place === left && line === top)) return [];
        return [
          {
            line,
            column,
            code: 'merged_cells',
            detail: `The cell is merged with ${lettersOf(left)}${top}, so the value of this row is not known. Unmerge the cells, and fill in each one.`,
          },
        ];
      }),
    );
  }
}

function formulaAt(column: string): Remark {
  return {
    code: 'formula_value',
    column,
    detail:
      'The cell is a formula. The result that was saved with it is used. If it may be out of date, open the workbook, save it and run again.',
  };
}

function withoutHeader(place: number): Remark {
  return {
    code: 'cell_without_header',
    column: lettersOf(place),
    detail: `The column ${lettersOf(place)} has no name in the header, so it is not read. Name it, or clear it.`,
  };
}
