import type stringWidth from 'string-width';
import { lazily, load } from '../domain/lazily.ts';

const widthOf = lazily(() => load('string-width') as typeof stringWidth);
const plain = /^[ -~]*$/;

/** The columns of a terminal that a text takes: two for each wide character, none for a combining one or a colour. */
export function textWidth(text: string): number {
  return plain.test(text) ? text.length : widthOf()(text);
}

/** A text with blanks behind it, so that it takes as many columns. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)));
}

/** The start of a text that takes at most so many columns. */
export function cutTo(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let [kept, taken] = ['', 0];
  for (const { segment } of graphemes().segment(text)) {
    taken += textWidth(segment);
    if (taken > columns) break;
    kept += segment;
  }
  return kept;
}

const graphemes = lazily(() => new Intl.Segmenter('und'));
