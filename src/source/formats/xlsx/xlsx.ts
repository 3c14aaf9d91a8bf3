import type { Cell } from '../../../domain/cell.ts';
import { nearest } from '../../../domain/nearest.ts';
import type { Problem } from '../../../domain/problem.ts';
import { spelledAs } from '../../../domain/nearest.ts';
import type { TableSpec } from '../../export.ts';
import { exportProblem } from '../../fault.ts';
import type { ReadOptions, StoredFile } from '../../places/place.ts';
import { csv } from '../csv/csv.ts';
import { sampleRows, type Format, type Sample } from '../format.ts';
import { textIn, TextsRecord } from '../texts-record.ts';
import { textOfCell, type CellReading } from './cell-text.ts';
import { copiedSheet, copiedSheets } from './copied-sheets.ts';
import { findHeader, headerRow, headerRows, likelyHeader, type HeaderRow } from './header.ts';
import { mergesOf } from './merges.ts';
import { lettersOf, storedRows, type StoredRow } from './sheet-cells.ts';
import { stringsOf } from './shared-strings.ts';
import { SpooledRows } from './spooled-rows.ts';
import { TableRows, type XlsxTable } from './table-rows.ts';
import { openWorkbook, type Sheet, type Workbook } from './workbook.ts';
import { writeWorkbook } from './write-workbook.ts';

/** A workbook of the kind that ECMA-376 describes; each table is a sheet. */
export const xlsx: Format<XlsxTable> = {
  name: 'xlsx',
  endings: ['.xlsx', '.xlsm'],

  async open({ origin, ...spec }, { stored, findEncoding: _find, ...options }) {
    return withBook(stored, async (workbook, reading) => {
      const sheet = sheetOf(workbook, { ...spec, ...(origin === undefined ? {} : { origin }) });
      if ('problem' in sheet) return sheet;
      const { name, part } = sheet;
      const first: HeaderRow[] = [];
      for await (const row of filledRows(workbook, part, options)) {
        const searched = spec.isCopy === true ? 1 : headerRows;
        if (first.push(headerRow(row, reading, spec.isCopy)) === searched) break;
      }
      const header = findHeader(first, spec, name);
      if ('problem' in header) return header;
      const { key, line, names: columns, places } = header;
      return {
        ...spec,
        ...{ key, columns, places, part, sheet: name, headerLine: line },
        positions: new Map(columns.map((column, at) => [column, at])),
        merges: await mergesOf(workbook.parts, part, options),
        otherSheets: await filledSheets(workbook, name, options),
        format: 'xlsx',
        isFlat: true,
        encoding: 'utf-8',
      };
    });
  },

  async *rows({ table, stored }, options) {
    const { workbook, reading, close } = await bookOf(stored);
    try {
      const rows = new TableRows(table, reading);
      for await (const batch of storedRows(workbook.parts, table.part, options))
        yield batch.flatMap((row) => rows.of(row) ?? []);
    } finally {
      close();
    }
  },

  twice(file) {
    const spooled = new SpooledRows();
    return {
      async *first(options) {
        for await (const batch of xlsx.rows(file, options)) {
          if (batch.length > 0) spooled.add(batch);
          yield batch;
        }
      },
      *again({ signal }) {
        for (const batch of spooled.batches()) {
          signal?.throwIfAborted();
          yield batch;
        }
      },
      close: () => spooled.close(),
    };
  },

  record: (row, table, through) => new TextsRecord(row, table, through, cellAt),

  text: textIn,

  async sheets(stored) {
    return withBook(stored, ({ sheets }) => Promise.resolve(sheets.map(({ name }) => name)));
  },

  described: ({ sheet = '', columns = [] }) => `workbook, sheet ${sheet}, ${columns.length} columns`,

  place: cellAt,

  async samples(stored) {
    return withBook(stored, async (workbook, reading) => {
      const samples: Sample[] = [];
      for (const sheet of workbook.sheets) {
        const sample = await sampleOf(workbook, sheet, reading);
        if (sample !== undefined) samples.push(sample);
      }
      return samples;
    });
  },

  async copy(tables, target) {
    await withBook(tables[0].file.stored, (workbook, reading) =>
      writeWorkbook(target, copiedSheets(tables, workbook, reading)),
    );
  },

  async *cells(tables) {
    const { workbook, reading, close } = await bookOf(tables[0].file.stored);
    try {
      yield* copiedSheet(tables, workbook, reading);
    } finally {
      close();
    }
  },

  writing: csv.writing,
};

