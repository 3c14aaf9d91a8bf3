import type { Cells } from '../../row.ts';
import type { CsvDialect, CsvParsing } from './dialect.ts';
import { withoutFormula } from './formula-texts.ts';

const doubleQuote = '"';

/** Parses text whose quotes are another character, as if they were double ones: both are exchanged, and back in the cells. */
export function parseOtherQuote(
  written: Buffer,
  { quote, ...dialect }: CsvDialect & { readonly quote: string },
  parse: (bytes: Buffer, dialect: CsvDialect) => CsvParsing,
): CsvParsing {
  const bytes = Buffer.from(written);
  const [other, double] = [quote.charCodeAt(0), doubleQuote.charCodeAt(0)];
  for (const [at, byte] of bytes.entries())
    if (byte === other) bytes[at] = double;
    else if (byte === double) bytes[at] = other;
  const { escape } = dialect;
  const parsing = parse(bytes, escape === doubleQuote ? { ...dialect, escape: quote } : dialect);
  const texts = (cells: Cells): string[] => [...cells].map((cell) => withoutFormula(exchanged(cell, quote)));
  return {
    ...parsing,
    records: parsing.records.map((record) => ({ ...record, cells: texts(record.cells) })),
  };
}

/** A text in which double quotes and the file's own are exchanged. */
export function exchanged(text: string, quote: string): string {
  if (!text.includes(quote) && !text.includes(doubleQuote)) return text;
  return Array.from(text, (character) => {
    if (character === quote) return doubleQuote;
    return character === doubleQuote ? quote : character;
  }).join('');
}

/** Whether the quotes of a file are another character; '' stands for a file without quotes. */
export function isOtherQuote<Dialect extends CsvDialect>(
  dialect: Dialect,
): dialect is Dialect & { readonly quote: string } {
  return dialect.quote !== undefined && dialect.quote !== '';
}
