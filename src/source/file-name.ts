import type { TableFormat } from './export.ts';

/** What a data file's name tells about it. */
export interface FileName {
  /** The name without the extension of a compression. */
  readonly plain: string;
  /** The table that it belongs to: its plain name without the part number. */
  readonly table: string;
  /** The part number, if it is one of several parts of its table. */
  readonly part?: number;
  readonly compression?: 'gzip' | 'zstd';
}

const dataFile = /^[^.].*\.(csv|tsv|json|ndjson|jsonl)(\.(gz|zst))?$/i;
/**
 * Old systems give such names to text files with a header, and people give them to other files: they are data only if
 * a mapping names them.
 */
const textFile = /^[^.].*\.(txt|dat)(\.(gz|zst))?$/i;
const compressionEnding = /\.(gz|zst)$/i;
const partMark = /^(.*?[^-_.])[-_.](?:part[-_.]?)?(\d{1,6})(\.[^.]+)$/i;

/** Whether a directory's file of this name counts as data. */
export function isDataFile(file: string): boolean {
  return dataFile.test(file);
}

/** Whether a file of this name may be a table of text that a mapping names. */
export function isTextFile(file: string): boolean {
  return textFile.test(file);
}

/** Parses a file's name: `accounts-002.csv.gz` is part 2 of `accounts.csv`, compressed by gzip. */
export function parseFileName(file: string): FileName {
  const ending = compressionEnding.exec(file)?.[1]?.toLowerCase();
  const plain = file.replace(compressionEnding, '');
  const [, stem, part, extension] = partMark.exec(plain) ?? [];
  return {
    plain,
    ...(part === undefined ? { table: plain } : { table: `${stem}${extension}`, part: Number(part) }),
    ...(ending === undefined ? {} : { compression: ending === 'gz' ? 'gzip' : 'zstd' }),
  };
}

/** The names of the tables in these files. */
export function tableNames(files: readonly string[]): readonly string[] {
  return [...new Set(files.map((file) => parseFileName(file).table))];
}

/** The format for the name's extension. */
export function formatOf(file: string): TableFormat {
  const plain = file.replace(compressionEnding, '').toLowerCase();
  if (plain.endsWith('.json')) return 'json';
  return /\.(ndjson|jsonl)$/.test(plain) ? 'ndjson' : 'csv';
}
