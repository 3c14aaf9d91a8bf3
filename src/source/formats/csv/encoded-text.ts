import { encodingOf } from '../../encoding.ts';
import { rawBytes } from '../../raw-text.ts';

/** Encodings in which a byte below 0x80 may be the second half of a character. */
const twoByte: ReadonlyMap<string, (lead: number) => boolean> = new Map([
  ['shift_jis', (lead) => (lead > 0x80 && lead < 0xa0) || (lead > 0xdf && lead < 0xfd)],
  ...['big5', 'gbk', 'gb18030', 'euc-kr'].map((name): [string, (lead: number) => boolean] => [
    name,
    (lead) => lead > 0x80 && lead < 0xff,
  ]),
]);

/** How many units of a raw text (`rawText`) the character at a position has, as far as a delimiter may be within it. */
export function unitsAt(raw: string, at: number, encoding: string): 1 | 2 {
  return twoByte.get(encoding)?.(raw.charCodeAt(at)) === true && at + 1 < raw.length ? 2 : 1;
}

/** The text of a raw text. */
export function textOfRaw(raw: string, encoding: string): string {
  return encodingOf(Buffer.alloc(0), encoding).lenient(rawBytes(raw, encoding)).toString();
}

/** A text as a raw text of the encoding, with a question mark for each character that it lacks, and for control characters. */
export function rawOfText(text: string, encoding: string): string {
  const shown = text.replaceAll(/[\p{Cc}\p{Surrogate}]/gu, '?');
  if (encoding.startsWith('utf-16')) return shown;
  if (encoding === 'utf-8') return Buffer.from(shown).toString('latin1');
  const units = unitsOf(encoding);
  return shown.replaceAll(/[^\0-\x7f]/gu, (character) => units.get(character) ?? '?');
}

const known = new Map<string, ReadonlyMap<string, string>>();

/** The characters of one or two bytes beyond ASCII, found by decoding each. */
function unitsOf(encoding: string): ReadonlyMap<string, string> {
  const before = known.get(encoding);
  if (before !== undefined) return before;
  const found = encodingOf(Buffer.alloc(0), encoding);
  const units = new Map<string, string>();
  const add = (...bytes: number[]): void => {
    const character = found.strict(Buffer.from(bytes))?.toString();
    if (character === undefined || Array.from(character).length !== 1 || units.has(character)) return;
    units.set(character, Buffer.from(bytes).toString('latin1'));
  };
  for (let lead = 0x80; lead < 0x100; lead += 1) add(lead);
  if (twoByte.has(encoding) || encoding === 'euc-jp')
    for (let lead = 0x81; lead < 0xff; lead += 1)
      for (let trail = 0x40; trail < 0xff; trail += 1) add(lead, trail);
  known.set(encoding, units);
  return units;
}
