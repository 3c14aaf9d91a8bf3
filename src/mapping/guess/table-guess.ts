import { changeBy, type TextShape } from '../../domain/text-shape.ts';
import { guessColumn, type ColumnGuess } from './column-guess.ts';

/** A data file's first rows. */
export interface SampledFile {
  readonly file: string;
  readonly encoding?: string;
  readonly isEncodingGuess?: true;
  readonly isEncodingOfOthers?: true;
  readonly delimiter?: string;
  readonly quote?: string;
  readonly sheet?: string;
  readonly columns: readonly string[];
  readonly rows: readonly ReadonlyMap<string, string>[];
}

/** A file of an export with the guesses about it. */
export interface GuessedTable {
  readonly name: string;
  readonly sample: SampledFile;
  /** The column of the account's number, or of the number in the table `via`; absent if none looks like either. */
  readonly key?: string | undefined;
  /** The changes by which the column's texts become account numbers, or those of `via`. */
  readonly keyShape?: TextShape | undefined;
  readonly via?: Via | undefined;
  readonly columns: readonly GuessedColumn[];
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
}

const accountWords =
  /account|kund|konto|customer|client|klien[tc]|klant|abon[an]|asiakas|odb[eě]rat|odbiorc|z[aá]kazn|ügyf[eé]l|fogyaszt|vev[oő]/i;
const keyWords = /(?:nr|no|num|number|nummer|id|key|konto|account)$/i;

