import type { Cell } from '../domain/cell.ts';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../domain/json.ts';
import { rejectedBecause } from '../domain/rejected-because.ts';
import { spelledAs } from '../domain/spelling.ts';
import type { SourceRecord } from './export.ts';
import type { Cells } from './csv-record.ts';
import { ValueLines } from './json-place.ts';
import { lineEndsInText } from './physical-lines.ts';
import type { GoodRow } from './row.ts';
import type { CsvTable, FileTable, JsonTable } from './table.ts';

type Through = () => readonly Cell[];

/**
 * Recreates the record from which a row was stored. `through` finds the cells of other tables by which the row found
 * its account.
 */
export function sourceRecord(row: GoodRow, table: FileTable, through?: Through): SourceRecord {
  const linked = table.via === undefined ? undefined : through;
  return table.format === 'csv' ? new CsvRecord(row, table, linked) : new JsonRecord(row, table, linked);
}

function withThrough(cell: Cell, through: Through | undefined): Cell {
  const cells = through?.() ?? [];
  return cells.length === 0 ? cell : { ...cell, behind: cells };
}

class CsvRecord implements SourceRecord {
  readonly table: CsvTable;
  readonly line: number;
  private readonly cells: Cells;
  private readonly through: Through | undefined;

  constructor({ line, body }: GoodRow, table: CsvTable, through: Through | undefined) {
    this.through = through;
    this.table = table;
    this.line = line;
    this.cells = typeof body === 'string' ? [] : body;
  }

  get fields(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.table.columns.map((name, at) => [name, this.text(at)]));
  }

  value(name: string): string | undefined {
    const at = this.table.positions.get(name);
    return at === undefined ? undefined : this.text(at);
  }

  cell(path: string): Cell {
    const { columns, file } = this.table;
    const column = spelledAs(path, columns) ?? path;
    // A line end within an earlier cell moves this one down.
    const before = [...this.cells].slice(0, Math.max(0, columns.indexOf(column)));
    const line = before.reduce((sum, cell) => sum + lineEndsInText(cell), this.line);
    return withThrough({ file, line, column }, this.through);
  }

  release(): void {
    // What is asked for is cut out of the row's text each time.
  }

  private text(at: number): string {
    const cell = this.cells.at(at) ?? '';
    return this.table.trim === true ? cell.trim() : cell;
  }
}

class JsonRecord implements SourceRecord {
  readonly table: JsonTable;
  readonly line: number;
  private readonly text: string;
  private parsed: Readonly<JsonObject> | undefined;
  private lines: ValueLines | undefined;
  private readonly through: Through | undefined;

  constructor({ line, body, fields }: GoodRow, table: JsonTable, through: Through | undefined) {
    this.through = through;
    this.table = table;
    this.line = line;
    this.text = typeof body === 'string' ? body : '';
    if (fields !== undefined) this.parsed = withoutReason(fields);
  }

  get fields(): Readonly<Record<string, JsonValue>> {
    return (this.parsed ??= withoutReason(parseJson(this.text)));
  }

  value(name: string): JsonValue | undefined {
    const { fields } = this;
    return Object.hasOwn(fields, name) ? fields[name] : undefined;
  }

  cell(path: string): Cell {
    this.lines ??= new ValueLines(this.text);
    const line = this.line + this.lines.before(path);
    return withThrough({ file: this.table.file, line, column: path }, this.through);
  }

  release(): void {
    this.parsed = undefined;
    this.lines = undefined;
  }
}

/** The reason in a rejected record is for people, and is not part of its data. */
function withoutReason(value: JsonValue): Readonly<JsonObject> {
  if (!isJsonObject(value)) return {};
  if (!Object.hasOwn(value, rejectedBecause)) return value;
  const { [rejectedBecause]: _reason, ...fields } = value;
  return fields;
}
