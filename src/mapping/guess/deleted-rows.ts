import { oneLine, quoted } from './mapping-lines.ts';
import { wordsOf } from './name-words.ts';
import type { GuessedColumn, GuessedTable } from './guessed-table.ts';

/** Words for a row that counts as deleted, at the beginning of a word of a column's name. */
const deletedWord =
  /^(?:delet|isdelet|geloesch|gelösch|loesch|lösch|supprim|effac|storn|annul|void$|voided|borrad|eliminad|eliminat|anulad|apagad|cancelad|cancellat|excluid|verwijder|usuni|skasowan|remov|purg|archiv)/;
/** Texts that say no. */
const isNot = /^(?:0|n|no|non|nein|nee|nie|f|false|-)$/i;
/** More different texts say something else. */
const mostMarks = 4;

/** For each column that may mark rows as deleted, how a mapping leaves these out, for a comment. */
export function deletedRows({ name, sample, columns }: GuessedTable): string[] {
  const label = sample.label ?? sample.sheet ?? sample.file;
  return columns.flatMap((column) => {
    // An account whose person is deleted may count as deleted; a payment whose desk is not.
    const isOwn = column.origin === label || name === 'accounts';
    if (!isOwn || !wordsOf(column.name).some((word) => deletedWord.test(word))) return [];
    const condition = conditionOf(column);
    return condition === undefined
      ? []
      : [
          `${oneLine(column.name)} may mark deleted rows. To leave these out: ignore: { ${quoted(column.name)}: ${condition} }`,
        ];
  });
}

function conditionOf({ guess, texts }: GuessedColumn): string | undefined {
  const filled = [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '');
  if (guess.kind === 'date' || guess.kind === 'datetime') return "{ not: '' }";
  const marks = filled.filter((text) => !isNot.test(text));
  if (filled.length === 0 || filled.length > mostMarks) return undefined;
  // Where all rows that were read say no, the other text is not known.
  if (marks.length === 0) return `{ not: [${[...filled, ''].map((text) => quoted(text)).join(', ')}] }`;
  return marks.length === 1 ? quoted(marks.join('')) : `[${marks.map((text) => quoted(text)).join(', ')}]`;
}
