import type { ReadOptions } from '../../places/place.ts';
import type { ZipParts } from '../../zip-file.ts';
import { SheetVisitor, type StoredRow } from './sheet-cells.ts';
import { textOf, XmlParser } from './xml.ts';

/** The rows of a sheet, batch by batch. Throws FileUnreadable, and the signal's reason. */
export async function* storedRows(
  parts: ZipParts,
  part: string,
  options: ReadOptions,
): AsyncGenerator<readonly StoredRow[], void, undefined> {
  const visitor = new SheetVisitor();
  const parser = new XmlParser(part, visitor);
  for await (const piece of textOf(parts, part, options)) {
    parser.write(piece);
    yield visitor.take();
  }
  parser.end();
  yield visitor.take();
}
