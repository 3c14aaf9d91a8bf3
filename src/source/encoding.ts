import { isUtf8 } from 'node:buffer';
import { encodingName } from '../domain/text-file.ts';

/** How a file's bytes are decoded. */
export interface Encoding {
  /** WHATWG name, such as `utf-8`. */
  readonly name: string;
  /** Length in bytes of the byte order mark at the file's start. */
  readonly mark: number;
  /** Bytes of the shortest character: 2 for UTF-16, otherwise 1. */
  readonly unit: 1 | 2;
  /** The same text in UTF-8; undefined if a byte is invalid in the encoding. */
  strict(bytes: Buffer): Buffer | undefined;
  /** The same text in UTF-8, with U+FFFD for invalid bytes. */
  lenient(bytes: Buffer): Buffer;
}

/**
 * The encoding of a file that begins with `start`, if the rest is not needed: from its byte order mark, otherwise
 * from the setting, otherwise UTF-16 if one byte of the first character is zero.
 */
export function knownEncoding(start: Buffer, stated: string | undefined): string | undefined {
  const label = markOf(start)[0] ?? stated;
  return label === undefined ? unmarkedUtf16(start) : encodingOf(start, label).name;
}

/**
 * The encoding with this label, for a file that begins with `start`: its byte order mark takes precedence. Throws
 * RangeError for an unknown label.
 */
export function encodingOf(start: Buffer, label: string): Encoding {
  const [marked, mark] = markOf(start);
  const canonical = encodingName(marked ?? label);
  if (canonical === undefined) throw new RangeError(`unknown encoding: ${label}`);
  if (canonical === 'windows-1252')
    return { name: canonical, mark, unit: 1, strict: strictWindows1252, lenient: windows1252 };
  const decoder = new TextDecoder(canonical, { fatal: true, ignoreBOM: true });
  const forgiving = new TextDecoder(canonical, { ignoreBOM: true });
  const decoded = (bytes: Buffer): Buffer | undefined => {
    try {
      return Buffer.from(decoder.decode(bytes));
    } catch {
      return undefined;
    }
  };
  return {
    name: canonical,
    mark,
    unit: canonical.startsWith('utf-16') ? 2 : 1,
    strict: canonical === 'utf-8' ? (bytes) => (isUtf8(bytes) ? bytes : undefined) : decoded,
    lenient: (bytes) => Buffer.from(forgiving.decode(bytes)),
  };
}

function markOf(start: Buffer): [string | undefined, number] {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return ['utf-8', 3];
  if (start[0] === 0xff && start[1] === 0xfe) return ['utf-16le', 2];
  if (start[0] === 0xfe && start[1] === 0xff) return ['utf-16be', 2];
  return [undefined, 0];
}

function unmarkedUtf16(start: Buffer): string | undefined {
  if (start.length < 2 || (start[0] === 0) === (start[1] === 0)) return undefined;
  return start[0] === 0 ? 'utf-16be' : 'utf-16le';
}

/** The characters of windows-1252 in place of U+0080 to U+009F of ISO-8859-1; five are undefined. */
const c1 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';

function strictWindows1252(bytes: Buffer): Buffer | undefined {
  const text = windows1252(bytes);
  // U+FFFD is not a character of windows-1252 itself.
  return text.includes(replacement) ? undefined : text;
}

const replacement = Buffer.from('\ufffd');

/** In several releases of Node, TextDecoder treats windows-1252 as ISO-8859-1 and so loses the euro sign. */
function windows1252(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return Buffer.from(text.replace(/[\u0080-\u009f]/g, (found) => c1.charAt(found.charCodeAt(0) - 0x80)));
}
