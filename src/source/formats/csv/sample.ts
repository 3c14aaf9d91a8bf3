import { sampleRows, type Sample } from '../format.ts';
import { delimiters, headerLines, statedDelimiter } from './header.ts';
import { parseCsv } from './parsing.ts';
import { looksHeaderless } from '../../header-data.ts';

interface Look {
  readonly delimiter: string;
  readonly quote?: string;
  readonly columns: readonly string[];
  /** The rows that have as many cells. */
  readonly whole: readonly (readonly string[])[];
  readonly score: number;
}

/** Guesses the delimiter, the header and the first rows from the beginning of a file. */
export function csvSample(bytes: Buffer): Sample {
  const stated = statedDelimiter(bytes);
  const text = bytes.subarray(stated?.end ?? 0);
  const looks = (stated === undefined ? delimiters : [stated.delimiter]).map((delimiter) =>
    lookAt(text, delimiter),
  );
  const best = looks.reduce((one, other) => (other.score > one.score ? other : one));
  const spaced = best.columns.length < 2 ? lookAt(text, ' ') : best;
  // Texts have blanks as well: only rows that are all alike are separated by them.
  const { delimiter, quote, ...found } =
    spaced.whole.length > 0 && spaced.score === spaced.columns.length ? spaced : best;
  const isHeaderless = looksHeaderless(found.columns, found.whole[0]);
  const columns = isHeaderless ? found.columns.map((_cell, at) => `column_${at + 1}`) : found.columns;
  const whole = isHeaderless ? [found.columns, ...found.whole] : found.whole;
  return {
    isFlat: true,
    ...(isHeaderless ? { isHeaderless } : {}),
    ...(quote === undefined ? {} : { quote }),
    delimiter,
    columns,
    rows: whole.map((cells) => new Map(columns.map((name, at) => [name, (cells[at] ?? '').trim()]))),
  };
}

function lookAt(bytes: Buffer, delimiter: string): Look {
  const look = lookWith(bytes, { delimiter });
  return isInSingleQuotes(look) ? lookWith(bytes, { delimiter, quote: "'" }) : look;
}

/** Whether each name of the header is in single quotes. */
function isInSingleQuotes({ columns }: Look): boolean {
  return columns.length > 1 && columns.every((name) => /^'.*'$/.test(name.trim()));
}

function lookWith(bytes: Buffer, dialect: Pick<Look, 'delimiter' | 'quote'>): Look {
  const records = parseCsv(bytes, dialect, sampleRows + headerLines).records.map(({ cells }) => [...cells]);
  const at = headerAmong(records);
  const columns = records[at] ?? [];
  const rows = records.slice(at + 1, at + 1 + sampleRows);
  const whole = rows.filter((cells) => cells.length === columns.length);
  const fit = rows.length === 0 ? 1 : whole.length / rows.length;
  return { ...dialect, columns, whole, score: fit * columns.length };
}

/** The first record that is as wide as most of them, since titles may be above it. */
function headerAmong(records: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [width] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one), [0, 0]);
  const at = records.slice(0, headerLines).findIndex(({ length }) => length === width);
  const isTitled =
    at > 0 && (records[0]?.length ?? 0) < width && (counts.get(width) ?? 0) > records.length / 2;
  return isTitled ? at : 0;
}
