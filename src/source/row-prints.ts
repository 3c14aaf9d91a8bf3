import { hash } from 'node:crypto';
import type { Cells, PlacedRow } from './row.ts';
import type { FileTable } from './table.ts';

/**
 * The fingerprints of the rows of accounts: rows that mean the same are the same, wherever in the files and in whichever order they
 * are, for a database gives them in any.
 */
export class RowPrints {
  /** What decides, for each file, what the text of its rows means. */
  readonly #shapes: readonly string[];

  constructor(files: readonly FileTable[]) {
    this.#shapes = files.map((table) => {
      const { name, role, format, key, keyShape, via, columns, sheet } = table;
      const { delimiter, escape, comment, trim, numeric = [], dates = [] } = table;
      const known = [name, role, format, key, keyShape, via, columns, sheet];
      return digest(JSON.stringify([...known, delimiter, escape, comment, trim, ...numeric, ...dates]));
    });
  }

  /** The fingerprint of an account's rows; undefined if one of them has a fault. */
  of(rows: readonly PlacedRow[]): string | undefined {
    const texts: string[] = [];
    for (const { file, row } of rows) {
      if (!('body' in row) || row.unreadable !== undefined) return undefined;
      const body = typeof row.body === 'string' ? row.body : textOf(row.body);
      // With its length, no text of one row can be that of two.
      const text = `${this.#shapes[file] ?? ''} ${body.length} ${body}`;
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

function textOf(cells: Cells): string {
  return cells.row?.() ?? JSON.stringify([...cells]);
}
