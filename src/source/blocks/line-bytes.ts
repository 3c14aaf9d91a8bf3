import type { RowPlace } from './block.ts';
import { NotByBlocks } from './not-by-blocks.ts';

const lineFeed = 10;
const carriageReturn = 13;

/** Knows where the lines of a file begin, of which some are asked for while the bytes are read. */
export class LineBytes {
  /** The beginnings of lines, from the line `#first` on. */
  #starts: number[];
  #first: number;
  #head = 0;
  #byte: number;
  #endsInReturn = false;
  #endsInFeed = true;

  constructor({ byte, line }: RowPlace) {
    this.#starts = [byte];
    this.#first = line;
    this.#byte = byte;
  }

  /** The place behind what was seen. */
  get end(): RowPlace {
    const line = this.#first + this.#starts.length - this.#head - 1;
    return { byte: this.#byte, line: this.#endsInFeed ? line : line + 1 };
  }

  /** The next bytes. Throws NotByBlocks where one ends with CR alone: the lines of rows are others then. */
  see(block: Buffer): void {
    this.#requireFeeds(block);
    for (let at = block.indexOf(lineFeed); at >= 0; at = block.indexOf(lineFeed, at + 1))
      this.#starts.push(this.#byte + at + 1);
    this.#byte += block.length;
    this.#endsInFeed = block.at(-1) === lineFeed;
  }

  /** Where a line begins; undefined if its beginning was not seen. */
  startOf(line: number): number | undefined {
    return this.#starts[this.#head + line - this.#first];
  }

  // Stryker disable BlockStatement,ConditionalExpression,EqualityOperator: saves memory alone
  /** Lines before this one will not be asked for. */
  forget(line: number): void {
    this.#head += line - this.#first;
    this.#first = line;
    if (this.#head < 4096) return;
    this.#starts = this.#starts.slice(this.#head);
    this.#head = 0;
  }
  // Stryker restore BlockStatement,ConditionalExpression,EqualityOperator

  #requireFeeds(block: Buffer): void {
    if (this.#endsInReturn && block[0] !== lineFeed) throw new NotByBlocks();
    this.#endsInReturn = block.at(-1) === carriageReturn;
    for (let at = block.indexOf(carriageReturn); at >= 0; at = block.indexOf(carriageReturn, at + 1))
      if (at + 1 < block.length && block[at + 1] !== lineFeed) throw new NotByBlocks();
  }
}
