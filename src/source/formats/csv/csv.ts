import type { Cell } from '../../../domain/cell.ts';
import { stringifyJson, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { spelledAs } from '../../../domain/nearest.ts';
import type { SourceRecord } from '../../export.ts';
import { lineEndsInText } from '../../physical-lines.ts';
import type { Cells, GoodRow } from '../../row.ts';
import { copiedLines } from '../copied-rows.ts';
import { withThrough, type Format, type Through, type WrittenRows } from '../format.ts';
import { encodingText, textFormat } from '../text-format.ts';
import { copiedCells } from './copied-cells.ts';
import type { CsvTable } from './dialect.ts';
import { readHeader } from './header.ts';
import { csvSample } from './sample.ts';
import { headerWithReason, rowWithReason, withoutBlankLines } from './reason.ts';
import { readCsvRows } from './rows.ts';

export const csv: Format<CsvTable> = {
  name: 'csv',
  endings: ['.csv', '.tsv'],
  namedEndings: ['.txt', '.dat'],
  readsFromRows: true,

  ...textFormat<CsvTable>({
    async open(blocks, found) {
      const header = await readHeader(blocks, found);
      if ('problem' in header) return header;
      const positions = new Map(header.columns.map((name, at) => [name, at]));
      return { ...found, ...header, positions, format: 'csv', isFlat: true };
    },
    rows: readCsvRows,
    sample: csvSample,
    copied: (tables) =>
      copiedLines(tables, csv, {
        header: (text) => headerWithReason(text, tables[0].file.table),
        row: (text, row, reason) => {
          const { table } = tables[0].file;
          return rowWithReason('body' in row ? text : withoutBlankLines(text, table), table, reason);
        },
      }),
  }),

  record: (row, table, through) => new CsvRecord(row, table, through),

  text({ body }, table, column) {
    const at = table.positions.get(column);
    return at === undefined || typeof body === 'string' ? '' : (body.at(at) ?? '');
  },

  described: (table) =>
    `CSV, ${encodingText(table)}, delimiter ${JSON.stringify(table.delimiter)}, ${table.columns?.length ?? 0} columns`,

  cells: (tables) => copiedCells(tables, csv),

  writing: { ending: '.csv', write: writtenRows },
};

class CsvRecord implements SourceRecord {
  readonly table: CsvTable;
  readonly line: number;
  declare readonly unreadable?: readonly string[];
  readonly #cells: Cells;
  readonly #through: Through | undefined;

  constructor({ line, body, unreadable }: GoodRow, table: CsvTable, through: Through | undefined) {
    this.#through = through;
    if (unreadable !== undefined) this.unreadable = unreadable.map(({ column }) => column);
    this.table = table;
    this.line = line;
    this.#cells = typeof body === 'string' ? [] : body;
  }

  get fields(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.table.columns.map((name, at) => [name, this.#text(at)]));
  }

  value(name: string): string | undefined {
    const at = this.table.positions.get(name);
    return at === undefined ? undefined : this.#text(at);
  }

  cell(path: string): Cell {
    const { columns, file } = this.table;
    const column = spelledAs(path, columns) ?? path;
    // A line end within an earlier cell moves this one down.
    const before = [...this.#cells].slice(0, Math.max(0, columns.indexOf(column)));
    const line = before.reduce((sum, cell) => sum + lineEndsInText(cell), this.line);
    return withThrough({ file, line, column }, this.#through);
  }

  release(): void {
    // What is asked for is cut out of the row's text each time.
  }

  #text(at: number): string {
    const cell = this.#cells.at(at) ?? '';
    return this.table.trim === true ? cell.trim() : cell;
  }
}

/** Rows as a CSV file with these columns and their own. */
function writtenRows(rows: readonly JsonObject[], read: ReadonlySet<string>): WrittenRows {
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
