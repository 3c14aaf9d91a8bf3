import type { TableFormat } from './export.ts';

/** What the name of a data file says of it. */
export interface FileName {
  /** The name without the ending of a compression. */
  readonly plain: string;
  /** The table that it belongs to: its plain name without the mark of a part. */
  readonly table: string;
  /** Where it is one of several parts of its table: which. */
  readonly part?: number;
  readonly compression?: 'gzip' | 'zstd';
}

const dataFile = /^[^.].*\.(csv|tsv|json|ndjson|jsonl)(\.(gz|zst))?$/i;
/** Old systems give such names to text files with a header, and people to others: data where a mapping says so. */
const textFile = /^[^.].*\.(txt|dat)(\.(gz|zst))?$/i;
const compressionEnding = /\.(gz|zst)$/i;
const partMark = /^(.*?[^-_.])[-_.](?:part[-_.]?)?(\d{1,6})(\.[^.]+)$/i;

/** Whether a directory's file of this name is taken for data. */
export function isDataFile(file: string): boolean {
  return dataFile.test(file);
}

/** Whether a file of this name may be a table of text: read where a mapping names it. */
export function isTextFile(file: string): boolean {
  return textFile.test(file);
}

/** Takes a file's name apart: `accounts-002.csv.gz` is part 2 of `accounts.csv`, compressed by gzip. */
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

/** The tables that these files make up, by name. */
export function tableNames(files: readonly string[]): readonly string[] {
  return [...new Set(files.map((file) => parseFileName(file).table))];
}

/** The format that the name's ending stands for. */
export function formatOf(file: string): TableFormat {
  const plain = file.replace(compressionEnding, '').toLowerCase();
  if (plain.endsWith('.json')) return 'json';
  return /\.(ndjson|jsonl)$/.test(plain) ? 'ndjson' : 'csv';
}
