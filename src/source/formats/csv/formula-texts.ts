import type { CsvDialect } from './dialect.ts';

const [quote, equals, lineFeed, carriageReturn] = [34, 61, 10, 13];

/** Programs write a number as ="0017", so that a spreadsheet keeps its zeros. */
const formula = /^="((?:[^"]|"")*)"$/;

/** The text that a cell holds as a formula, `="0017"`; any other cell as it is. */
export function withoutFormula(cell: string): string {
  if (!cell.startsWith('="')) return cell;
  const [, text] = formula.exec(cell) ?? [];
  return text === undefined ? cell : text.replaceAll('""', '"');
}

interface WithoutFormulas {
  /** No cell begins with `="` without quotes around it. */
  readonly bytes: Buffer;
  /** The texts of parsed cells. */
  readonly texts: (cells: string[]) => string[];
}

/**
 * Turns cells that begin with `="` into quoted ones that begin with a mark, for a parser that does not know such cells. No position
 * changes. undefined if there is none, or each possible mark is in the text.
 */
export function withoutFormulas(
  written: Buffer,
  { delimiter, trim }: CsvDialect,
): WithoutFormulas | undefined {
  if (!written.includes('="')) return undefined;
  const mark = Array.from({ length: 8 }, (_, at) => at + 1).find((byte) => !written.includes(byte));
  if (mark === undefined) return undefined;
  const bytes = Buffer.from(written);
  const separator = Buffer.from(delimiter).at(-1);
  let isCellStart = true;
  let isQuoted = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isQuoted) {
      if (byte === quote && bytes[at + 1] === quote) at += 1;
      else if (byte === quote) isQuoted = false;
    } else if (isCellStart && byte === equals && bytes[at + 1] === quote) {
      bytes[at] = quote;
      bytes[at + 1] = mark;
      at += 1;
      [isCellStart, isQuoted] = [false, true];
    } else if (isCellStart && byte === quote) {
      [isCellStart, isQuoted] = [false, true];
    } else if (!(isCellStart && trim === true && byte === 32)) {
      isCellStart = byte === separator || byte === lineFeed || byte === carriageReturn;
    }
  }
  const sign = String.fromCharCode(mark);
  const textOf = (cell: string): string => (cell.startsWith(sign) ? cell.slice(1) : withoutFormula(cell));
  return { bytes, texts: (cells) => cells.map(textOf) };
}
