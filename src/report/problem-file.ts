import type * as library from 'csv-stringify/sync';
import { lazily, load } from '../domain/lazily.ts';
import { extname } from 'node:path';
import { jsonLine } from '../domain/foreign-text.ts';
import type { Problem } from '../domain/problem.ts';
import { AtomicFile, type FileRefused } from './atomic-file.ts';
import { problemRecord } from './json-records.ts';
import { byteOrderMark, spreadsheetCell, spreadsheetValue } from './csv-lists.ts';

const csvStringify = lazily(() => load('csv-stringify/sync') as typeof library);

interface Format {
  readonly header: string;
  readonly line: (problem: Problem) => string;
}

/** The columns of a CSV of problems. */
export const problemColumns = [
  'account',
  'step',
  'code',
  'path',
  'detail',
  'severity',
  'file',
  'line',
  'column',
  'sheet',
  'cell',
];

/** `values`: with what the cells hold, as the last column or member. */
function formatOf(ending: string, values: boolean): Format | undefined {
  const record = (problem: Problem): object =>
    values ? { ...problemRecord(problem), value: problem.value ?? null } : problemRecord(problem);
  if (ending === '.ndjson') return { header: '', line: (problem) => `${jsonLine(record(problem))}\n` };
  if (ending !== '.csv') return undefined;
  const names = [...problemColumns, ...(values ? ['value'] : [])];
  const line = (problem: Problem): string =>
    csvStringify().stringify([record(problem)], {
      columns: names,
      cast: { string: (text, { column }) => (column === 'value' ? spreadsheetValue : spreadsheetCell)(text) },
    });
  return { header: `${names.join(',')}\n`, line };
}

/** Every problem of a command in a file, CSV or NDJSON by its ending. */
export class ProblemFile {
  readonly #file: AtomicFile;
  readonly #format: Format;

  private constructor(file: AtomicFile, format: Format, bom: boolean) {
    this.#file = file;
    this.#format = format;
    file.add(bom && format.header !== '' ? byteOrderMark + format.header : format.header);
  }

  /** `path` is absolute; `bom`: a CSV begins with a byte order mark. */
  static open(path: string, { values = false, bom = false } = {}): ProblemFile | FileRefused {
    const format = formatOf(extname(path).toLowerCase(), values);
    if (format === undefined)
      return { refusal: `${path} does not end in .csv or .ndjson. Name a file that does.` };
    const file = AtomicFile.open(path);
    return file instanceof AtomicFile ? new ProblemFile(file, format, bom) : file;
  }

  add(problem: Problem): void {
    this.#file.add(this.#format.line(problem));
  }

  /** Ends the file and gives it its name; gives what kept it from that, with the remedy. */
  complete(): string | undefined {
    return this.#file.complete();
  }

  /** Removes the file if it was not completed; safe to call after `complete`. */
  close(): void {
    this.#file.close();
  }
}
