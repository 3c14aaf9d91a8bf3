import { isAscii, isUtf8 } from 'node:buffer';
import { knownEncoding } from './encoding.ts';
import { CutShort, readBytes } from './file-bytes.ts';
import type { ReadOptions, StoredFile } from './places/place.ts';
import { joined, lastBreak, wholeUtf8 } from './text-blocks.ts';
import { fittingEncodings, type FittingEncoding } from './fitting-encodings.ts';
import { lastLineEnd, lineEndsIn } from './physical-lines.ts';
import { WordLetters, type Example } from './word-letters.ts';

/** The encoding of a file, and how certain it is. */
export interface FoundEncoding {
  /** WHATWG name, such as `utf-8`. */
  readonly name: string;
  /** The bytes suggest it, but do not prove it. */
  readonly isGuess: boolean;
  /** A Central European encoding, or another one, that is as likely. */
  readonly likely?: string | undefined;
  /** A word that the two read differently: nothing decides between them. */
  readonly undecided?: Example | undefined;
  /** Encodings of other scripts that fit the bytes. */
  readonly fitting?: readonly FittingEncoding[] | undefined;
  /** It is another one by the setting, but its first bytes are UTF-8, and not all ASCII. */
  readonly looksLikeUtf8?: true;
}

/**
 * Finds a file's encoding: from its byte order mark, otherwise from the setting, otherwise from all of its bytes,
 * because the first that is not ASCII may be at the very end. A file that is neither UTF-8 nor looks like a Western or
 * Central European single-byte encoding counts as UTF-8 with faults. Throws what readBytes throws.
 */
export async function findEncoding(
  file: StoredFile,
  stated: string | undefined,
  options: ReadOptions = {},
): Promise<FoundEncoding> {
  const start = await startOf(file, options);
  const known = knownEncoding(start, stated);
  if (known !== undefined)
    return { name: known, isGuess: false, ...(looksLikeUtf8(start, known) ? { looksLikeUtf8: true } : {}) };
  const isAllOfUtf8 = await isAllUtf8(file, options);
  const guess = isAllOfUtf8 ? undefined : await singleByteEncoding(file, options);
  if (guess !== undefined) return { ...guess, isGuess: true };
  return {
    name: 'utf-8',
    isGuess: false,
    ...(isAllOfUtf8 ? {} : { fitting: await fittingIn(file, options) }),
  };
}

/** A text of any other encoding but UTF-16 is hardly ever valid UTF-8. */
function looksLikeUtf8(start: Buffer, known: string): boolean {
  if (known.startsWith('utf-')) return false;
  const whole = start.subarray(0, wholeUtf8(start));
  return !isAscii(whole) && isUtf8(whole);
}

/** The encodings of other scripts that fit the first lines beyond ASCII. */
async function fittingIn(file: StoredFile, options: ReadOptions): Promise<readonly FittingEncoding[]> {
  for await (const piece of pieces(file, options)) {
    if (isAscii(piece)) continue;
    const end = lastLineEnd(piece) || piece.length;
    return fittingEncodings(piece.subarray(0, end));
  }
  return [];
}

async function startOf(file: StoredFile, options: ReadOptions): Promise<Buffer> {
  for await (const bytes of readBytes(file, options)) return bytes;
  return Buffer.alloc(0);
}

async function isAllUtf8(file: StoredFile, options: ReadOptions): Promise<boolean> {
  for await (const piece of pieces(file, options)) if (!isUtf8(piece)) return false;
  return true;
}

/** The bytes of a file, cut only between characters, and within a word only if the word is as long as a block. */
async function* pieces(file: StoredFile, options: ReadOptions): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const block of readBytes(file, options)) {
      // A few bytes, or a piece without a place to cut: each byte is copied at most once.
      const bytes = joined(rest, block);
      const cut = lastBreak(block) + rest.length;
      const end = cut > rest.length ? cut : wholeUtf8(bytes);
      rest = bytes.subarray(end);
      yield bytes.subarray(0, end);
    }
  } catch (error) {
    // Reading meets this error again, and reports it.
    if (!(error instanceof CutShort)) throw error;
  }
  yield rest;
}

