/** What a data file's name says about it. */
export interface FileName {
  /** The name without the extension of a compression. */
  readonly plain: string;
  /** The table that it belongs to: its plain name without the part number. */
  readonly table: string;
  /** The part number, if it is one of several parts of its table. */
  readonly part?: number | undefined;
  readonly compression?: 'gzip' | 'zstd' | undefined;
}

const compressions = new Map<string | undefined, FileName['compression']>([
  ['gz', 'gzip'],
  ['zst', 'zstd'],
]);
const compressionEnding = /\.(gz|zst)$/i;
const partMark = /^(.*?[^-_.])[-_.](?:part[-_.]?)?(\d{1,6})(\.[^.]+)$/i;

/** Parses a file's name: `accounts-002.csv.gz` is part 2 of `accounts.csv`, compressed by gzip. */
export function parseFileName(file: string): FileName {
  const ending = compressionEnding.exec(file)?.[1]?.toLowerCase();
  const plain = file.replace(compressionEnding, '');
  const [, stem, part, extension] = partMark.exec(plain) ?? [];
  return {
    plain,
    table: part === undefined ? plain : `${stem}${extension}`,
    part: part === undefined ? undefined : Number(part),
    compression: compressions.get(ending),
  };
}

/** The names of the tables in these files. */
export function tableNames(files: readonly string[]): readonly string[] {
  return [...new Set(files.map((file) => parseFileName(file).table))];
}
