/** Facts about a JSON text that are found without parsing it. They mean nothing for a text that is not JSON. */
export interface JsonMarks {
  /** Deepest nesting of objects and arrays. */
  readonly depth: number;
  /** Members of all objects, counted by their colons. */
  readonly members: number;
  /** Whether the text may contain a number that a float cannot represent: more than fifteen digits, or an exponent. */
  readonly exact: boolean;
}

/**
 * Finds the marks in one pass. Every character of every record and request passes through here, so it is optimised
 * for speed: strings, which are most of a text, are skipped as a whole. The codes are, in this order, `"`, `,`, `:`,
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

/** Where the numbers are, outside of strings, that a float may not represent: long ones, and those with an exponent. */
export function longNumbers(text: string): (readonly [from: number, to: number])[] {
  const found: (readonly [number, number])[] = [];
  const endOfString = text.includes('\\') ? endOfEscapedString : endOfPlainString;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at++);
    if (code === 0x22) at = endOfString(text, at);
    if (!isDigit(code) && code !== 0x2d) continue;
    const from = at - 1;
    let hasExponent = false;
    for (; at < text.length && isOfNumber(text.charCodeAt(at)); at++)
      hasExponent ||= (text.charCodeAt(at) | 0x20) === 0x65;
    if (hasExponent || at - from > 15) found.push([from, at]);
  }
  return found;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** A digit, or one of `.eE+-`. */
function isOfNumber(code: number): boolean {
  return isDigit(code) || code === 0x2e || (code | 0x20) === 0x65 || code === 0x2b || code === 0x2d;
}

/** The position after a string that begins here. */
function endOfPlainString(text: string, from: number): number {
  const quote = text.indexOf('"', from);
  return quote < 0 ? text.length : quote + 1;
}

/** The same with backslashes: a quote after an odd number of them is part of the string. */
function endOfEscapedString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (first > from && text.charCodeAt(first - 1) === 0x5c) first--;
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  return text.length;
}
