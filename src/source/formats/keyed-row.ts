import type { Cells, Remark, Row, UnreadableValue } from '../row.ts';
import { lookalikeNumber } from '../account-numbers.ts';
import { repeatedHeader } from '../repeated-header.ts';
import { keyOf, nothingOfKey, type FileTable } from '../table.ts';

/** A row whose cells are texts, before its account is known. */
export interface TextRow {
  readonly line: number;
  /** In the order of the table's columns. */
  readonly texts: Cells;
  /** The columns whose texts are numbers or dates by their type, where that makes a difference; absent if there are none. */
  readonly typed?: readonly number[] | undefined;
  readonly unreadable: readonly UnreadableValue[];
  readonly remarks: readonly Remark[];
}

/** Finds the account of each row of a table in its key column. */
export function keyedRows(table: FileTable & { readonly columns: readonly string[] }): (row: TextRow) => Row {
  const key = keyOf(table);
  const keyCell = table.columns.indexOf(table.key);
  return ({ line, texts, typed, unreadable, remarks }) => {
    const cell = texts.at(keyCell) ?? '';
    const trimmed = cell.trim();
    const account = trimmed === '' ? '' : key(table.trim === true ? trimmed : cell);
    const ofKey = unreadable.find(({ column }) => column === table.key);
    if (ofKey !== undefined) return ofKey;
    const header = repeatedHeader(texts, cell, line, table);
    if (header !== undefined) return header;
    const cells = table.ignore === undefined ? {} : { cells: texts };
    if (account === '' && trimmed !== '') return { line, column: table.key, ...nothingOfKey, ...cells };
    if (account === '')
      return {
        line,
        column: table.key,
        code: 'missing_account_number',
        detail: 'The row has no account number. Fill it in, or remove the row.',
        ...cells,
      };
    const lookalike = lookalikeNumber(account);
    if (lookalike !== undefined) return { line, column: table.key, ...lookalike, ...cells };
    const row = { line, account, body: texts };
    if (typed === undefined && unreadable.length === 0 && remarks.length === 0) return row;
    return {
      ...row,
      ...(typed === undefined ? {} : { typed }),
      ...(unreadable.length === 0 ? {} : { unreadable }),
      ...(remarks.length === 0 ? {} : { remarks }),
    };
  };
}
