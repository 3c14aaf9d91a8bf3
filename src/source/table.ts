import { changeBy } from '../domain/text-shape.ts';
import type { Table, TableSpec } from './export.ts';
import type { StoredFile } from './places/place.ts';

/** A table as in one of its files; a format adds what it found there. */
export interface FileTable extends Table {
  readonly encoding: string;
}

/** A file of a table whose start was read. */
export interface OpenedFile<Read extends FileTable = FileTable> {
  readonly table: Read;
  readonly stored: StoredFile;
}

/** What to do about bytes that are not of a file's encoding. */
export function encodingRemedy({ fitting }: { readonly fitting?: string }): string {
  return fitting === undefined
    ? "Set the file's encoding"
    : `Set the file's encoding: ${fitting} fits its bytes`;
}

type Change = (text: string) => string;

/** Two spellings of one text are the same number: é as one character, or as a letter and its accent. */
const unchanged: Change = (text) => text.normalize('NFC');

/** Makes the key of the text of a table's key column; '' if nothing is left of it. */
export function keyOf({
  keyShape,
  via,
  spellings,
}: Pick<TableSpec, 'keyShape' | 'via' | 'spellings'>): Change {
  const key = composedKey({ keyShape, via });
  // Through another table, the key is no account number.
  if (spellings === undefined || via !== undefined) return key;
  return (text) => {
    const composed = key(text);
    return spellings(composed) ?? composed;
  };
}

function composedKey({ keyShape, via }: { readonly [Name in 'keyShape' | 'via']: TableSpec[Name] }): Change {
  // Otherwise an account number is as the export has it.
  if (keyShape === undefined && via === undefined) return unchanged;
  const change = keyShape === undefined ? unchanged : changeBy(keyShape);
  return (text) => change(text.trim().normalize('NFC'));
}

/** The fault of a cell that its table's key leaves empty. */
export const nothingOfKey = {
  code: 'malformed_account_number',
  detail: "The mapping's key leaves this cell empty. Correct the cell, or the table's key in the mapping.",
};