/** The tables of an export, the accounts table first; none if no column looks like an account number. */
export function guessTables(samples: readonly SampledFile[]): readonly GuessedTable[] {
  const candidates = samples.flatMap((sample) =>
    sample.columns.flatMap((column) => candidateOf(sample, column) ?? []),
  );
  const references = referencesIn(samples, candidates);
  const best = accountsIn(samples, candidates, references);
  if (best === undefined) return [];
  const others = samples.filter((sample) => sample !== best.sample);
  const texts = textsOf(best.sample, best.column);
  // If no change of theirs makes the numbers of the accounts table, those are changed too.
  const isWrittenOtherwise = references.some(
    ({ sample, to }) => to === best && keyOf(sample, best.column, texts) === undefined,
  );
  const keyShape = isWrittenOtherwise ? bareDigits : undefined;
  const numbers = keyShape === undefined ? texts : texts.map(changeBy(keyShape));
  const names = new Set(['accounts']);
  const tables = linked(references, [
    { name: 'accounts', sample: best.sample, key: best.column, keyShape },
    ...others.map((sample) => ({
      name: nameOf(sample.sheet ?? sample.file, names),
      sample,
      ...(keyOf(sample, best.column, numbers) ?? sameNamed(sample, best.column, keyShape)),
    })),
  ]);
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

/** A column that is filled and different in nearly every row, so that it may be the account number. */
interface Candidate {
  readonly sample: SampledFile;
  readonly column: string;
  readonly texts: ReadonlySet<string>;
  /** Its digits without leading zeros; none if different texts have the same. */
  readonly digits: ReadonlySet<string>;
}

/** A column whose values are, for the most part, those of a candidate in another table. */
interface Reference {
  readonly sample: SampledFile;
  readonly column: string;
  readonly to: Candidate;
  /** How many rows have such a value. */
  readonly count: number;
  /** The part of the rows: a table of some accounts, such as those with a mandate, has fewer of their numbers than that of all. */
  readonly part: number;
}

interface Scored {
  readonly candidate: Candidate;
  /** How many other tables refer to it, by the name of a column or by its values. */
  readonly references: number;
  readonly score: number;
}

/** Of a table that has a column of the same name, and other values in the rows that were read. */
const leastCovered = 0.5;

/** The account number of the file with one row per account. */
function accountsIn(
  samples: readonly SampledFile[],
  candidates: readonly Candidate[],
  references: readonly Reference[],
): Candidate | undefined {
  const scored = candidates
    .map((candidate): Scored => {
      const { sample, column } = candidate;
      const sharing = samples.filter((other) => other !== sample && other.columns.includes(column));
      const covered = new Map(sharing.map((other) => [other, leastCovered]));
      for (const { to, sample: other, part } of references)
        if (to === candidate) covered.set(other, Math.max(part, covered.get(other) ?? 0));
      const sum = [...covered.values()].reduce((all, part) => all + part, 0);
      return { candidate, references: covered.size, score: sum * 1000 + likeness(candidate) };
    })
    .sort((one, other) => other.score - one.score);
  const [best] = scored;
  return best && (parentOf(best, scored, references) ?? best.candidate);
}

/** Of a hundred rows one may be faulty: its number is missing, or that of another row. */
const mostFaulty = 0.01;

function candidateOf(sample: SampledFile, column: string): Candidate | undefined {
  const all = textsOf(sample, column);
  const texts = new Set(all);
  texts.delete('');
  if (texts.size === 0 || all.length - texts.size > all.length * mostFaulty) return undefined;
  const digits = new Set([...texts].map(bare));
  return { sample, column, texts, digits: digits.size < texts.size ? new Set() : digits };
}

/** How much a column looks like the account number by its name, its table and its place. */
function likeness({ sample, column, texts }: Candidate): number {
  return (
    (accountWords.test(sample.sheet ?? sample.file) ? 500 : 0) +
    (isKeyName(column) ? 300 : 0) +
    (sample.columns[0] === column ? 200 : 0) +
    Math.min(texts.size, 100) +
    sample.columns.length
  );
}

function isKeyName(column: string): boolean {
  return keyWords.test(column) || accountWords.test(column);
}

/** The accounts of which the rows of a table are parts, such as supply points: several rows name one account. */
function parentOf(
  child: Scored,
  scored: readonly Scored[],
  references: readonly Reference[],
): Candidate | undefined {
  const isNamed = ({ candidate: { sample, column } }: Scored): boolean =>
    accountWords.test(sample.sheet ?? sample.file) || accountWords.test(column);
  return scored.find(
    (parent) =>
      (parent.references >= child.references || (isNamed(parent) && !isNamed(child))) &&
      references.some(({ sample, column, to }) => {
        if (to !== parent.candidate || sample !== child.candidate.sample || !isKeyName(column)) return false;
        const texts = textsOf(sample, column);
        return new Set(texts).size < texts.length;
      }),
  )?.candidate;
}

/** Shorter values are the same by chance, such as numbers of rows, unless the names of their columns say what they are. */
const shortestKey = 4;

function referencesIn(
  samples: readonly SampledFile[],
  candidates: readonly Candidate[],
): readonly Reference[] {
  const [byText, byDigits] = [new Map<string, Candidate[]>(), new Map<string, Candidate[]>()];
  const put = (index: Map<string, Candidate[]>, key: string, candidate: Candidate): void => {
    if (key.length >= shortestKey || isKeyName(candidate.column))
      index.set(key, [...(index.get(key) ?? []), candidate]);
  };
  for (const candidate of candidates) {
    for (const text of candidate.texts) put(byText, text, candidate);
    for (const digits of candidate.digits) put(byDigits, digits, candidate);
  }
  return samples.flatMap((sample) =>
    sample.columns.flatMap((column) => {
      const texts = textsOf(sample, column);
      const counts = new Map<Candidate, number>();
      const isNamed = isKeyName(column);
      for (const text of texts) {
        const plain = isNamed || text.length >= shortestKey ? byText.get(text) : undefined;
        // Other numbers may have the same digits, and so may e-mail addresses.
        const alike = isNamed ? byDigits.get(bare(text)) : undefined;
        for (const to of new Set([...(plain ?? []), ...(alike ?? [])]))
          counts.set(to, (counts.get(to) ?? 0) + 1);
      }
      return [...counts].flatMap(([to, count]) =>
        to.sample !== sample && count * 2 > texts.length
          ? [{ sample, column, to, count, part: count / texts.length }]
          : [],
      );
    }),
  );
}

/** Removes what comes before the first digit that is not zero, and then all that is no digit. */
const bareDigits: TextShape = { replace: [{ pattern: '^[^1-9]+', with: '' }], digits: true };

/** The same, many times faster. */
function bare(text: string): string {
  return text.replaceAll(/\D+/g, '').replace(/^0+/, '');
}

type Key = Pick<GuessedTable, 'key' | 'keyShape'>;

/**
 * The column of a child table that contains account numbers: the one with the same name, otherwise one with the same
 * values, written as they are or differently. undefined if no column has them.
 */
function keyOf(sample: SampledFile, key: string, numbers: readonly string[]): Key | undefined {
  const known = new Set(numbers);
  const widths = new Set(numbers.map(({ length }) => length));
  const pad = widths.size === 1 && numbers.every((text) => /^\d+$/.test(text)) ? [...widths][0] : undefined;
  const shapes = [{ digits: true }, bareDigits].flatMap((shape): TextShape[] =>
    pad === undefined ? [shape] : [shape, { ...shape, pad: { width: pad } }],
  );
  const digits = new Set(numbers.map(bare));
  const columns = [...sample.columns].sort((one, other) => Number(other === key) - Number(one === key));
  const found = columns.flatMap((column): (Key & { readonly plain: number; readonly most: number })[] => {
    const texts = textsOf(sample, column);
    const plain = texts.filter((text) => known.has(text)).length;
    const alike = isKeyName(column) ? texts.filter((text) => digits.has(bare(text))) : [];
    let best: { readonly most: number; readonly keyShape?: TextShape } = { most: plain };
    for (const keyShape of alike.length > plain ? shapes : []) {
      const most = alike.filter((text) => known.has(changeBy(keyShape)(text))).length;
      if (most > best.most) best = { most, keyShape };
    }
    return best.most * 2 > texts.length ? [{ key: column, plain, ...best }] : [];
  });
  // A column that has the numbers as they are is more certain than one that resembles them.
  const [resembling] = [...found].sort((one, other) => other.most - one.most);
  const { key: column, keyShape } = found.find(({ plain, most }) => plain * 2 > most) ?? resembling ?? {};
  return column === undefined ? undefined : { key: column, keyShape };
}

/** The column of the same name, whatever it has in the first rows. */
function sameNamed({ columns }: SampledFile, key: string, keyShape: TextShape | undefined): Key {
  return columns.includes(key) ? { key, keyShape } : {};
}

/** The tables, with links to those that name the account, or that are linked to one. */
function linked(references: readonly Reference[], tables: readonly Keyed[]): readonly Keyed[] {
  const result = tables.map((table) =>
    table.key === undefined ? { ...table, ...linkOf(table.sample, tables, references) } : table,
  );
  const found = (all: readonly Keyed[]): number => all.filter(({ key }) => key !== undefined).length;
  return found(result) === found(tables) ? result : linked(references, result);
}

/** The column of a table by whose values a table with a key has one row each; undefined if there is none. */
function linkOf(
  sample: SampledFile,
  tables: readonly Keyed[],
  references: readonly Reference[],
): Pick<Keyed, 'key' | 'keyShape' | 'via'> | undefined {
  const possible = references.flatMap((reference) => {
    const { column, to, count } = reference;
    const parent = tables.find((table) => table.sample === to.sample && table.key !== undefined);
    const texts = textsOf(sample, column);
    const isSame = column === to.column;
    const isLong = texts.filter(({ length }) => length >= shortestKey).length * 2 > texts.length;
    return reference.sample === sample && parent !== undefined && (isSame || isLong)
      ? [{ column, to, parent, texts, rank: 2 * count + Number(isSame) }]
      : [];
  });
  const [best] = possible.sort((one, other) => other.rank - one.rank);
  if (best === undefined) return undefined;
  const { column, to, parent, texts } = best;
  const via = { table: parent.name, column: to.column };
  const keyShape = [undefined, { digits: true }, bareDigits].find((shape) => {
    const change = shape === undefined ? (text: string) => text : changeBy(shape);
    const known = new Set([...to.texts].map(change));
    return texts.filter((text) => known.has(change(text))).length * 2 > texts.length;
  });
  return { key: column, keyShape, via };
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
function pairs({ sample, via, key, keyShape }: Keyed, column: string): string[] {
  const account = keyShape === undefined ? (text: string) => text : changeBy(keyShape);
  const named = via === undefined ? key : undefined;
  return sample.rows.flatMap((row) => {
    const text = row.get(column) ?? '';
    return text === '' ? [] : [`${named === undefined ? '' : account(row.get(named) ?? '')}\u0000${text}`];
  });
}

function textsOf({ rows }: SampledFile, column: string): string[] {
  return rows.map((row) => row.get(column) ?? '');
}

function nameOf(file: string, taken: Set<string>): string {
  const stem = file
    .toLowerCase()
    // A file system may store an accent as a character of its own.
    .normalize('NFC')
    .replace(/\..*$/, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_');
  let name = stem === '' ? 'table' : stem;
  while (taken.has(name)) name += '_';
  taken.add(name);
  return name;
}
