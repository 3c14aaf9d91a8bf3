import { guessColumn, type ColumnGuess } from './column-guess.ts';

/** A data file's first rows. */
export interface SampledFile {
  readonly file: string;
  readonly encoding?: string;
  readonly isEncodingGuess?: true;
  readonly isEncodingOfOthers?: true;
  readonly delimiter?: string;
  readonly sheet?: string;
  readonly columns: readonly string[];
  readonly rows: readonly ReadonlyMap<string, string>[];
}

/** A file of an export with the guesses about it. */
export interface GuessedTable {
  readonly name: string;
  readonly sample: SampledFile;
  /** The column of the account's number; absent if none looks like it. */
  readonly key?: string | undefined;
  readonly columns: readonly GuessedColumn[];
}

export interface GuessedColumn {
  readonly name: string;
  readonly guess: ColumnGuess;
  /** The table and column whose rows this column seems to refer to. */
  readonly refersTo?: { readonly table: string; readonly column: string } | undefined;
}

const accountWords = /account|kund|konto|customer|client|abonn/i;
const keyWords = /(?:nr|no|num|number|nummer|id|key|konto|account)$/i;

/** The tables of an export, the accounts table first; none if no column looks like an account number. */
export function guessTables(samples: readonly SampledFile[]): readonly GuessedTable[] {
  const [best] = samples
    .flatMap((sample) =>
      sample.columns.map((column) => ({ sample, column, score: score(sample, column, samples) })),
    )
    .filter((candidate) => candidate.score > 0)
    .sort((one, other) => other.score - one.score);
  if (best === undefined) return [];
  const numbers = new Set(textsOf(best.sample, best.column));
  const others = samples.filter((sample) => sample !== best.sample);
  const names = new Set(['accounts']);
  const tables = [
    { name: 'accounts', sample: best.sample, key: best.column },
    ...others.map((sample) => {
      const key = keyOf(sample, best.column, numbers);
      return { name: nameOf(sample.sheet ?? sample.file, names), sample, key };
    }),
  ];
  return tables.map((table) => ({
    ...table,
    columns: table.sample.columns.map((name) => {
      const refersTo = name === table.key ? undefined : reference(name, table, tables);
      const guess = guessColumn(textsOf(table.sample, name));
      return { name, guess, refersTo };
    }),
  }));
}

type Keyed = Omit<GuessedTable, 'columns'>;

/** How much a column looks like the account number of the file with one row per account; 0: not at all. */
function score(sample: SampledFile, column: string, samples: readonly SampledFile[]): number {
  const texts = textsOf(sample, column);
  if (texts.length === 0 || texts.includes('') || new Set(texts).size < texts.length) return 0;
  const shared = samples.filter((other) => other !== sample && other.columns.includes(column)).length;
  return (
    shared * 1000 +
    (accountWords.test(sample.sheet ?? sample.file) ? 500 : 0) +
    (keyWords.test(column) ? 300 : 0) +
    (sample.columns[0] === column ? 200 : 0) +
    Math.min(texts.length, 100) +
    sample.columns.length
  );
}

/**
 * The column of a child table that contains account numbers: the one with the same name, otherwise one with the same
 * values.
 */
function keyOf(sample: SampledFile, key: string, numbers: ReadonlySet<string>): string | undefined {
  if (sample.columns.includes(key)) return key;
  return sample.columns.find((column) => {
    const texts = textsOf(sample, column);
    return texts.length > 0 && texts.filter((text) => numbers.has(text)).length * 2 > texts.length;
  });
}

/** The other table that has each of an account's values exactly once, under the same column name. */
function reference(
  column: string,
  table: Keyed,
  tables: readonly Keyed[],
): { readonly table: string; readonly column: string } | undefined {
  const own = new Set(pairs(table, column));
  // The account number joins a row to its account, so it is not another reference.
  const target = tables.slice(1).find((other) => {
    if (other.name === table.name || !other.sample.columns.includes(column)) return false;
    const theirs = pairs(other, column);
    const known = new Set(theirs);
    return (
      known.size === theirs.length &&
      known.size > 0 &&
      own.size > 0 &&
      [...own].every((pair) => known.has(pair))
    );
  });
  return target === undefined ? undefined : { table: target.name, column };
}

/** A column's values, each with its account. */
function pairs({ sample, key }: Keyed, column: string): string[] {
  return sample.rows.flatMap((row) => {
    const text = row.get(column) ?? '';
    return text === '' ? [] : [`${key === undefined ? '' : row.get(key)}\u0000${text}`];
  });
}

function textsOf({ rows }: SampledFile, column: string): string[] {
  return rows.map((row) => row.get(column) ?? '');
}

function nameOf(file: string, taken: Set<string>): string {
  const stem = file
    .toLowerCase()
    .replace(/\..*$/, '')
    .replace(/[^a-z\d]+/g, '_');
  let name = stem === '' ? 'table' : stem;
  while (taken.has(name)) name += '_';
  taken.add(name);
  return name;
}
