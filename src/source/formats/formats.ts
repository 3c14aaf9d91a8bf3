import { parseFileName } from '../file-name.ts';
import { csv } from './csv/csv.ts';
import type { Format } from './format.ts';
import { json } from './json/json.ts';
import { ndjson } from './json/ndjson.ts';
import { parquet } from './parquet/parquet.ts';
import { xlsx } from './xlsx/xlsx.ts';

/** Every format of an export's files. */
const formats: readonly Format[] = [csv, json, ndjson, xlsx, parquet];

/** The format of a table. */
export function formatOf({ format }: { readonly format: string }): Format {
  const found = formats.find(({ name }) => name === format);
  if (found === undefined) throw new Error(`There is no format ${format}.`);
  return found;
}

/** The format of a file, by its name; an unknown extension means a text file with a header. */
export function formatOfFile(file: string): Format {
  const ending = endingOf(file);
  return formats.find(({ endings }) => endings.includes(ending)) ?? csv;
}

/** Whether a directory's file of this name counts as data. Office keeps a lock file (`~$`) beside each file that is open. */
export function isDataFile(file: string): boolean {
  return !/^(?:\.|~\$)/.test(file) && formats.some(({ endings }) => endings.includes(endingOf(file)));
}

/** Whether a file of this name may be a table that a mapping names. */
export function isNamedFile(file: string): boolean {
  return (
    !file.startsWith('.') && formats.some(({ namedEndings = [] }) => namedEndings.includes(endingOf(file)))
  );
}

/** The usual ending of each format. */
export const usualEndings: readonly string[] = formats.map(({ endings: [first = ''] }) => first);

function endingOf(file: string): string {
  return /[^.](\.[^.]+)$/.exec(parseFileName(file).plain)?.[1]?.toLowerCase() ?? '';
}
