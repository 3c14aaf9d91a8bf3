const lineFeed = 10;
const carriageReturn = 13;

/**
 * The number of line ends in `bytes` from `from` up to `to`. LF, CRLF and a single CR each end a line, as in
 * an editor.
 */
export function lineEndsIn(bytes: Buffer, from: number, to: number): number {
  // Every byte of an export is looked at here: the search is native.
  const part = bytes.subarray(from, to);
  let count = 0;
  for (let at = part.indexOf(lineFeed); at >= 0; at = part.indexOf(lineFeed, at + 1)) count += 1;
  for (let at = part.indexOf(carriageReturn); at >= 0; at = part.indexOf(carriageReturn, at + 1))
    if (bytes[from + at + 1] !== lineFeed) count += 1;
  return count;
}

/** The start of the line after the one at `at`; undefined if no line end follows. */
export function nextLine(bytes: Buffer, at: number): number | undefined {
  for (let end = at; end < bytes.length; end += 1) {
    const byte = bytes[end];
    if (byte === lineFeed) return end + 1;
    if (byte === carriageReturn) return bytes[end + 1] === lineFeed ? end + 2 : end + 1;
  }
  return undefined;
}

/** The position after the last line end; 0 where there is none. */
export function lastLineEnd(bytes: Buffer): number {
  return bytes.lastIndexOf(lineFeed) + 1 || bytes.lastIndexOf(carriageReturn) + 1;
}

export function endsWithLineEnd(bytes: Buffer): boolean {
  const last = bytes.at(-1);
  return last === lineFeed || last === carriageReturn;
}

/** The number of line ends in a text. */
export function lineEndsInText(text: string): number {
  // A shortcut: this is called for every quoted cell, and hardly any has a line end.
  if (!text.includes('\n') && !text.includes('\r')) return 0;
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

/** A text without the line ends at its end. */
export function withoutLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1;
  return text.slice(0, end);
}
