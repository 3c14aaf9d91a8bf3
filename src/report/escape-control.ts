import { stringifyJson, type JsonObject } from '../domain/json.ts';

/**
 * What a terminal would execute instead of showing: control characters (escape sequences begin with one), and marks
 * that change the direction of text or break lines.
 */
// eslint-disable-next-line no-control-regex -- these are the characters to be found
const active = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const named = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** A text from outside, safe for a terminal: what it would execute is shown as an escape such as `\u001b`. */
export function escapeControl(text: string): string {
  return text.replace(active, (character) => named.get(character) ?? escaped(character));
}

/** One line of JSON that is safe for a terminal: JSON itself leaves some of these characters unescaped. */
export function jsonLine(value: object): string {
  return stringifyJson(value as JsonObject).replace(active, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
