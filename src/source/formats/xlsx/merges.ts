import type { ReadOptions } from '../../places/place.ts';
import type { ZipParts } from '../../zip-file.ts';
import type { XmlContext } from './namespaces.ts';
import { columnOf } from './sheet-cells.ts';
import { damagedWorkbook, XmlParser } from './xml.ts';

/** Cells that are merged into one, whose value is that of the first; numbers of columns are from 0. */
export interface Merge {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

const most = 100_000;
/** Closes the rows of a sheet; a prefix may be before the name. */
const mark = Buffer.from('sheetData>');
const closing = /<\/((?:[\w.-]+:)?)$/;
/** Longer than the mark with any prefix. */
const overlap = 128;

/** The merged cells of a sheet, by their first row. They come after the rows, which are not parsed for that. */
export async function mergesOf(
  parts: ZipParts,
  part: string,
  options: ReadOptions,
): Promise<readonly Merge[]> {
  const merges: Merge[] = [];
  const visitor = {
    open(name: string, { ref = '' }: Readonly<Record<string, string>>, { parent }: XmlContext) {
      if (name !== 'mergeCell' || parent !== 'mergeCells') return;
      if (merges.length >= most) throw damagedWorkbook('it has too many merged cells');
      const merge = mergeIn(ref);
      if (merge !== undefined) merges.push(merge);
    },
    close: () => undefined,
    text: () => undefined,
  };
  let parser: XmlParser | undefined;
  let decoder = new TextDecoder();
  let held: Buffer = Buffer.alloc(0);
  for await (const block of parts.read(part, options)) {
    const bytes = Buffer.concat([held, block]);
    const { from, prefix } = lastClosing(bytes) ?? { from: 0 };
    if (prefix !== undefined) {
      // A text that holds such a mark is not the end: everything begins again behind the next one.
      merges.length = 0;
      decoder = new TextDecoder();
      parser = new XmlParser(part, visitor);
      parser.write(`<${prefix}worksheet>`);
    }
    const to = Math.max(from, bytes.length - overlap);
    parser?.write(decoder.decode(bytes.subarray(from, to), { stream: true }));
    held = bytes.subarray(to);
  }
  parser?.write(decoder.decode(held));
  return merges.sort((one, other) => one.top - other.top);
}

/** What follows the last mark that closes the rows, and the prefix of its name. */
function lastClosing(bytes: Buffer): { readonly from: number; readonly prefix: string } | undefined {
  for (let at = bytes.lastIndexOf(mark); at > 0; at = bytes.lastIndexOf(mark, at - 1)) {
    const prefix = closing.exec(bytes.toString('latin1', Math.max(0, at - overlap), at))?.[1];
    if (prefix !== undefined) return { from: at + mark.length, prefix };
  }
  return undefined;
}

function mergeIn(reference: string): Merge | undefined {
  const [, left = '', top, right = '', bottom] =
    /^\$?([A-Z]+)\$?(\d+):\$?([A-Z]+)\$?(\d+)$/.exec(reference) ?? [];
  if (top === undefined || bottom === undefined) return undefined;
  return { top: Number(top), bottom: Number(bottom), left: columnOf(left), right: columnOf(right) };
}
