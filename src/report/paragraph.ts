import { shownText } from '../domain/foreign-text.ts';
import { textWidth } from './text-width.ts';

const indent = '  ';

/**
 * Folds text into lines that fit the page; a word that is longer than a line, such as a path, stays whole. The lines
 * after the first may have their own margin. What a terminal would execute is made visible.
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
  for (const word of shownText(text).split(' ')) {
    const longer = line === start ? `${start}${word}` : `${line} ${word}`;
    if (textWidth(longer) > columns && line !== start) {
      lines.push(line);
      start = marginBelow;
      line = `${start}${word}`;
    } else line = longer;
  }
  return [...lines, line].join('\n');
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
