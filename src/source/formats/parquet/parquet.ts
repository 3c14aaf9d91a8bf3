import type { Cell } from '../../../domain/cell.ts';
import { needsType } from '../../../domain/typed-value.ts';
import { nearest, spelledAs } from '../../../domain/nearest.ts';
import { exportProblem, fileProblem } from '../../fault.ts';
import { FileUnreadable } from '../../file-bytes.ts';
import { parseFileName } from '../../file-name.ts';
import type { Problem } from '../../../domain/problem.ts';
import type { ReadOptions, StoredFile } from '../../places/place.ts';
import type { Remark, UnreadableValue } from '../../row.ts';
import { csv } from '../csv/csv.ts';
import { sampleRows, type Format } from '../format.ts';
import { keyedRows, type TextRow } from '../keyed-row.ts';
import { textIn, TextsRecord, type TextsTable } from '../texts-record.ts';
import { copiedCells } from './copied-rows.ts';
import { RowTexts, type RowBatch } from './column-spool.ts';
import { columnsOf, type ParquetColumn, type ParquetColumns } from './columns.ts';
import { refuseEncrypted } from './encrypted-columns.ts';
import { footerOf } from './footer.ts';
import { damagedParquet, libraries } from './library.ts';
import { openRandom, type RandomFile } from './random-file.ts';
import { guarded, RowGroups } from './row-groups.ts';
import { unreadableAt } from './unreadable.ts';

/** Columns in groups of rows, with types: Apache Parquet. A row is known by its number, from 1. */
export const parquet: Format<TextsTable> = {
  name: 'parquet',
  endings: ['.parquet'],

  async open({ origin, ...spec }, { stored }) {
    const { file, key: named } = spec;
    if (spec.sheet !== undefined) {
      const detail = `${file} is a Parquet file, and only a workbook (.xlsx) has sheets. Remove sheet, or name the workbook.`;
      return { problem: exportProblem('unknown_sheet', detail, origin ?? { file, line: 1, column: '' }) };
    }
    return withFile(stored, (_file, { columns, leftOut }): TextsTable | { readonly problem: Problem } => {
      const names = columns.map(({ name }) => name);
      const problem = (code: string, detail: string) => ({ problem: fileProblem(code, file, detail) });
      const repeated = names.find((name, at) => names.indexOf(name) < at);
      if (repeated !== undefined)
        return problem('repeated_column', `${file} has the column '${repeated}' twice. Give each column its own name.`); // prettier-ignore
      const key = spelledAs(named, names);
      if (key === undefined) {
        const meant = nearest(named, names);
        const remedy = meant === undefined ? 'Add it, or name the right column.' : `Did you mean '${meant}'?`;
        return problem(
          'missing_key_column',
          `${file} has no column '${named}', which contains the account number. ${remedy}`,
        );
      }
      return {
        ...spec,
        ...{ key, columns: names, positions: new Map(names.map((name, at) => [name, at])) },
        ...(leftOut.length === 0 ? {} : { leftOut }),
        ...{ format: 'parquet', isFlat: true, encoding: 'utf-8' },
      };
    });
  },

  async *rows({ table, stored }, options) {
    const keyed = keyedRows(table);
    for await (const batch of textRows(stored, options)) yield batch.map(keyed);
  },

  twice({ table, stored }) {
    const keyed = keyedRows(table);
    const groups = new RowGroups();
    let columns: readonly ParquetColumn[] = [];
    return {
      async *first(options) {
        const { file, found } = await openFile(stored);
        columns = found.columns;
        try {
          for await (const batch of groups.read(file, found, { ...options, isKept: true }))
            yield textsOf(batch, columns).map(keyed);
        } finally {
          file.close();
        }
      },
      *again(options) {
        for (const batch of groups.again(options)) yield textsOf(batch, columns).map(keyed);
      },
      close: () => groups.close(),
    };
  },

  record: (row, table, through) => new TextsRecord(row, table, through, cellAt),

  text: textIn,

  described: ({ columns = [], leftOut = [] }) =>
    `Parquet, ${columns.length} columns${leftOut.length === 0 ? '' : `, ${leftOut.length} left out`}`,

  place: cellAt,

  async samples(stored) {
    const columns = await withFile(stored, (_file, found) => found.columns.map(({ name }) => name));
    const rows: TextRow[] = [];
    for await (const batch of textRows(stored, {})) {
      rows.push(...batch);
      if (rows.length >= sampleRows) break;
    }
    const sampled = rows
      .slice(0, sampleRows)
      .map(({ texts }) => new Map(columns.map((name, at) => [name, (texts.at(at) ?? '').trim()])));
    return [{ isFlat: true, columns, rows: sampled, isWhole: rows.length < sampleRows }];
  },

  cells: (tables) => copiedCells(tables, textRows(tables[0].file.stored, {})),

  writing: csv.writing,
};

function cellAt({ file }: TextsTable, line: number, column: string): Cell {
  return { file, line, column };
}

