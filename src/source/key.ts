import { numberText, parseJson, type JsonValue } from '../domain/json.ts';
import { valueAt } from '../domain/paths.ts';
import { changeBy } from '../domain/text-shape.ts';
import type { TableLink, TableSpec } from './export.ts';
import type { GoodRow } from './row.ts';
import type { FileTable } from './table.ts';

type Change = (text: string) => string;

const unchanged: Change = (text) => text;

/** Makes the key of the text of a table's key column; '' if nothing is left of it. */
export function keyOf({ keyShape, via }: Pick<TableSpec, 'keyShape' | 'via'>): Change {
  // An account number stands exactly as the export has it.
  if (keyShape === undefined && via === undefined) return unchanged;
  const change = keyShape === undefined ? unchanged : changeBy(keyShape);
  return (text) => change(text.trim());
}

/** The key of a row as it is compared: its account number, or the value by which it finds its account. */
export function ownKey(row: GoodRow, table: FileTable): string {
  return keyOf(table)(textAt(row, table, table.key));
}

/** The fault of a cell of which its table's key leaves nothing. */
export const nothingOfKey = {
  code: 'malformed_account_number',
  detail:
    "The mapping's key leaves nothing of this cell. Correct the cell, or the table's key in the mapping.",
};

/** The value by which rows of another table refer to this row; '' if it has none. */
export function linkedValue(row: GoodRow, table: FileTable, { column, shape }: TableLink): string {
  const text = textAt(row, table, column).trim();
  return shape === undefined ? text : changeBy(shape)(text);
}

function textAt({ body, fields }: GoodRow, table: FileTable, column: string): string {
  if (table.format === 'csv') {
    const at = table.positions.get(column);
    return at === undefined || typeof body === 'string' ? '' : (body.at(at) ?? '');
  }
  const record: JsonValue = fields ?? (typeof body === 'string' ? parseJson(body) : {});
  return numberText(valueAt(record, column)) ?? '';
}
