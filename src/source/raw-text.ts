/**
 * The bytes of a text file as a string with one character per code unit: UTF-16 unchanged, otherwise one per byte, so
 * that converting back loses nothing. ASCII characters are themselves in every encoding.
 */
export function rawText(bytes: Buffer, encoding: string): string {
  if (encoding === 'utf-16le') return bytes.toString('utf16le');
  if (encoding === 'utf-16be') return swapped(bytes).toString('utf16le');
  return bytes.toString('latin1');
}

export function rawBytes(text: string, encoding: string): Buffer {
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  return Buffer.from(text, 'latin1');
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}

/** Takes a file's text line by line, unchanged, whatever its bytes mean. */
export class RawLines {
  readonly #blocks: AsyncIterator<Buffer>;
  readonly #encoding: string;
  #rest: Buffer = Buffer.alloc(0);
  #window = '';
  #at = 0;
  #line = 1;
  #isEnded = false;

  constructor(blocks: AsyncIterable<Buffer>, encoding: string) {
    this.#blocks = blocks[Symbol.asyncIterator]();
    this.#encoding = encoding;
  }

  /**
   * Everything from the current position up to the start of this line (from 1), or to the end; nothing if the
   * position is past it.
   */
  async upTo(line: number): Promise<string> {
    const pieces: string[] = [];
    await this.#walk(line, (piece) => pieces.push(piece));
    return pieces.join('');
  }

  async skipTo(line: number): Promise<void> {
    await this.#walk(line, () => undefined);
  }

  async close(): Promise<void> {
    await this.#blocks.return?.();
  }

  async #walk(line: number, take: (piece: string) => void): Promise<void> {
    const ends = /\r\n?|\n/g;
    for (;;) {
      const from = this.#at;
      ends.lastIndex = from;
      while (this.#line < line) {
        const end = ends.exec(this.#window);
        // A CR at the very end may be half of a CRLF.
        if (end === null || (ends.lastIndex === this.#window.length && end[0] === '\r' && !this.#isEnded))
          break;
        this.#at = ends.lastIndex;
        this.#line += 1;
      }
      // The rest belongs to the taken text too, so the window does not grow, however long a line is.
      if (this.#line < line && !this.#isEnded)
        this.#at = this.#window.length - (this.#window.endsWith('\r') ? 1 : 0);
      take(this.#window.slice(from, this.#at));
      if (this.#line >= line) return;
      if (this.#isEnded) {
        take(this.#window.slice(this.#at));
        this.#at = this.#window.length;
        return;
      }
      await this.#more();
    }
  }

  async #more(): Promise<void> {
    const next = await this.#blocks.next();
    this.#isEnded = next.done === true;
    const bytes = Buffer.concat([this.#rest, next.done === true ? Buffer.alloc(0) : next.value]);
    const cut = this.#isEnded ? bytes.length : bytes.length - (bytes.length % 2);
    this.#rest = bytes.subarray(cut);
    this.#window = this.#window.slice(this.#at) + rawText(bytes.subarray(0, cut), this.#encoding);
    this.#at = 0;
  }
}
