import { guessColumn, type ColumnGuess } from './column-guess.ts';
import {
  accountLikeness,
  isAccountName,
  isKeyName,
  isMeasure,
  isText,
  plainName,
  stemOf,
  tableStem,
} from './name-words.ts';

/** A reference that a database's catalogue declares: columns here, and the columns of a table that they equal. */
export interface ForeignKey {
  readonly columns: readonly string[];
  /** The other table, by the `file` of its sample. */
  readonly table: string;
  readonly references: readonly string[];
}

/** What a database's catalogue says of a table. */
export interface Declared {
  /** Sets of columns that are different in every row, the primary key first. */
  readonly keys: readonly (readonly string[])[];
  readonly foreignKeys: readonly ForeignKey[];
  /** The columns whose type says what they hold, as the guess for them. */
  readonly guesses: ReadonlyMap<string, ColumnGuess>;
  /** For people: the type, and the comment if there is one. */
  readonly notes: ReadonlyMap<string, string>;
  readonly comment?: string | undefined;
  /** Whether it has columns that are no texts, which are not among those of the sample. */
  readonly hasBinary: boolean;
}

/** A data file's first rows. */
export interface SampledFile {
  readonly file: string;
  readonly encoding?: string;
  readonly isEncodingGuess?: true;
  readonly isEncodingOfOthers?: true;
  readonly delimiter?: string;
  readonly quote?: string;
  readonly sheet?: string;
  /** What it is called without its schema, for a table of a database. */
  readonly label?: string;
  readonly columns: readonly string[];
  readonly rows: readonly ReadonlyMap<string, string>[];
  /** Whether the file has no header, so that the mapping has to name its columns. */
  readonly isHeaderless?: boolean;
  /** Whether these are all rows. */
  readonly isWhole?: boolean;
  /** Absent for files. */
  readonly declared?: Declared;
}

/** Of a hundred rows one may be faulty: its number is missing, or that of another row. */
const mostFaulty = 0.01;
/** Texts that stand for yes and no. */
const flag = /^(?:[01tfynjx]|true|false|yes|no|ja|nein|-1)$/i;

/** A column with what its name and its texts say. */
export interface ColumnView {
  readonly name: string;
  readonly texts: readonly string[];
  /** The texts that are not empty. */
  readonly filled: readonly string[];
  readonly distinct: ReadonlySet<string>;
  readonly guess: ColumnGuess;
  /** Whether it is filled and different in nearly every row. */
  readonly isUnique: boolean;
  /** Whether it may refer to a row, or be referred to: amounts, dates and flags never do. */
  readonly mayRefer: boolean;
  readonly isKeyName: boolean;
  readonly plain: string;
  readonly stem: string;
}

/** A sampled table, with what its name and its columns say. Each is worked out once. */
export class TableView {
  readonly sample: SampledFile;
  /** Its file, sheet or name in the database. */
  readonly label: string;
  readonly stem: string;
  readonly columns: readonly ColumnView[];
  readonly likeness: number;
  readonly #byName: ReadonlyMap<string, ColumnView>;

  constructor(sample: SampledFile) {
    this.sample = sample;
    this.label = sample.label ?? sample.sheet ?? sample.file;
    this.stem = tableStem(this.label);
    this.likeness = accountLikeness(this.label);
    this.columns = sample.columns.map((name) => columnView(sample, name));
    this.#byName = new Map(this.columns.map((column) => [column.name, column]));
  }

  column(name: string): ColumnView | undefined {
    return this.#byName.get(name);
  }

  /** Whether a column is the number of the table's own rows, so that it refers to no other. */
  isOwnKey(column: ColumnView): boolean {
    const { declared } = this.sample;
    const foreign = declared?.foreignKeys.some(({ columns }) => columns.includes(column.name)) === true;
    if (foreign) return false;
    const primary = declared?.keys[0];
    if (primary?.length === 1 && primary[0] === column.name) return true;
    if (!column.isUnique) return false;
    const isFirst = column === this.columns[0];
    if (column.stem !== '') return column.stem === this.stem && (column.isKeyName || isFirst);
    return isFirst;
  }
}

function columnView(sample: SampledFile, name: string): ColumnView {
  const texts = sample.rows.map((row) => row.get(name) ?? '');
  const filled = texts.filter((text) => text !== '');
  const distinct = new Set(filled);
  const guess = sample.declared?.guesses.get(name) ?? guessColumn(texts);
  const isUnique =
    sample.declared?.keys.some((key) => key.length === 1 && key[0] === name) === true ||
    (distinct.size > 0 && texts.length - distinct.size <= texts.length * mostFaulty);
  const isNamed = isKeyName(name);
  const isFlag = !isNamed && filled.length > 0 && [...distinct].every((text) => flag.test(text));
  const isOther = ['amount', 'date', 'datetime', 'time of day'].includes(guess.kind);
  const mayRefer =
    !isFlag && !isMeasure(name) && !isText(name) && (!isOther || (guess.kind === 'amount' && isNamed));
  return {
    ...{ name, texts, filled, distinct, guess, isUnique, mayRefer },
    isKeyName: isNamed,
    plain: plainName(name),
    stem: stemOf(name),
  };
}

/** How a column may write countries: by two capital letters, or by name; undefined if it seems to have neither. */
export function countryForm({ filled }: ColumnView): 'code' | 'name' | undefined {
  if (filled.length === 0) return undefined;
  if (filled.every((text) => /^[A-Z]{2}$/.test(text))) return 'code';
  return filled.every((text) => /^\p{L}[\p{L}\p{M} .,'’()&-]*$/u.test(text)) &&
    filled.some(({ length }) => length > 3)
    ? 'name'
    : undefined;
}

/** The two-letter codes of a column that writes countries by these. */
export function countriesIn(column: ColumnView): readonly string[] | undefined {
  return countryForm(column) === 'code' ? [...column.distinct] : undefined;
}

/** Whether a column or its table is named as an account is. */
export function isAccountLike(table: TableView, column: ColumnView): boolean {
  return isAccountName(column.name) || table.likeness > 15;
}
