import { shownText } from '../domain/foreign-text.ts';
import { textWidth } from './text-width.ts';

const indent = '  ';

/** Words; a command between backticks is one, so that it can be copied. */
const wordsIn = /`[^`]+`[^\s`]*|\S+/g;

/**
 * Folds text into lines that fit the page; a word that is longer than a line, such as a path, stays whole, and so does a command
 * between backticks. The lines after the first may have their own margin. What a terminal would execute is made visible.
 */
export function paragraph(
  { columns }: { readonly columns: number },
  text: string,
  margin = indent,
  marginBelow = margin,
): string {
  const lines: string[] = [];
  let start = margin;
  let line = start;
  for (const word of wordsOf(shownText(text))) {
    const longer = line === start ? `${start}${word}` : `${line} ${word}`;
    if (textWidth(longer) > columns && line !== start) {
      lines.push(line);
      start = marginBelow;
      line = `${start}${word}`;
    } else line = longer;
  }
  return [...lines, line].join('\n');
}

/** Without a command, the blanks stay as they are. */
function wordsOf(text: string): readonly string[] {
  return text.includes('`') ? (text.match(wordsIn) ?? ['']) : text.split(' ');
}

/**
 * A message after its mark, such as `error: `: each line in one piece, for programs and `grep`; on a terminal with
 * this many columns (0: none, or unknown) folded between words, with the continuation lines indented.
 */
export function messageText(text: string, columns = 0, mark = ''): string {
  return text
    .split('\n')
    .map((line, at) => {
      const margin = /^ */.exec(line)?.[0] ?? '';
      const first = at === 0 ? `${mark}${margin}` : margin;
      return paragraph(
        { columns: columns || Infinity },
        line.slice(margin.length),
        first,
        `${margin}${indent}`,
      );
    })
    .join('\n');
}