/** A multi-byte character of UTF-8, or one byte that is not ASCII; each byte is one character here. */
const notAscii = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g;
/** Letters of other scripts are in this range. */
const longRun = /[\x80-\xff]{3,}/g;
/** Undefined in windows-1252, or a symbol within a word that does not occur there; letters in DOS encodings. */
const foreign =
  /[\x81\x8d\x8f\x90\x9d]|[A-Za-z\x80-\xff][\x82\x84\x86-\x89\x8b\x93-\x95\x98\x99\x9b\xa1-\xa3](?=[A-Za-z])/g;
/** The same for windows-1250. */
const foreignIn1250 =
  /[\x81\x83\x88\x90\x98]|[A-Za-z\x80-\xff][\x82\x84\x86\x87\x89\x8b\x93-\x95\x99\x9b\xa1\xa2](?=[A-Za-z])/g;
/** Signs in windows-1252, control characters in ISO-8859-15. */
const controls = /[\x80-\x9f]/;
/** The bytes that differ in ISO-8859-15: ¤¦¨´¸¼½¾ here, €ŠšŽžŒœŸ there. */
const differing = /[\xa4\xa6\xa8\xb4\xb8\xbc-\xbe]/g;
const letter = /[A-Za-z\xc0-\xd6\xd8-\xf6\xf8-\xff]/;

async function singleByteEncoding(
  file: StoredFile,
  options: ReadOptions,
): Promise<Omit<FoundEncoding, 'isGuess'> | undefined> {
  let [utf8, others, inRuns] = [0, 0, 0];
  let [strange, strangeIn1250, hasControls] = [0, 0, false];
  let latin9 = 0;
  const letters = new WordLetters();
  let line = 1;
  for await (const piece of pieces(file, options)) {
    const text = piece.toString('latin1');
    for (const [found] of text.matchAll(notAscii))
      if (found.length > 1) utf8 += 1;
      else others += 1;
    for (const [found] of text.matchAll(longRun)) inRuns += found.length;
    strange += text.match(foreign)?.length ?? 0;
    strangeIn1250 += text.match(foreignIn1250)?.length ?? 0;
    letters.add(text, line);
    line += lineEndsIn(piece, 0, piece.length);
    hasControls ||= controls.test(text);
    for (const { index } of text.matchAll(differing)) latin9 += isLatin9(text, index) ? 1 : -1;
  }
  // Capitals of Polish look like UTF-8 (SPÓŁKA).
  const isCentral = others > 2 * utf8 && others > 10 * strangeIn1250;
  const other = isCentral ? letters.other(hasControls) : undefined;
  if (other?.isClear === true) return { name: other.name };
  if (other?.rival !== undefined) return { name: other.name, likely: other.rival, undecided: other.example };
  // The majority decides: a few bytes in a Western text may look like UTF-8 or be damaged, and a few in UTF-8 too.
  const isWestern = others > 10 * utf8 && 2 * inRuns <= others && others > 10 * strange;
  if (!isWestern) return undefined;
  const name = latin9 > 0 && !hasControls ? 'iso-8859-15' : 'windows-1252';
  const { example } = other ?? {};
  const undecided = example && {
    line: example.line,
    readings: [example.readings[1], example.readings[0]] as const,
  };
  return { name, likely: other?.name, undecided };
}

/** Whether the byte at `at` makes more sense in ISO-8859-15, as a letter or the euro sign, than in windows-1252. */
function isLatin9(text: string, at: number): boolean {
  const [before = '', sign = '', after = ''] = [text[at - 1], text[at], text[at + 1]];
  // The alternative, ¤, is never used.
  if (sign === '\xa4') return true;
  const isWithinWord = letter.test(before) || letter.test(after);
  // The accent ´ is used as an apostrophe: O´Brien.
  if (sign === '\xb4') return !letter.test(before) && letter.test(after);
  // Fractions such as ½ follow digits.
  return isWithinWord && !/\d/.test(before);
}
