import { hash } from 'node:crypto';
import { isLeftOut, type Cells, type PlacedRow } from './row.ts';
import type { FileTable } from './table.ts';

/**
 * The fingerprints of the rows of accounts: rows that mean the same are the same, wherever in the files they are, and, where it does
 * not matter to the mapping, in whichever order, for a database gives them in any.
 */
export class RowPrints {
  /** What decides, for each file, what the text of its rows means. */
  readonly #shapes: readonly string[];
  readonly #delimiters: readonly (string | undefined)[];
  /** The names of tables of which the order of rows matters, for each file; undefined for others. */
  readonly #ordered: readonly (string | undefined)[];

  constructor(files: readonly FileTable[]) {
    this.#delimiters = files.map(({ delimiter }) => delimiter);
    this.#ordered = files.map(({ name, isOrdered }) => (isOrdered === true ? name : undefined));
    this.#shapes = files.map((table) => {
      const { name, role, format, key, keyShape, via, columns, sheet } = table;
      const { delimiter, quote, escape, comment, trim, numeric = [], dates = [] } = table;
      const known = [name, role, format, key, keyShape, via, columns, sheet];
      return digest(
        JSON.stringify([
          ...known,
          delimiter,
          ...(quote === undefined ? [] : [{ quote }]),
          escape,
          comment,
          trim,
          ...numeric,
          ...dates,
        ]),
      );
    });
  }

  /** The fingerprint of an account's rows; undefined if one of them has a fault. */
  of(rows: readonly PlacedRow[]): string | undefined {
    const texts: string[] = [];
    const counts = new Map<string, number>();
    for (const { file, row } of rows) {
      if (isLeftOut(row)) continue;
      if (!('body' in row) || row.unreadable !== undefined) return undefined;
      const body = typeof row.body === 'string' ? row.body : textOf(row.body, this.#delimiters[file]);
      const table = this.#ordered[file];
      const at = table === undefined ? undefined : (counts.get(table) ?? 0) + 1;
      if (table !== undefined && at !== undefined) counts.set(table, at);
      // With its length, no text of one row can be that of two.
      const text = `${this.#shapes[file] ?? ''} ${at ?? ''} ${body.length} ${body}`;
      // A number or a date, and a text of the same characters, can mean different values.
      texts.push(row.typed === undefined ? text : `${text} ${row.typed.join()} `);
    }
    return digest(texts.sort().join(''));
  }
}

/** 96 bits of SHA-256. */
function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16);
}

/** One text for the same cells, whether the row is as its file has it or was sorted here. */
function textOf(cells: Cells, delimiter: string | undefined): string {
  if (delimiter === undefined) return JSON.stringify([...cells]);
  const row = cells.row?.();
  // Without quotes, each cell is as it is written below.
  if (row !== undefined && !row.includes('"')) return row;
  let text = '';
  for (let at = 0; at < cells.length; at += 1) {
    const cell = cells.at(at) ?? '';
    const isPlain = !cell.includes(delimiter) && !hasMark.test(cell);
    text += `${at === 0 ? '' : delimiter}${isPlain ? cell : `"${cell.replaceAll('"', '""')}"`}`;
  }
  return text;
}

const hasMark = /["\r\n]/;
