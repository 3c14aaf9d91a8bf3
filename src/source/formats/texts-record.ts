import type { Cell } from '../../domain/cell.ts';
import { spelledAs } from '../../domain/nearest.ts';
import { typedValue, type CellValue } from '../../domain/typed-value.ts';
import type { SourceRecord } from '../export.ts';
import type { GoodRow } from '../row.ts';
import type { FileTable } from '../table.ts';
import { withThrough, type Through } from './format.ts';

/** A table whose rows have a text for each column. */
export interface TextsTable extends FileTable {
  readonly columns: readonly string[];
  /** The index of each column in a row, from zero. */
  readonly positions: ReadonlyMap<string, number>;
}

/** The record of a row whose cells are texts. */
export class TextsRecord<Read extends TextsTable> implements SourceRecord {
  readonly table: Read;
  readonly line: number;
  declare readonly unreadable?: readonly string[];
  readonly #cells: GoodRow['body'];
  readonly #typed: GoodRow['typed'];
  readonly #through: Through | undefined;
  readonly #cellAt: (table: Read, line: number, column: string) => Cell;

  constructor(
    { line, body, typed, unreadable }: GoodRow,
    table: Read,
    through: Through | undefined,
    cellAt: (table: Read, line: number, column: string) => Cell,
  ) {
    this.table = table;
    this.line = line;
    this.#cells = body;
    this.#typed = typed;
    if (unreadable !== undefined) this.unreadable = unreadable.map(({ column }) => column);
    this.#through = through;
    this.#cellAt = cellAt;
  }

  get fields(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.table.columns.map((name, at) => [name, this.#text(at)]));
  }

  value(name: string): CellValue | undefined {
    const at = this.table.positions.get(name);
    if (at === undefined) return undefined;
    return this.#typed?.includes(at) === true ? typedValue(this.#text(at)) : this.#text(at);
  }

  cell(path: string): Cell {
    const column = spelledAs(path, this.table.columns) ?? path;
    return withThrough(this.#cellAt(this.table, this.line, column), this.#through);
  }

  release(): void {
    // The row's texts are all there is.
  }

  #text(at: number): string {
    const cell = typeof this.#cells === 'string' ? '' : (this.#cells.at(at) ?? '');
    return this.table.trim === true ? cell.trim() : cell;
  }
}

/** The text in a column of a row; '' if there is none. */
export function textIn({ body }: GoodRow, { positions }: TextsTable, column: string): string {
  const at = positions.get(column);
  return at === undefined || typeof body === 'string' ? '' : (body.at(at) ?? '');
}
