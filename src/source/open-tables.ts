import pLimit from 'p-limit';
import type { Problem } from '../domain/problem.ts';
import type { ExportUnreadable, TableSpec } from './export.ts';
import { fileProblem } from './fault.ts';
import { openFile, type OpenedFile, type OpenFileOptions } from './open-file.ts';
import { tableFiles } from './table-files.ts';

/** A table with at least one file, all of them alike. */
export type OpenedTable = readonly [OpenedFile, ...OpenedFile[]];

/** Files of one table that are opened concurrently: a book may have thousands of parts. */
const atOnce = 16;

/** Finds the files of each table and reads their starts; every unreadable table is named. */
export async function openTables(
  root: string,
  specs: readonly TableSpec[],
  files: readonly string[],
  options: OpenFileOptions = {},
): Promise<readonly OpenedTable[] | ExportUnreadable> {
  const opened: OpenedTable[] = [];
  const problems: Problem[] = [];
  for (const spec of specs) {
    const found = tableFiles(spec, files);
    if ('problem' in found) {
      problems.push(found.problem);
      continue;
    }
    const looks = await pLimit(atOnce).map(found, (file) => openFile(root, { ...spec, file }, options));
    problems.push(...looks.flatMap((look) => ('problem' in look ? [look.problem] : [])));
    const [first, ...others] = looks.flatMap((look) => ('problem' in look ? [] : [look]));
    if (first === undefined) continue;
    problems.push(...others.flatMap((other) => unlike(first, other)));
    opened.push([first, ...others]);
  }
  return problems.length > 0 ? { problems } : opened;
}

/** Why two files cannot be parts of one table. */
function unlike({ table: first }: OpenedFile, { table: other }: OpenedFile): Problem[] {
  const problem = (detail: string, column = ''): Problem[] => [
    fileProblem('different_parts', other.file, detail, 1, column),
  ];
  if (first.format !== 'csv' || other.format !== 'csv')
    return first.format === other.format
      ? []
      : problem(`${other.file} and ${first.file} have different formats. Make them separate tables.`);
  const [names, others] = [new Set(first.columns), new Set(other.columns)];
  const missing = first.columns.find((name) => !others.has(name));
  if (missing !== undefined)
    return problem(
      `${other.file} has no column '${missing}', but ${first.file} has. Give both the same header.`,
      missing,
    );
  const added = other.columns.find((name) => !names.has(name));
  return added === undefined
    ? []
    : problem(
        `${other.file} has a column '${added}', but ${first.file} has not. Give both the same header.`,
        added,
      );
}
