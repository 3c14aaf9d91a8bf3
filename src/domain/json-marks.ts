/** What a JSON text shows before anything is built from it. Of a text that is not JSON the marks mean nothing. */
export interface JsonMarks {
  /** Deepest nesting of objects and arrays. */
  readonly depth: number;
  /** Members of all objects, counted by their colons. */
  readonly members: number;
  /** Whether there may be a number that a float cannot hold: one of more than fifteen digits, or with an exponent. */
  readonly exact: boolean;
}

/**
 * Finds the marks in one pass. Every character of every record and request goes through here, so it is written for
 * speed: strings, of which a text mostly consists, are passed over at once. The codes are, in this order, `"`, `,`, `:`,
 * `0` to `9` and `.`, `{` and `[`, `}` and `]`, `e` and `E`.
 */
export function jsonMarks(text: string): JsonMarks {
  const { length } = text;
  const endOfString = text.includes('\\') ? endOfEscapedString : endOfPlainString;
  let [at, depth, most, members, digits, exact] = [0, 0, 0, 0, 0, false];
  while (at < length) {
    const code = text.charCodeAt(at++);
    if ((code >= 0x30 && code <= 0x39) || code === 0x2e) {
      if (++digits > 15) exact = true;
      continue;
    }
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x3a) members++;
    else if (code === 0x7b || code === 0x5b) most = Math.max(most, ++depth);
    else if (code === 0x7d || code === 0x5d) depth--;
    else if (digits > 0 && (code === 0x65 || code === 0x45)) exact = true;
    digits = 0;
  }
  return { depth: most, members, exact };
}

/** Where the text goes on after a string that begins here. */
function endOfPlainString(text: string, from: number): number {
  const quote = text.indexOf('"', from);
  return quote < 0 ? text.length : quote + 1;
}

/** The same where there are backslashes: a quote behind an odd number of them is within the string. */
function endOfEscapedString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (first > from && text.charCodeAt(first - 1) === 0x5c) first--;
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  return text.length;
}
