import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Cell } from '../domain/cell.ts';
import { openTemporary } from '../sqlite/temporary.ts';
import type { Sqlite } from '../sqlite/open-database.ts';
import type { ExportUnreadable, TableSpec } from './export.ts';
import type { CellMark, CopiedFile, WrittenCell } from './formats/format.ts';
import { formatOf } from './formats/formats.ts';
import { FileUnreadable } from './file-bytes.ts';
import { Links } from './links.ts';
import { openTables, type OpenedTable } from './open-tables.ts';
import type { Place } from './places/place.ts';
import { placeAt } from './places/places.ts';
import { readRows } from './read-rows.ts';
import { sheetsOfTables } from './rejected-workbook.ts';
import type { OpenedFile } from './table.ts';
import { unreadableFile } from './fault.ts';

type ReasonOf = (account: string) => string | undefined;
/** What is wrong with the cells of a row, by their columns. */
export type MarksAt = (row: Omit<Cell, 'column'>) => ReadonlyMap<string, CellMark>;

/**
 * Writes the rows of an export whose accounts have a reason into a directory, each with the reason in a last column
 * or member: the rows unchanged, sound or not, in files of the same names, with the same header, delimiter, encoding
 * and compression. Every file of the export is written, even without any such row, so that the directory is an export
 * of the same shape. The directory must exist and be empty.
 */
export async function copyRejected(
  root: string,
  specs: readonly TableSpec[],
  files: readonly string[],
  directory: string,
  reasonOf: ReasonOf,
  marksAt: MarksAt = () => new Map(),
): Promise<ExportUnreadable | undefined> {
  return copyTo(asFiles(directory), root, specs, files, reasonOf, marksAt);
}

/**
 * The same as a workbook with a sheet for each table, whose rows must be flat: cells with a mark are highlighted. The
 * file must not exist.
 */
export async function copyRejectedToWorkbook(
  root: string,
  specs: readonly TableSpec[],
  files: readonly string[],
  target: string,
  reasonOf: ReasonOf,
  marksAt: MarksAt = () => new Map(),
): Promise<ExportUnreadable | undefined> {
  return copyTo(asWorkbook(target, specs), root, specs, files, reasonOf, marksAt);
}

async function copyTo(
  write: Write,
  root: string,
  specs: readonly TableSpec[],
  files: readonly string[],
  reasonOf: ReasonOf,
  marksAt: MarksAt,
): Promise<ExportUnreadable | undefined> {
  let place: Place;
  try {
    place = await placeAt(root);
  } catch (error) {
    return { problems: [unreadableFile(error, basename(root))] };
  }
  try {
    const opened = await openTables(place, specs, files);
    return 'problems' in opened ? opened : await copyFiles(opened, reasonOf, marksAt, write);
  } finally {
    place.close();
  }
}

type Write = (copied: readonly CopiedFile[]) => Promise<ExportUnreadable | undefined>;

async function copyFiles(
  opened: readonly OpenedTable[],
  reasonOf: ReasonOf,
  marksAt: MarksAt,
  write: Write,
): Promise<ExportUnreadable | undefined> {
  const all = opened.flat();
  const db = openTemporary();
  try {
    const links = await linksOf(all, db);
    if ('problems' in links) return links;
    return await write(
      all.map((file, position): CopiedFile => ({
        file,
        reasonOf: (key) =>
          links
            .accountsOf(key, position)
            .map(reasonOf)
            .find((found) => found !== undefined),
        marksAt: (line) => inKeyColumn(marksAt(rowAt(file, line)), file.table.key),
      })),
    );
  } finally {
    db.close();
  }
}

/** What is wrong with a whole row is marked in its key column. */
function inKeyColumn(marks: ReadonlyMap<string, CellMark>, key: string): ReadonlyMap<string, CellMark> {
  const ofRow = marks.get('');
  if (ofRow === undefined) return marks;
  const ofKey = marks.get(key);
  const text = ofKey === undefined ? ofRow.text : `${ofKey.text}\n${ofRow.text}`;
  const isFault = ofRow.isFault || ofKey?.isFault === true;
  return new Map([...marks].filter(([column]) => column !== '')).set(key, { text, isFault });
}

