import { inWords } from './column-guess.ts';
import { oneLine, quoted } from './mapping-lines.ts';
import type { GuessedColumn } from './guessed-table.ts';

/** What is known of a column, for a comment: never a customer's texts. */
export function described({ name, guess, refersTo, unsure, note }: GuessedColumn): string {
  const match =
    refersTo === undefined
      ? ''
      : `; seems to refer to a row of ${refersTo.table}: match: { ${quoted(refersTo.column)}: ${quoted(name)} }`;
  const doubt = unsure === undefined ? '' : `; unsure: ${oneLine(unsure)}`;
  return `${oneLine(name)}: ${note === undefined ? inWords(guess) : oneLine(note)}${match}${doubt}`;
}