function keyOf({ path, state }: StoredFile): string {
  return `${path} ${state.mark}`;
}

/** Opens a workbook with all that is needed to read its cells. */
async function bookOf(
  file: StoredFile,
): Promise<{ readonly workbook: Workbook; readonly reading: CellReading; readonly close: () => void }> {
  const workbook = await openWorkbook(file);
  try {
    const { strings, release } = await stringsOf(workbook, keyOf(file));
    const close = (): void => {
      release();
      workbook.parts.close();
    };
    return { workbook, reading: { ...workbook, strings }, close };
  } catch (error) {
    workbook.parts.close();
    throw error;
  }
}

async function withBook<Result>(
  file: StoredFile,
  act: (workbook: Workbook, reading: CellReading) => Promise<Result>,
): Promise<Result> {
  const { workbook, reading, close } = await bookOf(file);
  try {
    return await act(workbook, reading);
  } finally {
    close();
  }
}

/** The other sheets with content: a new workbook has sheets that nobody uses. */
async function filledSheets(
  workbook: Workbook,
  own: string,
  options: ReadOptions,
): Promise<readonly string[]> {
  const filled: string[] = [];
  for (const { name, part } of workbook.sheets) {
    if (name === own) continue;
    for await (const _row of filledRows(workbook, part, options)) {
      filled.push(name);
      break;
    }
  }
  return filled;
}

/** The rows of a sheet that hold something. */
async function* filledRows(
  { parts }: Workbook,
  part: string,
  options: ReadOptions,
): AsyncGenerator<StoredRow, void, undefined> {
  for await (const batch of storedRows(parts, part, options))
    for (const row of batch) if (row.cells.length > 0) yield row;
}

/** The sheet that a table names, or the only one. */
function sheetOf(
  { sheets }: Workbook,
  { file, sheet, origin }: TableSpec,
): Sheet | { readonly problem: Problem } {
  const names = sheets.map(({ name }) => name);
  const problem = (code: string, detail: string): { problem: Problem } => ({
    problem: exportProblem(code, detail, origin ?? { file, line: 1, column: '' }),
  });
  if (sheet === undefined) {
    const [only, ...others] = sheets;
    if (only !== undefined && others.length === 0) return only;
    return problem(
      'unknown_sheet',
      `${file} has the sheets ${names.join(', ')}. Name one of them: sheet: ${only?.name ?? ''}`,
    );
  }
  const spelled = spelledAs(sheet, names);
  const found = sheets.find(({ name }) => name === spelled);
  if (found !== undefined) return found;
  const meant = nearest(sheet, names);
  const remedy = meant === undefined ? `It has: ${names.join(', ')}.` : `Did you mean ${meant}?`;
  return problem('unknown_sheet', `${file} has no sheet ${sheet}. ${remedy}`);
}

/** The first rows of a sheet; undefined if it seems to have no table. */
async function sampleOf(workbook: Workbook, sheet: Sheet, reading: CellReading): Promise<Sample | undefined> {
  const first: StoredRow[] = [];
  for await (const row of filledRows(workbook, sheet.part, {}))
    if (first.push(row) === headerRows + sampleRows) break;
  const header = likelyHeader(first.slice(0, headerRows).map((row) => headerRow(row, reading)));
  if (header === undefined || header.names.length < 2) return undefined;
  const rows = first
    .filter(({ line }) => line > header.line)
    .slice(0, sampleRows)
    .map(({ cells }) => {
      const texts = new Map(header.names.map((name) => [name, '']));
      for (const cell of cells) {
        const name = header.names[header.places.indexOf(cell.column)];
        const text = textOfCell(cell, reading);
        if (name !== undefined && typeof text === 'string') texts.set(name, text.trim());
      }
      return texts;
    });
  const isNamed = workbook.sheets.length > 1;
  return { isFlat: true, columns: header.names, rows, ...(isNamed ? { sheet: sheet.name } : {}) };
}

function cellAt({ file, sheet, positions, places }: XlsxTable, line: number, column: string): Cell {
  const at = positions.get(column);
  const place = at === undefined ? undefined : places[at];
  // A column without a name is known by its letters.
  const letters = place === undefined ? /^[A-Z]{1,3}$/.exec(column)?.[0] : lettersOf(place);
  return { file, line, column, sheet, ...(letters === undefined ? {} : { ref: `${letters}${line}` }) };
}
