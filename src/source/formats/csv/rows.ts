import { lookalikeNumber } from '../../account-numbers.ts';
import { repeatedHeader } from '../../repeated-header.ts';
import { encodingRemedy, keyOf, nothingOfKey } from '../../table.ts';
import { parseCsv, plainCell } from './parsing.ts';
import { joinedHeader, numbersOfJoinedRows } from './joined-rows.ts';
import { longestRow, type CsvRecord, type CsvTable } from './dialect.ts';
import { endsWithLineEnd, lastLineEnd, lineEndsIn, lineEndsInText, nextLine } from '../../physical-lines.ts';
import { cutOffIn, type BadRow, type Cells, type Row, type UnreadableValue } from '../../row.ts';
import type { TextBlock } from '../../text-block.ts';
import { firstWithin } from '../../text-blocks.ts';
import type { RowOptions } from '../format.ts';

/** Reads the rows after the header, in batches. Rows with only blank cells are skipped. */
export async function* readCsvRows(
  blocks: AsyncIterable<TextBlock>,
  table: CsvTable,
  { isForKeys, fromLine }: RowOptions,
): AsyncGenerator<readonly Row[], void, undefined> {
  const reader = new CsvReader(table, isForKeys === true, fromLine);
  for await (const block of blocks) for (const part of partsOf(block)) yield reader.take(part);
  yield reader.finish();
}

/** Bytes whose rows are released before the garbage collector moves them. */
const partSize = 8 * 1024;

/** Cuts a block after line feeds. */
function* partsOf(block: TextBlock): Generator<TextBlock, void, undefined> {
  const { bytes, invalid } = block;
  let at = 0;
  while (invalid.length === 0 && bytes.length - at > partSize) {
    const end = bytes.lastIndexOf('\n', at + partSize - 1) + 1;
    if (end <= at) break;
    yield { bytes: bytes.subarray(at, end), invalid };
    at = end;
  }
  yield at === 0 ? block : { bytes: bytes.subarray(at), invalid };
}

class CsvReader {
  readonly #table: CsvTable;
  readonly #keyCell: number;
  readonly #key: (text: string) => string;
  /** The only cell that most rows are asked for; undefined: all cells are. */
  readonly #onlyCell: number | undefined;
  /** The text that was not read yet, with its position and line. */
  #window: Buffer = Buffer.alloc(0);
  #at = 0;
  #line = 1;
  /** Blocks after the window without a line end: joining each would copy a long row again and again. */
  #pending: Buffer[] = [];
  #pendingLength = 0;
  /** Positions in the window of the characters that replace invalid bytes. */
  #invalid: number[] = [];
  #isAtHeader: boolean;
  #headerIsRead = false;
  /** Until the second row is read: the line of the header, and how many cells the first row has. */
  #header: { readonly line: number; cells?: number } | undefined;
  /** Within a row that is too long and has not ended. */
  #skipping = false;
  /**
   * Bytes to parse at once: few after a row that cannot be parsed, so that the rest is not parsed again for each such
   * row.
   */
  #reach = Infinity;
  /** The window size at which an open quote is examined again. */
  #enough = 0;
  #rows: Row[] = [];
  /** Rows that may hold several records. */
  #joinedRows = 0;
  /** Whether this is the end of the file, without a line end. */
  #endsOpen = false;

