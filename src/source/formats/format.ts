import type { Cell } from '../../domain/cell.ts';
import type { Problem } from '../../domain/problem.ts';
import type { SourceRecord, TableSpec } from '../export.ts';
import type { GoodRow, Row } from '../row.ts';
import type { FileTable } from '../table.ts';
import type { TextBlock } from '../text-blocks.ts';

/** A table's description, with the encoding of the file at hand. */
export interface FoundFile extends Omit<TableSpec, 'origin'> {
  readonly encoding: string;
  readonly isEncodingGuess?: true;
}

/** The first rows of a file, from which the rest is guessed. */
export interface Sample {
  readonly delimiter?: string;
  /** Column names (CSV) or dotted paths of plain values (JSON), in order of occurrence. */
  readonly columns: readonly string[];
  /** Texts by column. */
  readonly rows: readonly ReadonlyMap<string, string>[];
}

/** The cells of other tables by which a row found its account. */
export type Through = () => readonly Cell[];

/** What the reading of an export asks of a format. Blocks are UTF-8. */
export interface Format<Read extends FileTable = FileTable> {
  /** Reads as much of a file's start as its table needs. */
  open(blocks: AsyncIterable<TextBlock>, found: FoundFile): Promise<Read | { readonly problem: Problem }>;
  /** Reads the rows, in batches. */
  rows(blocks: AsyncIterable<TextBlock>, table: Read): AsyncGenerator<readonly Row[], void, undefined>;
  /** Recreates the record from which a row was stored; it knows the cell of each of its values. */
  record(row: GoodRow, table: Read, through: Through | undefined): SourceRecord;
  /** The text in a column of a row; '' if there is none. */
  text(row: GoodRow, table: Read, column: string): string;
  /** Guesses from a file's first lines. */
  sample(start: Buffer): Sample;
}

export function withThrough(cell: Cell, through: Through | undefined): Cell {
  const cells = through?.() ?? [];
  return cells.length === 0 ? cell : { ...cell, behind: cells };
}

/** The number of rows in a sample. */
export const sampleRows = 1000;
