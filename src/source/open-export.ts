import { basename } from 'node:path';
import type { Problem } from '../domain/problem.ts';
import { rejectedBecause } from '../domain/shared-codes.ts';
import { DatabaseRefused } from '../domain/database-refused.ts';
import type { ExportUnreadable, Table, TableSpec } from './export.ts';
import { ExportBroken, exportProblem, unreadableFile } from './fault.ts';
import { formatOf } from './formats/formats.ts';
import { listExport } from './list-export.ts';
import { openTables } from './open-tables.ts';
import { OpenedExport } from './opened-export.ts';
import { nameUnder } from './places/address.ts';
import type { Place } from './places/place.ts';
import { placeAt } from './places/places.ts';
import { readOne, readSorted, readStaged, type ReadingOptions } from './reading.ts';
import { externalSortRefusal } from './external-sort.ts';
import { sortedRanges } from './sorted/sorted-files.ts';
import type { FileTable, OpenedFile } from './table.ts';

export interface OpenExportOptions extends ReadingOptions {
  /** Names of the data files in which a table's parts are searched; those of the directory if absent. */
  readonly files?: readonly string[];
  /** Prefixes the files in tables and cells with this directory, so that those of two exports are distinguished. */
  readonly namedUnder?: string | undefined;
  /** Whether files behind links that lead out of the directory are refused. */
  readonly isWithin?: boolean;
}

/**
 * Reads an export with the given tables, exactly one of them the accounts table. All files are read here to the end;
 * then the accounts can be taken from it one by one. Files that are all sorted by account number are read again for
 * that and merged; otherwise the rows are kept in a temporary file on disk. A problem of a row is attributed to its
 * account, or is one of the `faults`. If a whole file cannot be read, the export is unreadable, and every such file
 * is named. If the signal is aborted, reading (including bundles) throws its reason; bundles throw ExportBroken if a
 * file has changed.
 */
export async function openExport(
  root: string,
  specs: readonly TableSpec[],
  options: OpenExportOptions = {},
): Promise<OpenedExport | ExportUnreadable> {
  let place: Place;
  try {
    place = await placeAt(root, options);
  } catch (error) {
    return { problems: [unreadableFile(error, basename(root))] };
  }
  let opened: OpenedExport | ExportUnreadable | undefined;
  try {
    opened = await openIn(place, root, specs, options);
    return opened;
  } finally {
    if (opened === undefined || 'problems' in opened) place.close();
  }
}

async function openIn(
  place: Place,
  root: string,
  specs: readonly TableSpec[],
  options: OpenExportOptions,
): Promise<OpenedExport | ExportUnreadable> {
  const { namedUnder } = options;
  const found = await openTables(place, specs, options.files ?? (await dataFiles(root)), {
    signal: options.signal,
    encodings: options.only,
  });
  if ('problems' in found)
    return { problems: found.problems.map((problem) => cellUnder(namedUnder, specs, problem)) };
  const opened = found.map((files) => files.map((file) => under(namedUnder, file)));
  const files = opened.flat();
  const tables = tablesOf(files.map(({ table }) => table));
  if (!tables.some(({ role }) => role === 'accounts')) throw new Error('An export needs an accounts table.');
  try {
    const reading =
      options.only === undefined
        ? ((await readSorted(files, options)) ?? (await readStaged(files, options)))
        : await readOne(files, options.only, options);
    const all = {
      ...reading,
      tables,
      files: files.map(({ table }) => table),
      ranges: sortedRanges(files, reading.index, { ...options, kept: options.kept?.sorted }),
    };
    return new OpenedExport(all, place, options.signal);
  } catch (error) {
    if (error instanceof ExportBroken) return { problems: [error.problem] };
    const refusal = externalSortRefusal(error);
    if (!(refusal instanceof DatabaseRefused)) throw error;
    return { problems: [exportProblem('staging_failed', refusal.message)] };
  }
}

async function dataFiles(root: string): Promise<readonly string[]> {
  const listing = await listExport(root);
  return 'problems' in listing ? [] : listing.files;
}

function under(directory: string | undefined, file: OpenedFile): OpenedFile {
  if (directory === undefined) return file;
  return { ...file, table: { ...file.table, file: nameUnder(directory, file.table.file) } };
}

/** The problem of a mapping's table may be at a cell of the mapping. */
function cellUnder(directory: string | undefined, specs: readonly TableSpec[], problem: Problem): Problem {
  const { cell } = problem;
  const isOfMapping = specs.some(({ origin }) => origin?.file === cell?.file);
  if (directory === undefined || cell === undefined || isOfMapping) return problem;
  return { ...problem, cell: { ...cell, file: nameUnder(directory, cell.file) } };
}

/** The tables of an export's files, each as in its first file. */
export function tablesOf(files: readonly FileTable[]): readonly Table[] {
  return files.filter(({ name }, at) => files.findIndex((file) => file.name === name) === at).map(asTable);
}

function asTable(table: FileTable): Table {
  return withoutReason(withHeaderCell(table));
}

function withHeaderCell(table: FileTable): FileTable {
  const { headerLine } = table;
  if (headerLine === undefined) return table;
  return { ...table, headerCell: (column) => formatOf(table).place(table, headerLine, column) };
}

/** The reason in a rejected row is for people, and is not part of its data. */
function withoutReason(table: FileTable): FileTable {
  const { isFlat, columns } = table;
  if (!isFlat || columns === undefined) return table;
  return { ...table, columns: columns.filter((name) => name !== rejectedBecause) };
}
