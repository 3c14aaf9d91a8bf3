import { readFileSync } from 'node:fs';
import { packaged } from '../host/packaged.ts';

/** What each problem code, or cause of a failure, means, in a sentence: the second column of the tables of codes in docs/troubleshooting.md. */
export function codeSentences(): ReadonlyMap<string, string> {
  const sentences = new Map<string, string>();
  let isTableOfCodes = false;
  for (const line of readFileSync(packaged('docs/troubleshooting.md'), 'utf8').split('\n')) {
    const [, codes = '', meaning = ''] = line.split('|');
    if (!line.startsWith('|')) isTableOfCodes = false;
    else if (['Code', 'Cause'].includes(codes.trim())) isTableOfCodes = true;
    else if (isTableOfCodes)
      for (const [, code = ''] of codes.matchAll(/`([^`]+)`/g)) sentences.set(code, plainText(meaning));
  }
  return sentences;
}

function plainText(markdown: string): string {
  // A link that only says where to read more is of no use here.
  const own = markdown.replaceAll(/ \(\[[^\]]+\]\([^)]*\)\)/g, '');
  return own.replaceAll(/\[([^\]]+)\]\([^)]*\)|`/g, '$1').trim();
}
