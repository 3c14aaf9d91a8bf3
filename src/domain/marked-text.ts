import { isUtf8 } from 'node:buffer';

/**
 * The text of a file that a person wrote: UTF-8, or UTF-16 with a byte order mark, as some editors and shells of Windows save it.
 * Byte order marks are no part of it. undefined if the bytes are neither.
 */
export function markedText(bytes: Buffer): string | undefined {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  if (!isLittle && !isBig) return isUtf8(bytes) ? withoutMarks(bytes.toString('utf8')) : undefined;
  try {
    const decoder = new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be', { fatal: true, ignoreBOM: true });
    return withoutMarks(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

function withoutMarks(text: string): string {
  return text.replace(/^\uFEFF+/, '');
}
