import type { TextShape } from '../../domain/text-shape.ts';
import type { ColumnGuess } from './column-guess.ts';
import type { SampledFile } from './table-view.ts';
import type { Way } from './ways.ts';

/** A file of an export with the guesses about it. */
export interface GuessedTable {
  readonly name: string;
  readonly sample: SampledFile;
  /** The column of the account's number, or of the number in the table `via`; absent if none looks like either. */
  readonly key?: string | undefined;
  /** The changes by which the column's texts become account numbers, or those of `via`. */
  readonly keyShape?: TextShape | undefined;
  readonly via?: Via | undefined;
  /** Whether rows of accounts name its rows: one may be of several accounts, or of none. */
  readonly isCatalogue: boolean;
  /** Why its rows are taken to be those of accounts, and how sure that is. */
  readonly reason?: string | undefined;
  /** Ways that are not certain enough to be more than a comment. */
  readonly unsure: readonly UnsureWay[];
  readonly columns: readonly GuessedColumn[];
}

/** A way by which a table's rows may find their accounts. */
export interface UnsureWay extends Pick<GuessedTable, 'key' | 'keyShape' | 'via' | 'isCatalogue'> {
  readonly reason: string;
}

/** The table through which the rows find their account, and its column, changed as the key is. */
export interface Via {
  readonly table: string;
  readonly column: string;
}

export interface GuessedColumn {
  readonly name: string;
  readonly guess: ColumnGuess;
  /** The table and column whose rows this column seems to refer to. */
  readonly refersTo?: { readonly table: string; readonly column: string } | undefined;
  /** What else it may refer to. */
  readonly unsure?: string | undefined;
  /** How it writes countries, if it has any. */
  readonly countryForm?: 'code' | 'name' | undefined;
  /** The countries that were read, if it writes them by two letters. */
  readonly countries?: readonly string[] | undefined;
  /** The texts that were read, one for each row of the table `origin`, which a query joins to others. */
  readonly texts: readonly string[];
  readonly origin: string;
  /** What the database says of it, in place of a guess. */
  readonly note?: string | undefined;
}

/** A table with its way to the accounts, as a mapping names both. */
export type Keyed = Pick<GuessedTable, 'name' | 'sample' | 'key' | 'keyShape' | 'via'> & {
  readonly way: Way;
};