/** Each file as one of the same name in a directory. */
function asFiles(directory: string): Write {
  return async (copied) => {
    for (const tables of byFile(copied)) {
      const { table } = tables[0].file;
      try {
        const target = join(directory, table.file);
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        const format = formatOf(table);
        if (format.copy === undefined) throw new Error(`${table.format} is not copied`);
        await format.copy(tables, target);
      } catch (error) {
        return { problems: [unreadableFile(error, table.file)] };
      }
    }
    return undefined;
  };
}

/** Each table as a sheet of a workbook. */
function asWorkbook(target: string, specs: readonly TableSpec[]): Write {
  return async (copied) => {
    const sheets = sheetsOfTables(specs);
    const names = [...new Set(sheets.values())];
    let reading = '';
    const rowsOf = async function* (name: string): AsyncGenerator<readonly WrittenCell[], void, undefined> {
      let isFirst = true;
      let written = 0;
      for (const tables of byFile(copied.filter(({ file: { table } }) => sheets.get(table.name) === name))) {
        const { table } = tables[0].file;
        reading = table.file;
        const rows = formatOf(table).cells?.(tables);
        if (rows === undefined) throw new Error(`${table.format} has no flat rows`);
        // The parts of a table have one header.
        if (!isFirst) await rows.next();
        isFirst = false;
        for await (const row of rows) {
          refuseBeyond((written += 1), row);
          yield row;
        }
      }
    };
    try {
      const { writeWorkbook } = await import('./formats/xlsx/write-workbook.ts');
      await writeWorkbook(
        target,
        names.map((name) => ({ name, rows: () => rowsOf(name) })),
      );
      return undefined;
    } catch (error) {
      return { problems: [unreadableFile(error, reading)] };
    }
  };
}

/** What a sheet holds at most. */
const mostRows = 1_048_576;
const longestCell = 32_767;

function refuseBeyond(rows: number, row: readonly WrittenCell[]): void {
  const isLong = row.some(({ value }) => value.length > longestCell);
  if (rows <= mostRows && !isLong) return;
  throw new FileUnreadable(
    'too_large_for_workbook',
    isLong
      ? `has a text of more than ${longestCell} characters in a rejected row, which a cell of a workbook cannot hold. Name a directory for the rejected rows.`
      : `has more rejected rows than a sheet holds (${mostRows}). Name a directory for them.`,
  );
}

/** Finds the accounts of rows that name them through other tables; or why a file cannot be read. */
async function linksOf(files: readonly OpenedFile[], db: Sqlite): Promise<Links | ExportUnreadable> {
  const links = new Links(
    db,
    files.map(({ table }) => table),
  );
  db.exec('BEGIN');
  for (const [position, file] of files.entries()) {
    if (!links.isTarget(position)) continue;
    try {
      for await (const batch of readRows(file, {}))
        for (const row of batch) if ('body' in row) links.add(row, position);
    } catch (error) {
      return { problems: [unreadableFile(error, file.table.file)] };
    }
  }
  links.resolve();
  return links;
}

function rowAt({ table: { file, sheet } }: OpenedFile, line: number): Omit<Cell, 'column'> {
  return { file, line, ...(sheet === undefined ? {} : { sheet }) };
}

/** The tables of each file together: several may be of one. */
function byFile(files: readonly CopiedFile[]): readonly [CopiedFile, ...CopiedFile[]][] {
  const groups = new Map<string, [CopiedFile, ...CopiedFile[]]>();
  for (const copied of files) {
    const group = groups.get(copied.file.stored.path);
    if (group === undefined) groups.set(copied.file.stored.path, [copied]);
    else group.push(copied);
  }
  return [...groups.values()];
}
