import { UnnamedFile } from '../../places/unnamed-file.ts';
import type { Row } from '../../row.ts';

/** The bytes before each batch that say how long it is. */
const lengthBytes = 4;

/** Batches of rows in a temporary file without a name. Throws FileUnreadable if it cannot be written. */
export class SpooledRows {
  readonly #file = UnnamedFile.empty();

  add(batch: readonly Row[]): void {
    const text = JSON.stringify(batch);
    const bytes = Buffer.allocUnsafe(lengthBytes + Buffer.byteLength(text));
    bytes.writeUInt32LE(bytes.length - lengthBytes);
    bytes.write(text, lengthBytes);
    this.#file.append(bytes);
  }

  *batches(): Generator<readonly Row[], void, undefined> {
    const length = Buffer.alloc(lengthBytes);
    for (let at = 0; this.#file.readAt(length, 0, at) === lengthBytes;) {
      const bytes = Buffer.allocUnsafe(length.readUInt32LE());
      this.#file.readAt(bytes, 0, at + lengthBytes);
      at += lengthBytes + bytes.length;
      yield JSON.parse(bytes.toString()) as readonly Row[];
    }
  }

  close(): void {
    this.#file.close();
  }
}
