import { stringifyJson, type JsonObject } from './json.ts';

/**
 * What a terminal would act on or hide instead of showing: control characters (escape sequences begin with one), marks
 * that change the direction of text or break lines, and characters without a width (zero-width, soft hyphen, tags). A
 * selector of a variant of the character before it belongs to names and to emoji.
 */
const active =
  // eslint-disable-next-line no-control-regex -- these are the characters to be found
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|(?!(?<=[\p{Script=Han}\p{Extended_Pictographic}])\p{VS})\p{DI}/gu;

const named = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Nothing that is read or copied is longer without a blank; beyond it, this much of its beginning is shown. */
const longest = 600;
const shownOfLong = 80;

/**
 * A text from outside, as a person may see it: what a terminal would act on or hide is shown as an escape such as
 * `\u001b` or `\u{e0041}`; of a stretch of more than 600 characters without a blank, the first 80 and its length. What
 * closes a bracket or a sentence after it stays.
 */
export function shownText(text: string): string {
  return visibleText(text).replace(overlong, shortened);
}

/** The same at its whole length: for a file that is read by programs or by a spreadsheet. */
export function visibleText(text: string): string {
  return text.replace(active, (character) => named.get(character) ?? escaped(character));
}

const overlong = new RegExp(`[^ ]{${longest + 1},}`, 'g');

function shortened(stretch: string): string {
  const [closing = ''] = /[)\]}"'.,;:]{0,4}$/.exec(stretch) ?? [];
  const characters = Array.from(stretch.slice(0, stretch.length - closing.length));
  return `${characters.slice(0, shownOfLong).join('')}... (${characters.length.toLocaleString('en')} characters)${closing}`;
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16).padStart(4, '0');
  return code > 0xffff ? `\\u{${digits}}` : `\\u${digits}`;
}

/** One line of JSON that is safe for a terminal: JSON itself leaves some of these characters unescaped. */
export function jsonLine(value: object): string {
  return safeJson(stringifyJson(value as JsonObject));
}

/** JSON with the escapes of JSON for what a terminal would act on or hide: it is read as the same value. */
export function safeJson(json: string): string {
  return json.replace(active, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
