import type { Cell } from '../domain/cell.ts';
import { isJsonObject, parseJson, type JsonValue } from '../domain/json.ts';
import { rejectedBecause } from '../domain/rejected-because.ts';
import { spelledAs } from '../domain/spelling.ts';
import type { SourceRecord } from './export.ts';
import { lineWithin, valueLines } from './json-place.ts';
import { lineEndsInText } from './physical-lines.ts';
import type { GoodRow } from './row.ts';
import type { CsvTable, FileTable, JsonTable } from './table.ts';

/** Makes the record again that a row was staged from. */
export function sourceRecord(row: GoodRow, table: FileTable): SourceRecord {
  return table.format === 'csv' ? new CsvRecord(row, table) : new JsonRecord(row, table);
}

class CsvRecord implements SourceRecord {
  readonly table: CsvTable;
  readonly line: number;
  readonly fields: Readonly<Record<string, string>>;
  private readonly cells: readonly string[];

  constructor({ line, body }: GoodRow, table: CsvTable) {
    this.table = table;
    this.line = line;
    this.cells = typeof body === 'string' ? [] : body;
    const fields: Record<string, string> = {};
    table.columns.forEach((name, at) => {
      const cell = this.cells[at] ?? '';
      fields[name] = table.trim === true ? cell.trim() : cell;
    });
    this.fields = fields;
  }

  cell(path: string): Cell {
    const { columns, file } = this.table;
    const column = spelledAs(path, columns) ?? path;
    // A line end within an earlier cell pushes this one down.
    const before = this.cells.slice(0, Math.max(0, columns.indexOf(column)));
    const line = before.reduce((sum, cell) => sum + lineEndsInText(cell), this.line);
    return { file, line, column };
  }
}

class JsonRecord implements SourceRecord {
  readonly table: JsonTable;
  readonly line: number;
  readonly fields: Readonly<Record<string, JsonValue>>;
  private readonly text: string;
  private lines: ReadonlyMap<string, number> | undefined;

  constructor({ line, body }: GoodRow, table: JsonTable) {
    this.table = table;
    this.line = line;
    this.text = typeof body === 'string' ? body : '';
    const value = parseJson(this.text);
    const { [rejectedBecause]: _reason, ...fields } = isJsonObject(value) ? value : {};
    this.fields = fields;
  }

  cell(path: string): Cell {
    this.lines ??= valueLines(this.text);
    return { file: this.table.file, line: this.line + lineWithin(this.lines, path), column: path };
  }
}
