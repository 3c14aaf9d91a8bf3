import { stringify } from 'csv-stringify/sync';
import { extname } from 'node:path';
import type { Problem } from '../domain/problem.ts';
import { DraftFile, type FileRefused } from './draft-file.ts';
import { problemRecord } from './json-records.ts';

interface Format {
  readonly header: string;
  readonly line: (problem: Problem) => string;
}

const columns = ['account', 'step', 'code', 'path', 'detail', 'severity', 'file', 'line', 'column'];

const formats: ReadonlyMap<string, Format> = new Map([
  ['.csv', { header: `${columns.join(',')}\n`, line: csvLine }],
  ['.ndjson', { header: '', line: (problem) => `${JSON.stringify(problemRecord(problem))}\n` }],
]);

/** A spreadsheet takes a cell that starts with = + - @, tab or CR for a formula: an apostrophe before it prevents that. */
function csvLine(problem: Problem): string {
  return stringify([problemRecord(problem)], { columns, escape_formulas: true });
}

/** Every problem of a command in a file, CSV or NDJSON by its ending. */
export class ProblemFile {
  readonly #file: DraftFile;
  readonly #format: Format;

  private constructor(file: DraftFile, format: Format) {
    this.#file = file;
    this.#format = format;
    file.add(format.header);
  }

  /** `path` is absolute. */
  static open(path: string): ProblemFile | FileRefused {
    const format = formats.get(extname(path).toLowerCase());
    if (format === undefined)
      return { refusal: `${path} has another ending than .csv or .ndjson. Name a file with one of the two.` };
    const file = DraftFile.open(path);
    return file instanceof DraftFile ? new ProblemFile(file, format) : file;
  }

  add(problem: Problem): void {
    this.#file.add(this.#format.line(problem));
  }

  /** Ends the file and gives it its name; gives what kept it from that, with the remedy. */
  complete(): string | undefined {
    return this.#file.complete();
  }

  /** Takes the file away where it was not completed; safe to call after `complete`. */
  close(): void {
    this.#file.close();
  }
}
