import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Cell } from '../domain/cell.ts';
import { openTemporary } from '../sqlite/temporary.ts';
import type { Sqlite } from '../sqlite/open-database.ts';
import type { ExportUnreadable, TableSpec } from './export.ts';
import type { CopiedFile } from './formats/format.ts';
import { formatOf } from './formats/formats.ts';
import { Links } from './links.ts';
import { openTables, type OpenedTable } from './open-tables.ts';
import type { Place } from './places/place.ts';
import { placeAt } from './places/places.ts';
import { readRows } from './read-rows.ts';
import type { OpenedFile } from './table.ts';
import { unreadableFile } from './fault.ts';

type ReasonOf = (account: string) => string | undefined;
/** What is wrong with the cells of a row, by their columns. */
export type MarksAt = (row: Omit<Cell, 'column'>) => ReadonlyMap<string, string>;

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
  let place: Place;
  try {
    place = await placeAt(root);
  } catch (error) {
    return { problems: [unreadableFile(error, basename(root))] };
  }
  try {
    const opened = await openTables(place, specs, files);
    return 'problems' in opened ? opened : await copyFiles(opened, directory, reasonOf, marksAt);
  } finally {
    place.close();
  }
}

async function copyFiles(
  opened: readonly OpenedTable[],
  directory: string,
  reasonOf: ReasonOf,
  marksAt: MarksAt,
): Promise<ExportUnreadable | undefined> {
  const all = opened.flat();
  const db = openTemporary();
  try {
    const links = await linksOf(all, db);
    if ('problems' in links) return links;
    const copied = all.map((file, position): CopiedFile => ({
      file,
      reasonOf: (key) =>
        links
          .accountsOf(key, position)
          .map(reasonOf)
          .find((found) => found !== undefined),
      marksAt: (line) => marksAt(rowAt(file, line)),
    }));
    for (const tables of byFile(copied)) {
      const { table } = tables[0].file;
      try {
        const target = join(directory, table.file);
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await formatOf(table).copy(tables, target);
      } catch (error) {
        return { problems: [unreadableFile(error, table.file)] };
      }
    }
    return undefined;
  } finally {
    db.close();
  }
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
