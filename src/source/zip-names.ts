/** Letters of Western languages in the encoding that the format names for a file without a mark (code page 437), from 0x80. */
const western = 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»';
/** What follows these letters: lines, Greek letters and signs, except ß. */
const sharpS = 0xe1;
const marked = 0x800;

/**
 * Letters of Western languages in windows-1252, each between characters of ASCII. East Asian encodings have two such bytes side by
 * side, or one of another range.
 */
const singleLetters = /^(?:[\x20-\x7e]|(?<![\x80-\xff])[À-ÖØ-öø-ÿ](?![\x80-\xff]))*$/u;

/** The name of a part with plain slashes, in NFC, and without `./` before it. */
export function plainName(name: string): string {
  return name
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/+)+/, '')
    .normalize('NFC');
}

/**
 * The text of a name that is not marked as UTF-8; undefined if the format's own encoding fits best. Not all programs mark
 * UTF-8 as such, and East Asian ones write the encoding of their system.
 */
export function unmarkedName(raw: Buffer, flags: number): string | undefined {
  if ((flags & marked) !== 0 || raw.every((byte) => byte < 0x80)) return undefined;
  const utf8 = decoded(raw, 'utf-8');
  if (utf8 !== undefined) return utf8;
  if (raw.every((byte) => byte < 0x80 || byte === sharpS || isLetter(western[byte - 0x80]))) return undefined;
  const windows = raw.toString('latin1');
  if (singleLetters.test(windows)) return windows;
  for (const encoding of ['sjis', 'gb18030', 'euc-kr']) {
    const text = decoded(raw, encoding);
    if (text !== undefined && Array.from(text).every(isOfName)) return text;
  }
  return undefined;
}

function isLetter(character = ''): boolean {
  return /\p{L}/u.test(character);
}

function isOfName(character: string): boolean {
  return /^[\x20-\x7e\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff01-\uff65ー・]$/u.test(
    character,
  );
}

function decoded(raw: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(raw);
  } catch {
    return undefined;
  }
}
