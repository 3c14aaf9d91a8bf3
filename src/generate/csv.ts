import { isJsonObject, numberText, stringifyJson, type JsonObject, type JsonValue } from '../domain/json.ts';
import { valueAt } from '../domain/paths.ts';
import type { Frame } from './record-file.ts';

export function csv(columns: readonly string[]): Frame {
  return { extension: 'csv', before: `${columns.join(',')}\n`, between: '\n', after: '\n' };
}

/** One row, without its line ending; a column is a dotted path into the record, an absent value an empty cell. */
export function csvRow(record: JsonObject, columns: readonly string[]): string {
  return columns.map((column) => quoted(cellText(at(record, column)))).join(',');
}

/** Most columns are plain names: those need no walk. */
function at(record: JsonObject, column: string): JsonValue | undefined {
  return column.includes('.') ? valueAt(record, column) : record[column];
}

/** An array of plain values is one cell, separated by `|`; an object stands as JSON. */
function cellText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(cellText).join('|');
  if (isJsonObject(value)) return stringifyJson(value);
  return numberText(value) ?? String(value);
}

/** A cell as it stands in the file. */
export function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
