import { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

export interface DecoderPorts {
  readonly data: (chunk: Buffer) => void;
  /** More may be written: `write` said false before. */
  readonly drained: () => void;
  /** The body is complete, or cannot be decoded. */
  readonly ended: (isSound: boolean) => void;
}

/** Decompresses a body while it arrives. */
export class BodyDecoder {
  readonly #stream: Transform;
  readonly #end: (isSound: boolean) => void;
  #isEmpty = true;
  #isOver = false;

  /** `encoding`: the value of a Content-Encoding header. */
  constructor(encoding: string, { data, drained, ended }: DecoderPorts) {
    this.#end = (isSound) => {
      if (!this.#isOver) ended(isSound);
      this.#isOver = true;
    };
    this.#stream = decompression(encoding.trim().toLowerCase())
      .on('data', (chunk: Buffer) => {
        if (!this.#isOver) data(chunk);
      })
      .on('drain', drained)
      .on('error', () => this.#end(false))
      .on('end', () => this.#end(true));
  }

  /** False if the next piece should wait for `drained`. */
  write(chunk: Buffer): boolean {
    this.#isEmpty = false;
    return this.#isOver || this.#stream.write(chunk);
  }

  /** The last piece was written. */
  end(): void {
    if (this.#isOver) return;
    // An answer without a body may have the header.
    if (this.#isEmpty) this.#end(true);
    else this.#stream.end();
  }

  /** Nothing more is wanted: no port is called any more. */
  drop(): void {
    this.#isOver = true;
    this.#stream.destroy();
  }
}

function decompression(encoding: string): Transform {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return new Transform({ transform: (_chunk, _encoding, done) => done(new Error('not known')) });
  }
}

/** Whether a body has to be decoded. */
export function isEncoded(encoding: string | undefined): encoding is string {
  return encoding !== undefined && !/^\s*(identity)?\s*$/i.test(encoding);
}
