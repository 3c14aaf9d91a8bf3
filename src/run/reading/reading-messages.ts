import { join, resolve } from 'node:path';
import type { Mapping } from '../../mapping/plan.ts';
import { counted } from '../../report/format.ts';
import type { Reporter } from '../../host/environment.ts';
import type { Export, Table } from '../../source/export.ts';
import { formatOf, isDataFile } from '../../source/formats/formats.ts';
import type { ExportListing } from '../../source/list-export.ts';
import type { ReadProgress } from '../../source/reading.ts';
import { tableFiles } from '../../source/table-files.ts';

const megabyte = 1_000_000;
/** Less than this is read before a person could read a progress line. */
const leastShown = 16 * megabyte;

/** More names than these say no more. */
const mostNamed = 6;

/** Shows the progress of reading an export. */
export function readingProgress({ progress }: Reporter): (read: ReadProgress) => void {
  let shown: number | undefined;
  return ({ bytes, totalBytes }) => {
    if (totalBytes < leastShown) return;
    if (shown === undefined) progress.begin(Math.round(totalBytes / megabyte), 'megabyte');
    const done = Math.round(bytes / megabyte);
    // Lower than before if the files turned out not to be sorted, and are read again.
    progress.advance(done - (shown ?? 0));
    shown = done;
  };
}

/** Warns of data files in `directory` that the mapping does not read: their rows would silently be ignored. */
export function tellUnread(
  reporter: Reporter,
  { root, files }: ExportListing,
  { tables, lookups }: Mapping,
  directory: string,
): void {
  const read = new Set(lookups.map(({ file }) => resolve(directory, file)));
  for (const spec of tables) {
    const found = tableFiles(spec, files);
    // Its files are reported with its fault.
    if ('problem' in found) return;
    for (const file of found) read.add(join(root, file));
  }
  // A text file that no mapping names may be anything, such as a letter.
  const unread = files.filter((file) => isDataFile(file) && !read.has(join(root, file)));
  if (unread.length === 0) return;
  reporter.warn(
    `Not read, because the mapping has no table for it: ${shown(unread)}. Add one, or remove the file from the directory.`,
  );
}

/** The same for the sheets of workbooks that are read. */
export function tellUnreadSheets(reporter: Reporter, { files }: Export): void {
  const read = new Set(files.map(({ file, sheet }) => `${file}, sheet ${sheet}`));
  const others = files.flatMap(({ file, otherSheets = [] }) =>
    otherSheets.map((sheet) => `${file}, sheet ${sheet}`),
  );
  const unread = [...new Set(others)].filter((name) => !read.has(name));
  if (unread.length === 0) return;
  reporter.warn(
    `Not read, because the mapping has no table for it: ${unread.slice(0, mostNamed).join('; ')}. Add one, or remove the sheet.`,
  );
}

/** Names the columns that cannot be read. */
export function tellLeftOut(reporter: Reporter, { files }: Export): void {
  for (const { file, leftOut = [] } of files)
    if (leftOut.length > 0)
      reporter.warn(
        `${file}: not read, because they contain lists, records or binary data: ${shown(leftOut)}. If they are needed, write them as columns of plain values.`,
      );
}

/** Warns of files without a record: an incomplete copy looks like empty data. */
export function tellEmpty(reporter: Reporter, { files }: Export): void {
  const empty = files.filter(({ isEmpty }) => isEmpty).map(({ file }) => file);
  if (empty.length === 0) return;
  reporter.warn(
    `Empty, so no records are sent from it: ${shown(empty)}. If that is not intended, export again.`,
  );
}

function shown(files: readonly string[]): string {
  return (files.length > mostNamed ? [...files.slice(0, mostNamed - 1), 'others'] : files).join(', ');
}

/** Prints the findings about the files under --verbose. */
export function tellFound(reporter: Reporter, { files, isSorted }: Export): void {
  for (const file of files) reporter.detail(`${file.file}: ${formatOf(file).described(file)}.`);
  reporter.detail(
    isSorted
      ? 'All files are sorted by account number: they are merged without a temporary file.'
      : 'Not all files are sorted by account number: their rows were sorted in a temporary file.',
  );
}

/** Names the files whose encoding is a guess, or hardly the stated one: if it is wrong, nothing else may show it. */
export function tellGuesses(reporter: Reporter, files: readonly Table[]): void {
  const guessed = files.filter(({ isEncodingGuess }) => isEncodingGuess);
  for (const name of new Set(guessed.map(({ encoding }) => encoding))) {
    const alike = guessed.filter(({ encoding }) => encoding === name).map(({ file }) => file);
    reporter.warn(
      `Not UTF-8, and read as ${name}: ${someOf(alike)}. This is a guess. Check names with accents with migrate explain, ` +
        'and set the encoding with --encoding or in the mapping.',
    );
  }
  const stated = files.filter(({ looksLikeUtf8 }) => looksLikeUtf8);
  for (const name of new Set(stated.map(({ encoding }) => encoding)))
    reporter.warn(
      `Read as ${name}, as stated, but it looks like UTF-8: ${someOf(stated.filter(({ encoding }) => encoding === name).map(({ file }) => file))}. ` +
        'Check names with accents with migrate explain, and set encoding: utf-8 for this table in the mapping.',
    );
}

function someOf(files: readonly string[]): string {
  const more = files.length > 3 ? ` and ${counted(files.length - 3, 'other file')}` : '';
  return `${files.slice(0, 3).join(', ')}${more}`;
}
