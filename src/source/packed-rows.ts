import { plainRows } from './formats/csv/plain.ts';
import { isLeftOut, type PlacedRow, type Row } from './row.ts';
import { rowMark, rowOfText, rowText } from './row-text.ts';
import type { FileTable } from './table.ts';

/** The rows of an account, as `rowText` writes each, with a `rowMark` between them. */
export interface AccountText {
  readonly account: string;
  readonly text: string;
}

/** The rows of some accounts on their way to another thread. */
export interface PackedRows {
  readonly accounts: readonly string[];
  /** How many of the entries are of each account. */
  readonly counts: readonly number[];
  /** The rows in their order: the index of a file whose next row it is, or rows as text. */
  readonly entries: readonly (number | string)[];
  /** The rows of each file as the file has them, and their lines; absent if there are none. */
  readonly files: readonly (RowsOfFile | undefined)[];
}

interface RowsOfFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly lines: readonly number[];
}

/** Enough that a message costs little beside its rows, and little enough that several of them are in memory. */
const enough = { accounts: 128, bytes: 256 * 1024 };

const lineFeed = new Uint8Array([10]);

/** Packs the rows of accounts, one after another. A row of which only the account was read is not parsed for it. */
export class PackingRows {
  #accounts: string[] = [];
  #counts: number[] = [];
  #entries: (number | string)[] = [];
  #files: ({ parts: Uint8Array[]; length: number; lines: number[] } | undefined)[] = [];
  #bytes = 0;

  add(rows: readonly PlacedRow[]): void {
    const [first] = rows;
    if (first === undefined) return;
    const before = this.#entries.length;
    for (const { file, row } of rows)
      if (!isLeftOut(row)) {
        const bytes = asRead(row);
        if (bytes === undefined) this.#addText(rowText({ ...row, account: first.account }, file));
        else this.#addBytes(file, row.line, bytes);
      }
    this.#end(first.account, before);
  }

  addText({ account, text }: AccountText): void {
    const before = this.#entries.length;
    this.#addText(text);
    this.#end(account, before);
  }

  get isFull(): boolean {
    return this.#accounts.length >= enough.accounts || this.#bytes >= enough.bytes;
  }

  get isEmpty(): boolean {
    return this.#accounts.length === 0;
  }

  /** All that was added since the last time. */
  take(): PackedRows {
    const packed = {
      accounts: this.#accounts,
      counts: this.#counts,
      entries: this.#entries,
      files: Array.from(this.#files, (file) => file && { bytes: joined(file), lines: file.lines }),
    };
    [this.#accounts, this.#counts, this.#entries, this.#files, this.#bytes] = [[], [], [], [], 0];
    return packed;
  }

  #addText(text: string): void {
    this.#entries.push(text);
    this.#bytes += text.length;
  }

  #addBytes(file: number, line: number, bytes: Uint8Array): void {
    const own = (this.#files[file] ??= { parts: [], length: 0, lines: [] });
    own.parts.push(bytes);
    own.length += bytes.length;
    if (bytes.at(-1) !== lineFeed[0]) {
      own.parts.push(lineFeed);
      own.length += 1;
    }
    own.lines.push(line);
    this.#entries.push(file);
    this.#bytes += bytes.length;
  }

  #end(account: string, before: number): void {
    this.#accounts.push(account);
    this.#counts.push(this.#entries.length - before);
  }
}

/** A sound row as its file has it; undefined if more than its cells is known of it. */
function asRead(row: Row): Uint8Array | undefined {
  if (!('body' in row) || typeof row.body === 'string') return undefined;
  if (row.unreadable !== undefined || row.typed !== undefined) return undefined;
  return row.body.asRead?.();
}

/** A buffer of its own: it is transferred to the other thread. */
function joined({ parts, length }: { readonly parts: readonly Uint8Array[]; readonly length: number }) {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The rows of each account again; `files` are those whose rows were packed. */
export function* unpackedRows(
  { accounts, counts, entries, files: packed }: PackedRows,
  files: readonly FileTable[],
): Generator<{ readonly account: string; readonly rows: readonly PlacedRow[] }> {
  const rest = packed.map((rows, file) => rows && rowsOf(rows, files[file]));
  let at = 0;
  for (const [number, account] of accounts.entries()) {
    const rows: PlacedRow[] = [];
    for (const end = at + (counts[number] ?? 0); at < end; at += 1) {
      const entry = entries[at] ?? '';
      if (typeof entry === 'string')
        for (const text of entry.split(rowMark)) rows.push(rowOfText(account, text));
      else {
        const next = rest[entry]?.next();
        if (next?.done !== false) throw new Error('fewer rows were packed than are named');
        rows.push({ account, file: entry, row: { account, ...next.value } });
      }
    }
    yield { account, rows };
  }
}

function* rowsOf({ bytes, lines }: RowsOfFile, table: FileTable | undefined) {
  const all = plainRows(Buffer.from(bytes.buffer), table?.delimiter ?? ',');
  for (const [at, body] of all.entries()) yield { line: lines[at] ?? 0, body };
}
