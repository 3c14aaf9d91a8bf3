import type { Problem } from '../domain/problem.ts';
import type { TableSpec } from './export.ts';
import { fileProblem, missingFile } from './fault.ts';
import { parseFileName } from './file-name.ts';

/**
 * The files of a table, in reading order, among the data files of the export: the one of its name, plain or
 * compressed; or its numbered parts; or, for a name with a `*`, all that match.
 */
export function tableFiles(
  spec: TableSpec,
  files: readonly string[],
): readonly string[] | { readonly problem: Problem } {
  if (spec.file.includes('*')) return fitting(spec, files);
  // A system may compose letters in a name, and another one decompose them.
  const wanted = spec.file.normalize('NFC');
  const names = files.map((file) => ({ file, ...parseFileName(file.normalize('NFC')) }));
  const whole = names.filter(({ file, plain }) => file.normalize('NFC') === wanted || plain === wanted);
  const parts = names.flatMap(({ file, table, part }) =>
    part === undefined || table !== wanted ? [] : [{ file, part }],
  );
  const [first, second] = [...whole, ...parts];
  // A file that is not listed may still exist.
  if (first === undefined) return [spec.file];
  if (whole.length === 0) return inOrder(spec.file, parts);
  return second === undefined ? [first.file] : ambiguous(first.file, second.file);
}

/** The parts by their numbers, which start at 0 or 1 and have no gap. */
function inOrder(
  table: string,
  parts: readonly { readonly file: string; readonly part: number }[],
): readonly string[] | { readonly problem: Problem } {
  const sorted = [...parts].sort((a, b) => a.part - b.part);
  let next = sorted[0]?.part === 0 ? 0 : 1;
  for (const [at, { file, part }] of sorted.entries()) {
    if (part < next) return ambiguous(sorted[at - 1]?.file ?? '', file);
    if (part > next) return missingPart(table, file, next);
    next += 1;
  }
  return sorted.map(({ file }) => file);
}

function ambiguous(one: string, other: string): { readonly problem: Problem } {
  const detail = `${one} and ${other} contain the same kind of data, or the same part of it. Keep one of them.`;
  return { problem: fileProblem('ambiguous_file', other, detail) };
}

function missingPart(table: string, file: string, part: number): { readonly problem: Problem } {
  const detail = `${file} is a part of ${table}, and part ${part} is missing. Add it, or number the parts without a gap.`;
  return { problem: fileProblem('missing_part', file, detail) };
}

const byNumbers = new Intl.Collator('en', { numeric: true });

function fitting(
  spec: TableSpec,
  files: readonly string[],
): readonly string[] | { readonly problem: Problem } {
  const [start = '', ...rest] = spec.file.normalize('NFC').split('*');
  const end = rest.join('*');
  const found = files.filter((file) => {
    const name = file.normalize('NFC');
    return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
  });
  if (found.length > 0) return found.sort(byNumbers.compare);
  return { problem: missingFile(spec, ' Add one, or correct the pattern.') };
}