  constructor(table: CsvTable, isForKeys: boolean, fromLine: number | undefined) {
    this.#table = table;
    this.#keyCell = table.columns.indexOf(table.key);
    this.#onlyCell = isForKeys ? this.#keyCell : undefined;
    this.#key = keyOf(table);
    this.#isAtHeader = table.headerLine === 1;
    this.#headerIsRead = table.isNamed === true;
    if (fromLine !== undefined) {
      [this.#line, this.#isAtHeader, this.#headerIsRead] = [fromLine, true, true];
      return;
    }
    for (const line of table.rowsAbove ?? []) this.#rows.push({ ...rowAbove, line, column: table.key });
  }

  take(block: TextBlock): readonly Row[] {
    for (const at of block.invalid) this.#invalid.push(this.#window.length + this.#pendingLength + at);
    this.#pending.push(block.bytes);
    this.#pendingLength += block.bytes.length;
    const isRowOpen = lastLineEnd(block.bytes) === 0 && this.#pendingLength <= longestRow;
    if (isRowOpen || this.#window.length + this.#pendingLength < this.#enough) return [];
    this.#join();
    return this.#read(lastLineEnd(this.#window), false);
  }

  finish(): readonly Row[] {
    this.#join();
    this.#endsOpen = !endsWithLineEnd(this.#window);
    return this.#read(this.#window.length, true);
  }

  /** The end of the line up to which is parsed at once. */
  #stopBefore(end: number): number {
    if (this.#reach === Infinity || this.#at + this.#reach >= end) return end;
    return Math.min(nextLine(this.#window, this.#at + this.#reach) ?? end, end);
  }

  #join(): void {
    this.#window =
      this.#window.length === 0 && this.#pending.length === 1
        ? (this.#pending[0] ?? this.#window)
        : Buffer.concat([this.#window, ...this.#pending]);
    this.#pending = [];
    this.#pendingLength = 0;
  }

  #read(end: number, last: boolean): readonly Row[] {
    const above = this.#isAtHeader ? [] : this.#rows;
    if (!this.#isAtHeader && !this.#skipToHeader(last)) return [];
    this.#rows = [...above];
    if (this.#skipping) this.#skipLine();
    if (end <= this.#at && this.#window.length - this.#at > longestRow) this.#tooLong();
    while (this.#at < end && !this.#skipping) {
      const base = this.#at;
      const stop = this.#stopBefore(end);
      const { records, wrong } = parseCsv(
        this.#window.subarray(base, stop),
        this.#table,
        Infinity,
        this.#onlyCell,
      );
      let isWhole = true;
      for (const record of records) {
        isWhole = this.#record(record, base);
        if (!isWhole) break;
      }
      if (!isWhole) continue;
      this.#advance(wrong === undefined ? stop : base + wrong.start);
      if (stop < end && wrong?.isOpen !== false) {
        this.#reach *= 2;
        continue;
      }
      if (wrong === undefined) break;
      if (wrong.isOpen && !last && this.#window.length - this.#at <= longestRow) {
        this.#enough = 2 * (this.#window.length - this.#at);
        break;
      }
      if (this.#lineEnd() - this.#at > longestRow) this.#tooLong();
      else this.#badlyQuoted(wrong.cell, base + wrong.at, wrong.isOpen);
    }
    this.#window = this.#window.subarray(this.#at);
    this.#invalid = this.#invalid.flatMap((position) => (position < this.#at ? [] : [position - this.#at]));
    this.#at = 0;
    return this.#rows;
  }

  /** Adds a record, whose positions are relative to `base`; false if reading must continue from within it. */
  #record({ cells, start, end, lines }: CsvRecord, base: number): boolean {
    this.#advance(base + start);
    const account = this.#accountOf(cells);
    if (account === '' && isBlank(cells)) {
      // A row of nothing.
    } else if (!this.#headerIsRead) {
      this.#headerIsRead = true;
      this.#header = { line: this.#line };
    } else if (cells.length !== this.#table.columns.length && lines > 1 && this.#swallowedRows(base + end)) {
      const open = [...cells].findIndex((cell) => lineEndsInText(cell) > 0);
      this.#badlyQuoted(open, this.#at);
      return false;
    } else {
      const row = this.#checked(cells, account, base + end);
      this.#checkHeader(cells.length);
      const isCut = cells.length < this.#table.columns.length && this.#isLast(base + end);
      this.#rows.push(...(isCut ? cutOffIn(row) : [row]));
    }
    this.#line += lines;
    this.#at = base + end;
    return true;
  }

  /** Of the first two rows: a single one may have too few cells. */
  #checkHeader(cells: number): void {
    if (this.#header === undefined) return;
    const { line, cells: first } = this.#header;
    if (first === undefined) {
      this.#header.cells = cells;
      return;
    }
    if (first === cells) this.#rows.push(...joinedHeader(cells, this.#table.columns, line));
    this.#header = undefined;
  }

  /** '' if it is blank. */
  #accountOf(cells: Cells): string {
    const cell = cells.at(this.#keyCell) ?? '';
    const trimmed = cell.trim();
    return trimmed === '' ? '' : this.#key(this.#table.trim === true ? trimmed : cell);
  }

  #checked(cells: Cells, account: string, to: number): Row {
    const { columns, key, ignore } = this.#table;
    const line = this.#line;
    const header = repeatedHeader(cells, cells.at(this.#keyCell) ?? '', line, this.#table);
    if (header !== undefined) return header;
    const kept = ignore === undefined ? {} : { cells };
    if (cells.length !== columns.length)
      return { ...this.#wrongLength(cells, account, line), ...(cells.length < columns.length ? kept : {}) };
    const unreadable = this.#damagedCells(cells, to);
    const [damaged] = unreadable;
    if (damaged !== undefined && known(account) === undefined) return { ...damaged, first: line };
    if (account === '' && (cells.at(this.#keyCell) ?? '').trim() !== '')
      return { line, column: key, ...nothingOfKey, ...kept };
    if (account === '')
      return {
        line,
        column: key,
        code: 'missing_account_number',
        detail: 'The row has no account number. Fill it in, or remove the row.',
        ...kept,
      };
    const lookalike = lookalikeNumber(account);
    if (lookalike !== undefined) return { line, column: key, ...lookalike, ...kept };
    const row = { line, account, body: cells };
    return damaged === undefined ? row : { ...row, unreadable };
  }

  #wrongLength(cells: Cells, account: string, line: number): BadRow {
    const { columns } = this.#table;
    const isLong = cells.length > columns.length;
    return {
      line,
      column: columns[Math.min(cells.length, columns.length - 1)] ?? '',
      code: 'wrong_number_of_cells',
      detail:
        `The row has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} and the header has ${columns.length}.` +
        (isLong ? longRemedy : ' Add what is missing.'),
      ...this.#accounts(account, isLong ? [...cells] : []),
    };
  }

  /** The accounts of a row that cannot be read, which may hold several records. */
  #accounts(account: string | undefined, cells: readonly string[]): Pick<BadRow, 'account' | 'mayBeOf'> {
    if (cells.length <= this.#table.columns.length) return { account: known(account) };
    const mayBeOf = numbersOfJoinedRows(cells, this.#table)
      .map(this.#key)
      .filter((one) => one !== account);
    if (mayBeOf.length === 0) return { account: known(account) };
    this.#joinedRows += 1;
    // Of too many such rows it is not known which accounts they name.
    return this.#joinedRows > mostJoinedRows ? { account: undefined } : { account: known(account), mayBeOf };
  }

  /** The cells of the current row, which ends before `to`, with a byte that is not in the file's encoding. */
  #damagedCells(cells: Cells, to: number): readonly UnreadableValue[] {
    if (firstWithin(this.#invalid, this.#at, to) === undefined) return [];
    const { columns, encoding } = this.#table;
    let next = this.#window.indexOf(replacement, this.#at);
    return [...cells].flatMap((cell, index) => {
      let wrong: number | undefined;
      // A U+FFFD that the file itself has is no fault.
      for (const _character of cell.matchAll(/\ufffd/g)) {
        wrong ??= firstWithin(this.#invalid, next, next + 1);
        next = this.#window.indexOf(replacement, next + 1);
      }
      if (wrong === undefined) return [];
      return {
        line: this.#line + lineEndsIn(this.#window, this.#at, wrong),
        column: columns[index] ?? '',
        code: 'invalid_encoding',
        detail: `The cell has a byte that is not ${encoding}. ${encodingRemedy(this.#table)}, or correct the cell.`,
      };
    });
  }

  /** Whether a row of several lines with the wrong number of cells contains lines that are rows by themselves. */
  #swallowedRows(to: number): boolean {
    let from = nextLine(this.#window, this.#at) ?? to;
    while (from < to) {
      const next = Math.min(nextLine(this.#window, from) ?? to, to);
      const { records, wrong } = parseCsv(this.#window.subarray(from, next), this.#table);
      if (wrong === undefined && records[0]?.cells.length === this.#table.columns.length) return true;
      from = next;
    }
    return false;
  }

  /** The current row cannot be parsed because of the quote at `at`: reading continues with the line after that. */
  #badlyQuoted(cell: number, at: number, isOpen = false): void {
    const { columns } = this.#table;
    const firstLine = this.#window.toString('utf8', this.#at, this.#lineEnd());
    const line = this.#line + lineEndsIn(this.#window, this.#at, at);
    const first = this.#line;
    this.#advance(at);
    this.#reach = shortReach;
    const row: BadRow = {
      line,
      first,
      column: columns[cell] ?? '',
      code: 'wrong_quoting',
      detail:
        'The quotes do not enclose whole cells. Close the one that opens here, and double quotes within the text.',
      ...this.#accounts(this.#keyIn(firstLine), firstLine.split(this.#table.delimiter)),
    };
    this.#rows.push(...(isOpen && this.#isLast(this.#lineEnd()) ? cutOffIn(row) : [row]));
    this.#skipLine();
  }

  #tooLong(): void {
    const start = this.#window.toString('utf8', this.#at, this.#at + longestRow);
    const cells = start.split(this.#table.delimiter);
    this.#rows.push({
      line: this.#line,
      column: '',
      code: 'record_too_long',
      detail: `The row is longer than ${longestRow / 1024 / 1024} MiB. Shorten it, or remove it.`,
      ...(this.#accounts(this.#keyIn(start), cells).mayBeOf === undefined
        ? { account: known(this.#keyIn(start)) }
        : {}),
    });
    this.#skipLine();
  }

  /** The account number in the text of a row that cannot be parsed. */
  #keyIn(text: string): string | undefined {
    const cell = plainCell(text, this.#table, this.#keyCell);
    return cell === undefined ? undefined : this.#key(cell);
  }

  /** Whether the file ends at `to`, without a line end. */
  #isLast(to: number): boolean {
    return this.#endsOpen && to === this.#window.length;
  }

  #lineEnd(): number {
    return nextLine(this.#window, this.#at) ?? this.#window.length;
  }

  /** Skips the lines above the header; false if it was not reached. */
  #skipToHeader(last: boolean): boolean {
    while (this.#line < this.#table.headerLine) {
      const next = nextLine(this.#window, this.#at);
      // A CR at the end of a block may be the first half of a line end.
      if (next === undefined || (next === this.#window.length && !last)) return false;
      this.#advance(next);
    }
    this.#isAtHeader = true;
    return true;
  }

  #skipLine(): void {
    const next = nextLine(this.#window, this.#at);
    this.#skipping = next === undefined;
    this.#advance(next ?? this.#window.length);
  }

  #advance(to: number): void {
    this.#line += lineEndsIn(this.#window, this.#at, to);
    this.#at = to;
  }
}

const rowAbove = {
  code: 'row_above_header',
  detail: 'The row is above the header, and is not read. Move it below, or remove it.',
  isWarning: true,
} as const;

const longRemedy =
  ' Put quotes around a cell that contains the delimiter, and each row on a line of its own.';

/** How many rows of a file are attributed to accounts although they may hold several records. */
const mostJoinedRows = 10_000;

const shortReach = 64;
const replacement = Buffer.from('\ufffd');

function isBlank(cells: Cells): boolean {
  for (const cell of cells) if (cell.trim() !== '') return false;
  return true;
}

function known(account: string | undefined): string | undefined {
  return account === undefined || account.trim() === '' || account.includes('\ufffd') ? undefined : account;
}
