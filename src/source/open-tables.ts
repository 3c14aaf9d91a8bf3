import pLimit from 'p-limit';
import { lazily } from '../domain/lazily.ts';
import { meantRemedy, nearest, spelledAs } from '../domain/nearest.ts';
import type { Problem } from '../domain/problem.ts';
import type { ExportUnreadable, TableSpec } from './export.ts';
import { exportProblem, fileProblem, missingFile, unreadableFile } from './fault.ts';
import { tableNames } from './file-name.ts';
import { filesElsewhere, remedyElsewhere, type FilesElsewhere } from './files-elsewhere.ts';
import { findEncoding } from './find-encoding.ts';
import { formatOfFile } from './formats/formats.ts';
import type { Place } from './places/place.ts';
import { tableFiles } from './table-files.ts';
import type { OpenedFile } from './table.ts';

/** A table with at least one file, all of them alike. */
export type OpenedTable = readonly [OpenedFile, ...OpenedFile[]];

/** Files of one table that are opened concurrently: a book may have thousands of parts. */
const atOnce = 16;

/** Finds the files of each table in a place and reads their starts; every unreadable table is named. */
export async function openTables(
  place: Place,
  specs: readonly TableSpec[],
  files: readonly string[],
  options: OpenFileOptions = {},
): Promise<readonly OpenedTable[] | ExportUnreadable> {
  const elsewhere = lazily(() => filesElsewhere(place));
  const opened: OpenedTable[] = [];
  const problems: Problem[] = [];
  for (const spec of specs) {
    const found = tableFiles(spec, files);
    if ('problem' in found) {
      problems.push(found.problem);
      continue;
    }
    const looks = await pLimit(atOnce).map(found, (file) =>
      openFile(place, { ...spec, file }, { ...options, elsewhere }),
    );
    problems.push(...looks.flatMap((look) => ('problem' in look ? [look.problem] : [])));
    const [first, ...others] = looks.flatMap((look) => ('problem' in look ? [] : [look]));
    if (first === undefined) continue;
    problems.push(...others.flatMap((other) => unlike(first, other)));
    opened.push([first, ...others]);
  }
  const tables = opened.map(([first, ...others]): OpenedTable => {
    const column = linked(first, opened, specs, problems);
    return [column, ...others.map((other) => linked(other, opened, specs, []))];
  });
  return problems.length > 0 ? { problems } : tables;
}

/** Finds the column of another table by which a table's rows find their accounts, as its header spells it. */
function linked(
  file: OpenedFile,
  opened: readonly OpenedTable[],
  specs: readonly TableSpec[],
  problems: Problem[],
): OpenedFile {
  const { table } = file;
  const { via } = table;
  const other = opened.find(
    ([
      {
        table: { name },
      },
    ]) => name === via?.table,
  )?.[0].table;
  if (via === undefined || other?.isFlat !== true) return file;
  const { columns = [] } = other;
  const column = spelledAs(via.column, columns);
  if (column !== undefined) return { ...file, table: { ...table, via: { ...via, column } } };
  const meant = nearest(via.column, columns);
  const remedy = meant === undefined ? `It has: ${columns.join(', ')}.` : `Did you mean ${meant}?`;
  const detail = `${other.file} has no column ${via.column}, through which the rows of ${table.file} find their account. ${remedy}`;
  const origin = specs.find(({ name }) => name === table.name)?.origin;
  problems.push(exportProblem('unknown_column', detail, origin ?? { file: other.file, line: 1, column: '' }));
  return file;
}

/** Why two files cannot be parts of one table. */
function unlike({ table: first }: OpenedFile, { table: other }: OpenedFile): Problem[] {
  const problem = (detail: string, column = ''): Problem[] => [
    fileProblem('different_parts', other.file, detail, 1, column),
  ];
  if (first.format !== other.format)
    return problem(`${other.file} and ${first.file} have different formats. Make them separate tables.`);
  if (!first.isFlat) return [];
  const [names, others] = [new Set(first.columns), new Set(other.columns)];
  const missing = [...names].find((name) => !others.has(name));
  if (missing !== undefined)
    return problem(
      `${other.file} has no column '${missing}', but ${first.file} does. Give both the same header.`,
      missing,
    );
  const added = [...others].find((name) => !names.has(name));
  return added === undefined
    ? []
    : problem(
        `${other.file} has a column '${added}', but ${first.file} does not. Give both the same header.`,
        added,
      );
}

interface OpenFileOptions {
  readonly signal?: AbortSignal | undefined;
  /** Finds encodings, and may remember earlier results. */
  readonly encodings?: { readonly findEncoding: typeof findEncoding } | undefined;
}

/** Reads the start of one file of a table: as much as is needed to detect its features, such as a header. */
async function openFile(
  place: Place,
  spec: TableSpec,
  {
    signal,
    encodings = { findEncoding },
    elsewhere,
  }: OpenFileOptions & { readonly elsewhere: () => Promise<FilesElsewhere> },
): Promise<OpenedFile | { readonly problem: Problem }> {
  try {
    const stored = await place.find(spec.file);
    if (stored === undefined) return { problem: missingFile(spec, await suggestion(place, spec, elsewhere)) };
    const look = await formatOfFile(spec.file).open(spec, {
      stored,
      signal,
      findEncoding: (...asked) => encodings.findEncoding(...asked),
    });
    return 'problem' in look ? look : { table: look, stored };
  } catch (error) {
    return { problem: unreadableFile(error, spec.file) };
  }
}

async function suggestion(
  place: Place,
  spec: TableSpec,
  elsewhere: () => Promise<FilesElsewhere>,
): Promise<string> {
  const files = await place.list().catch(() => []);
  const meant = nearest(spec.file, [...tableNames(files), ...files]);
  if (meant !== undefined) return ` ${meantRemedy(spec.file, meant)}`;
  return ` ${remedyElsewhere(spec.file, await elsewhere()) ?? 'Add it.'}`;
}
