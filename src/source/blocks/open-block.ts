import type { PrintedAccount } from '../export.ts';
import { isLeftOut, type PlacedRow, type Row } from '../row.ts';
import { joinPrinted, type Block, type BlockPart, type RowPlace } from './block.ts';

/** A block with so many rows ends, however few accounts it has. */
const mostRows = 2_000;

/** A row at which a block ends or begins in a file. */
export interface BlockEnd extends RowPlace {
  /** undefined if the file ends there. */
  readonly account: string | undefined;
  /** The bytes of the row; undefined if they are not known, or the file ends there. */
  readonly ahead: number | undefined;
}

/** A block whose accounts are being read. */
export class OpenBlock {
  readonly account: string;
  readonly from: readonly BlockEnd[];
  readonly #most: number;
  readonly #rows: number[];
  readonly #accounts: number[];
  readonly #printed: PrintedAccount[] = [];
  #groups = 0;
  #all = 0;

  /** `most`: accounts. */
  constructor(account: string, from: readonly BlockEnd[], most: number) {
    this.#most = most;
    this.account = account;
    this.from = from;
    // Stryker disable ArrowFunction: none is as zero
    this.#rows = from.map(() => 0);
    this.#accounts = from.map(() => 0);
    // Stryker restore ArrowFunction
  }

  /** The rows of its next account. */
  add(rows: readonly PlacedRow[]): void {
    this.#groups += 1;
    this.#all += rows.length;
    let before = -1;
    for (const { file } of rows) {
      this.#rows[file] = (this.#rows[file] ?? 0) + 1;
      if (file !== before) this.#accounts[file] = (this.#accounts[file] ?? 0) + 1;
      before = file;
    }
  }

  /** The fingerprint of the account that was added last. */
  print(printed: PrintedAccount): void {
    this.#printed.push(printed);
  }

  /** Whether it should end before the next account. */
  get isFull(): boolean {
    return this.#groups >= this.#most || this.#all >= mostRows;
  }

  /**
   * The block, which ends where these rows begin. `isSound`: its rows have no fault. `digest` makes the fingerprint of its bytes, and
   * of those of the rows at its end.
   */
  closed(
    ends: readonly BlockEnd[],
    isSound: boolean,
    digest: (from: readonly RowPlace[], parts: readonly BlockPart[]) => string | undefined,
  ): Block {
    const parts = this.from.map((from, file): BlockPart => {
      const end = ends[file] ?? from;
      return {
        bytes: end.byte - from.byte,
        lines: end.line - from.line,
        rows: this.#rows[file] ?? 0,
        accounts: this.#accounts[file] ?? 0,
        ahead: end.ahead,
        next: from.account,
      };
    });
    const isPrinted = this.#printed.length === this.#groups;
    const { account } = this;
    return isSound && isPrinted
      ? { account, parts, digest: digest(this.from, parts), printed: joinPrinted(this.#printed) }
      : { account, parts, digest: undefined, printed: '' };
  }
}

/** Whether a row is as its file has it, so that the same bytes give it again. */
export function isSoundRow(row: Row): boolean {
  return 'body' in row && row.unreadable === undefined && row.remarks === undefined && !isLeftOut(row);
}
