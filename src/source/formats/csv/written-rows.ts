import { stringifyJson, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import type { WrittenRows } from '../format.ts';

/** Rows as a CSV file with these columns and their own. */
export function writtenRows(rows: readonly JsonObject[], read: ReadonlySet<string>): WrittenRows {
  const columns = [...new Set([...read, ...rows.flatMap((row) => Object.keys(row))])];
  const lines: number[] = [];
  let text = `${columns.map(quoted).join(',')}\n`;
  for (const row of rows) {
    lines.push(text.split('\n').length);
    text += `${columns.map((column) => quoted(cellText(row[column]))).join(',')}\n`;
  }
  return { text, lines };
}

function cellText(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : stringifyJson(value);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
