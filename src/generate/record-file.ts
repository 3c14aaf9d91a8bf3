import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, numberText, stringifyJson, type JsonObject, type JsonValue } from '../domain/json.ts';
import { valueAt } from '../domain/paths.ts';

/** What surrounds a file's records. */
export interface Frame {
  readonly extension: string;
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

export const ndjson: Frame = { extension: 'ndjson', before: '', between: '\n', after: '\n' };
export const jsonArray: Frame = { extension: 'json', before: '[\n', between: ',\n', after: '\n]\n' };

/** Characters gathered before they are written: large enough to be quick, small enough for many files at once. */
const writeAt = 256 * 1024;

/** A file that is written record by record; memory holds no more than a piece of it. */
export class RecordFile {
  readonly name: string;
  records = 0;
  readonly #handle: FileHandle;
  readonly #frame: Frame;
  #gathered: string;

  private constructor(name: string, handle: FileHandle, frame: Frame) {
    this.name = name;
    this.#handle = handle;
    this.#frame = frame;
    this.#gathered = frame.before;
  }

  /** Creates the file in the directory; rejects with the system's error where it cannot, or where it exists. */
  static async create(directory: string, table: string, frame: Frame): Promise<RecordFile> {
    const name = `${table}.${frame.extension}`;
    return new RecordFile(name, await open(join(directory, name), 'wx'), frame);
  }

  add(record: string): void {
    this.#gathered += this.records === 0 ? record : this.#frame.between + record;
    this.records += 1;
  }

  /** Enough has gathered: write before more is added. */
  get isFull(): boolean {
    return this.#gathered.length >= writeAt;
  }

  /** Writes what is left; a file without records keeps its frame's opening and ending. */
  async finish(): Promise<void> {
    if (this.records > 0 || this.#frame === jsonArray) this.#gathered += this.#frame.after;
    await this.write();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async write(): Promise<void> {
    const text = this.#gathered;
    this.#gathered = '';
    await this.#handle.writeFile(text);
  }
}

export function csv(columns: readonly string[]): Frame {
  return { extension: 'csv', before: `${columns.join(',')}\n`, between: '\n', after: '\n' };
}

/** One row, without its line ending; a column is a dotted path into the record, an absent value an empty cell. */
export function csvRow(record: JsonObject, columns: readonly string[]): string {
  return columns.map((column) => quoted(cellText(at(record, column)))).join(',');
}

/** Most columns are plain names: those need no walk. */
function at(record: JsonObject, column: string): JsonValue | undefined {
  return column.includes('.') ? valueAt(record, column) : record[column];
}

/** An array of plain values is one cell, separated by `|`; an object is written as JSON. */
function cellText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(cellText).join('|');
  if (isJsonObject(value)) return stringifyJson(value);
  return numberText(value) ?? String(value);
}

/** A cell as it is in the file. */
export function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
