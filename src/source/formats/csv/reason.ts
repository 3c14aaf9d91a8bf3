import { rejectedBecause } from '../../../domain/shared-codes.ts';
import { withoutLineEnds } from '../../physical-lines.ts';
import { rawOfText, textOfRaw, unitsAt } from './encoded-text.ts';
import type { CsvTable } from './dialect.ts';

/** The CSV header that a file's text begins with, with the column of the reason at its end, if it has none yet. */
export function headerWithReason(start: string, table: CsvTable): string {
  if (table.isNamed === true) return start;
  let isQuoted = false;
  let isWithin = false;
  let number = 0;
  for (const [line, at] of linesOf(start)) {
    number += 1;
    if (number < table.headerLine || (!isWithin && isBlank(line, table))) continue;
    isWithin = true;
    for (const character of line) if (character === quoteOf(table)) isQuoted = !isQuoted;
    if (isQuoted) continue;
    const header = start.slice(0, at + line.length);
    return table.columns.includes(rejectedBecause) ? header : appended(header, table, rejectedBecause);
  }
  return start;
}

/** A row that could not be read, without the lines behind it that hold nothing. */
export function withoutBlankLines(text: string, table: CsvTable): string {
  const lines = [...linesOf(text)];
  let end = lines.length;
  while (end > 1 && isBlank(lines[end - 1]?.[0] ?? '', table)) end -= 1;
  return text.slice(0, lines[end]?.[1] ?? text.length);
}

/** The lines of a text with their line ends, and where they begin. */
function* linesOf(text: string): Generator<[string, number]> {
  for (const { 0: line, index } of text.matchAll(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g)) yield [line, index];
}

/** A line that gives no row; the file's first one may have a byte order mark. */
function isBlank(line: string, table: CsvTable): boolean {
  const text = textOfRaw(line, table.encoding).replace(/^\ufeff+/, '');
  const indented = table.trim === true ? text.trimStart() : text;
  if (table.comment !== undefined && indented.startsWith(table.comment)) return true;
  return text.split(table.delimiter).every((cell) => cell.trim() === '');
}

/** A CSV row with its reason in the column of that name. */
export function rowWithReason(row: string, table: CsvTable, reason: string): string {
  // A column more would have no name: the list of problems has the reason.
  if (table.isNamed === true) return row;
  const cell = plainCell(reason, table);
  const column = table.columns.indexOf(rejectedBecause);
  if (column < 0) return appended(row, table, cell);
  const [from, to] = cellAt(row, table, column);
  return row.slice(0, from) + cell + row.slice(to);
}

function appended(row: string, table: CsvTable, cell: string): string {
  // eslint-disable-next-line no-control-regex -- the end marks of DOS are no part of the last row
  const text = withoutLineEnds(row.replace(/\u001A+[\r\n]*$/, ''));
  const ends = row.slice(text.length).replaceAll('\x1a', '');
  return `${text}${rawDelimiter(table)}${cell}${ends === '' ? '\n' : ends}`;
}

/** The delimiter as it stands among the file's bytes. */
function rawDelimiter({ delimiter, encoding }: CsvTable): string {
  return delimiter < '\x7f' ? delimiter : rawOfText(delimiter, encoding);
}

/** Needs no quotes. */
function plainCell(reason: string, table: CsvTable): string {
  const { delimiter, encoding } = table;
  const quote = quoteOf(table);
  const plain = reason.replaceAll(delimiter, delimiter === ' ' ? '_' : ' ').replaceAll(/["\r\n]/g, "'");
  return rawOfText(quote === '' ? plain : plain.replaceAll(quote, quote === "'" ? '`' : "'"), encoding);
}

function quoteOf({ quote = '"' }: CsvTable): string {
  return quote;
}

/** Where a cell begins and ends; the end of the row where it has fewer cells. */
function cellAt(row: string, table: CsvTable, column: number): readonly [number, number] {
  const delimiter = rawDelimiter(table);
  const end = withoutLineEnds(row).length;
  const quote = quoteOf(table);
  let from = 0;
  let isQuoted = false;
  let cell = 0;
  for (let at = 0; at < end; at += unitsAt(row, at, table.encoding)) {
    if (row[at] === quote) isQuoted = !isQuoted;
    else if (!isQuoted && row.startsWith(delimiter, at)) {
      if (cell === column) return [from, at];
      cell += 1;
      from = at + delimiter.length;
    }
  }
  return cell === column ? [from, end] : [end, end];
}
