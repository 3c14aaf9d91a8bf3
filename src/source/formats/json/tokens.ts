/** Where something else than white space begins. */
export function afterBlanks(text: string, from: number): number {
  const blanks = /[ \t\r\n]*/y;
  blanks.lastIndex = from;
  blanks.test(text);
  return blanks.lastIndex;
}

/** Where a string that begins at `start` has ended; undefined where it is not closed. */
export function stringEnd(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return undefined;
}