async function openFile(
  stored: StoredFile,
): Promise<{ readonly file: RandomFile; readonly found: ParquetColumns }> {
  if (parseFileName(stored.path).compression !== undefined)
    throw new FileUnreadable(
      'not_parquet',
      'is compressed as a whole, and cannot be read in parts. Decompress it: a Parquet file compresses its own contents.',
    );
  const { parquet: library } = await libraries();
  const file = await openRandom(stored);
  try {
    const [start, end] = [await startOf(file), await startOf(file, -4)];
    if (start !== 'PAR1' || end !== 'PAR1') throw refusalOf(start, end);
    const metadata = await guarded(undefined, () => footerOf(library, file));
    refuseUntrueCounts(metadata.row_groups, file.byteLength);
    refuseEncrypted(metadata);
    return { file, found: columnsOf(metadata) };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** More rows than the best compression has for each byte of a file with different account numbers. */
const mostRowsPerByte = 1000;
const fewRows = 1_000_000;

/** Throws FileUnreadable if the file says that it has rows which cannot be there: everything else would loop over them. */
function refuseUntrueCounts(groups: readonly { readonly num_rows: bigint }[], size: number): void {
  const counts = groups.map(({ num_rows: rows }) => Number(rows));
  const rows = counts.reduce((sum, count) => sum + count, 0);
  if (counts.every((count) => count >= 0) && (rows <= fewRows || rows <= mostRowsPerByte * size)) return;
  throw damagedParquet(`it says that it has ${rows} rows, in ${size} bytes`);
}

/** The first four bytes, or the last ones. */
async function startOf(file: RandomFile, from = 0): Promise<string> {
  const start = from < 0 ? Math.max(0, file.byteLength + from) : from;
  return Buffer.from(await file.slice(start, start + 4)).toString('latin1');
}

function refusalOf(start: string, end: string): FileUnreadable {
  if (start === 'PARE')
    return new FileUnreadable('encrypted_file', 'is encrypted. Write it without encryption.');
  if (start === 'PAR1' && end !== 'PAR1')
    return new FileUnreadable('truncated_file', 'is cut short: its metadata, which is at its end, is missing. Copy it again.'); // prettier-ignore
  return new FileUnreadable('not_parquet', 'is not a Parquet file. Name the right file, or write it again.');
}

async function withFile<Result>(
  stored: StoredFile,
  act: (file: RandomFile, found: ParquetColumns) => Promise<Result> | Result,
): Promise<Result> {
  const { file, found } = await openFile(stored);
  try {
    return await act(file, found);
  } finally {
    file.close();
  }
}

/** The rows of a file with their texts, batch by batch, except those that hold nothing. */
async function* textRows(
  stored: StoredFile,
  options: ReadOptions,
): AsyncGenerator<readonly TextRow[], void, undefined> {
  const { file, found } = await openFile(stored);
  try {
    const groups = new RowGroups();
    try {
      for await (const batch of groups.read(file, found, { ...options, isKept: false }))
        // The disk is freed after each group.
        yield textsOf(batch, found.columns).map((row) => ({ ...row, texts: [...row.texts] }));
    } finally {
      groups.close();
    }
  } finally {
    file.close();
  }
}

function textsOf({ first, rows, columns: blocks }: RowBatch, columns: readonly ParquetColumn[]): TextRow[] {
  const ofType = columns.flatMap(({ kind }, at) => (kind === 'text' || kind === 'exact' ? [] : [at]));
  const remarks = columns.flatMap(({ name, isWithoutZone }) =>
    isWithoutZone === true ? [withoutZone(name)] : [],
  );
  const doubtful = blocks.some(({ isDoubtful }) => isDoubtful);
  const found: TextRow[] = [];
  for (let row = 0; row < rows; row += 1) {
    if (blocks.every(({ values }) => values[row] === '')) continue;
    const line = first + row;
    const unreadable = doubtful ? unreadableValues(line, blocks, row, columns) : [];
    let typed: number[] | undefined;
    for (const at of ofType) if (needsType(blocks[at]?.text(row) ?? '')) (typed ??= []).push(at);
    found.push({ line, texts: new RowTexts(blocks, row), typed, unreadable, remarks });
  }
  return found;
}

function withoutZone(column: string): Remark {
  return {
    code: 'moment_without_zone',
    column,
    detail:
      'The column has moments of an old type (INT96), which does not say whether they are in UTC, as Spark writes them, or local, as Impala does. They are read as local times in the zone of the mapping. If they are in UTC, write the column as a TIMESTAMP in UTC.',
  };
}

function unreadableValues(
  line: number,
  blocks: RowBatch['columns'],
  row: number,
  columns: readonly ParquetColumn[],
): UnreadableValue[] {
  return blocks.flatMap(({ values }, at) => {
    const value = values[row];
    return value === undefined || typeof value === 'string'
      ? []
      : [unreadableAt(line, columns[at]?.name ?? '', value)];
  });
}
