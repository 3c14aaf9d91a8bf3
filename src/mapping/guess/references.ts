import { changeBy, type TextShape } from '../../domain/text-shape.ts';
import { bareRank, isFirst, isOwnNumber, isTelling, nameRank, nameReason, type Key } from './name-rank.ts';
import { isAccountLike, type ColumnView, type TableView } from './table-view.ts';

/** How sure a guess is: what is unsure is only written as a comment. */
export type Sureness = 'declared' | 'sure' | 'likely' | 'unsure';

/** Columns of a table whose rows refer to a row of another table, which has one row for each value. */
export interface Reference {
  readonly from: TableView;
  readonly columns: readonly string[];
  readonly to: TableView;
  readonly references: readonly string[];
  readonly sureness: Sureness;
  /** Why it is guessed, for people. */
  readonly reason: string;
  /** The changes that make the same texts of both sides; absent if they are written alike. */
  readonly shape?: TextShape | undefined;
  /** How much its names say, for the choice between several. */
  readonly rank: number;
}

/** Of the sampled values, so many have to be those of the other column. */
const most = 0.5;
const nearlyAll = 0.9;
const fewestValues = 3;
/** Tables to which a column may refer as well as to another. */
const mostAlike = 4;

/** Removes what comes before the first digit that is not zero, and then all that is no digit. */
export const bareDigits: TextShape = { replace: [{ pattern: '^[^1-9]+', with: '' }], digits: true };

/** The same, many times faster. */
export function bare(text: string): string {
  return text.replaceAll(/\D+/g, '').replace(/^0+/, '');
}

/** The references between tables: those that are declared, and otherwise by names, then by values. Each column has the best one, and the unsure ones. */
export function referencesIn(tables: readonly TableView[]): readonly Reference[] {
  const declared = tables.flatMap((table) => declaredOf(table, tables));
  const keys = tables.flatMap((table) =>
    table.columns.flatMap((column) => (column.isUnique && column.mayRefer ? [{ table, column }] : [])),
  );
  const index = new KeyIndex(keys);
  const guessed = tables.flatMap((table) =>
    table.columns.flatMap((column) => {
      const isDeclared = declared.some(
        ({ from, columns }) => from === table && columns.includes(column.name),
      );
      if (isDeclared || !column.mayRefer || (table.isOwnKey(column) && column.stem !== '')) return [];
      const byName = bestOf(index.named(table, column).flatMap((key) => named(table, column, key) ?? []));
      // The first number of a row is its own, whatever small numbers other rows have.
      return byName ?? (isFirst(table, column) && !tells(column) ? [] : valuesOf(table, column, index));
    }),
  );
  return [...declared, ...guessed];
}

/** What may be referred to, by name and by text. */
class KeyIndex {
  readonly #byName = new Map<string, Key[]>();
  readonly #byText = new Map<string, Key[]>();
  readonly #accountKeys: Key[] = [];
  /** Words at the end of a role, such as staff in manager_staff_id. */
  readonly #longestName: number;

  constructor(keys: readonly Key[]) {
    const put = (index: Map<string, Key[]>, name: string, key: Key): void => {
      if (name === '') return;
      const own = index.get(name);
      if (own === undefined) index.set(name, [key]);
      else own.push(key);
    };
    for (const key of keys) {
      const { table, column } = key;
      for (const name of new Set([column.plain, column.stem])) put(this.#byName, name, key);
      if (isOwnNumber(table, column)) put(this.#byName, table.stem, key);
      if (isAccountLike(table, column)) this.#accountKeys.push(key);
      if (column.isKeyName || column.filled.some((text) => isTelling(text)))
        for (const text of column.distinct) put(this.#byText, text, key);
    }
    this.#longestName = Math.max(0, ...[...this.#byName.keys()].map(({ length }) => length));
  }

  /** The keys that a column's name may mean. */
  named(table: TableView, column: ColumnView): readonly Key[] {
    const found = new Set([
      ...(this.#byName.get(column.plain) ?? []),
      ...(this.#byName.get(column.stem) ?? []),
    ]);
    if (column.isKeyName)
      for (
        let from = Math.max(1, column.stem.length - this.#longestName);
        from < column.stem.length - 2;
        from += 1
      )
        for (const key of this.#byName.get(column.stem.slice(from)) ?? [])
          if (key.column.isKeyName) found.add(key);
    if (column.isKeyName && isAccountLike(table, column)) for (const key of this.#accountKeys) found.add(key);
    return [...found].filter((key) => key.table !== table);
  }

  /** How many rows of a column have a value of each key. */
  counts({ filled }: ColumnView, table: TableView): ReadonlyMap<Key, number> {
    const counts = new Map<Key, number>();
    for (const text of filled)
      for (const key of this.#byText.get(text) ?? [])
        if (key.table !== table) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  }
}

/** So rarely other numbers would be the same. */
const chance = 0.001;

/** Whether so many numbers may be among those of a key only because these are close together, such as numbers of rows. */
function isByChance({ distinct }: ColumnView, hits: number): boolean {
  let [least, greatest] = [Infinity, 0];
  for (const text of distinct) {
    if (!/^\d{1,15}$/.test(text)) return false;
    least = Math.min(least, Number(text));
    greatest = Math.max(greatest, Number(text));
  }
  return (distinct.size / (greatest - least + 1)) ** hits > chance;
}

/** Whether a column's values are long enough not to be those of any column. */
function tells({ filled }: ColumnView): boolean {
  return filled.filter(isTelling).length > filled.length * most;
}

function declaredOf(table: TableView, tables: readonly TableView[]): Reference[] {
  return (table.sample.declared?.foreignKeys ?? []).flatMap(({ columns, table: name, references }) => {
    const to = tables.find(({ sample }) => sample.file === name);
    const reason = 'a foreign key of the database';
    return to === undefined || to === table
      ? []
      : [{ from: table, columns, to, references, sureness: 'declared' as const, reason, rank: 9 }];
  });
}

/** How many of a column's sampled values a key has, as they are and by their digits. */
interface Overlap {
  readonly share: number;
  readonly distinct: number;
  readonly shape?: TextShape | undefined;
}

function overlap(column: ColumnView, key: ColumnView): Overlap {
  const plain = shareOf(column, key.distinct, (text) => text);
  if (plain.share > most) return plain;
  let best: Overlap = plain;
  if (column.isKeyName && mayBeAlike(column, key))
    for (const shape of [{ digits: true }, bareDigits]) {
      const shaped = shareOf(column, new Set([...key.distinct].map(changeBy(shape))), changeBy(shape));
      if (shaped.share > most && shaped.share > best.share) best = { ...shaped, shape };
    }
  return best;
}

/** Whether changes could make the same of them: each has digits in most texts. */
function mayBeAlike(column: ColumnView, key: ColumnView): boolean {
  const [one = '', other = ''] = [column.filled[0], key.filled[0]];
  return /\d/.test(one) && /\d/.test(other);
}

function shareOf(column: ColumnView, known: ReadonlySet<string>, change: (text: string) => string): Overlap {
  const hits = column.filled.filter((text) => {
    const changed = change(text);
    return changed !== '' && known.has(changed);
  });
  return {
    share: column.filled.length === 0 ? 0 : hits.length / column.filled.length,
    distinct: new Set(hits).size,
  };
}

/** The reference to a key that has the name, if the values do not contradict it. */
function named(table: TableView, column: ColumnView, key: Key): Reference | undefined {
  const rank = nameRank(table, column, key);
  if (rank === 0) return undefined;
  const found = overlap(column, key.column);
  const { share, distinct, shape } = found;
  const isEmpty = column.filled.length === 0 || key.column.filled.length === 0;
  const isWhole = key.table.sample.isWhole === true;
  const said = nameReason(rank, key);
  const make = (sureness: Sureness, reason: string): Reference => ({
    from: table,
    columns: [column.name],
    to: key.table,
    references: [key.column.name],
    ...{ sureness, reason, shape },
    rank: rank + share,
  });
  if (rank === bareRank) {
    if (share <= most) return isEmpty || isWhole ? undefined : make('unsure', `${said}, ${unseen}`);
    return make(...ofBareNumber(column, key, found, said));
  }
  if (share >= nearlyAll && rank >= 2) return make('sure', `${said}, and it has ${partOf(found)} values`);
  if (share > most) {
    // Small numbers are the same by chance where only the words for an account agree.
    return make(
      rank >= 2 || distinct >= fewestValues ? 'likely' : 'unsure',
      `${said}, and it has ${partOf(found)} values`,
    );
  }
  if (rank < 3) return isEmpty || !isWhole ? make('unsure', `${said}, ${unseen}`) : undefined;
  // What is called alike and is no number, such as a name or a street, refers to nothing unless its values do.
  if (!column.isKeyName && !isOwnNumber(key.table, key.column)) return undefined;
  if (isEmpty || !isWhole) return make('likely', said);
  return make('unsure', `${said}, but few of the values are the same`);
}

const unseen = 'but nothing in the rows that were read shows it';

/** Each table may number its own rows: a number that occurs several times is not one of these. */
function ofBareNumber(
  column: ColumnView,
  key: Key,
  found: Overlap,
  said: string,
): readonly [Sureness, reason: string] {
  const isRepeated = column.distinct.size < column.filled.length;
  const reason = `${said}, and it has ${partOf(found)} values`;
  if (isRepeated || !isByChance(key.column, found.distinct))
    return [isRepeated && found.share >= nearlyAll ? 'sure' : 'likely', reason];
  return ['unsure', `${reason}, but each only once: perhaps the number of its own rows`];
}

function partOf({ share }: Overlap): string {
  return share === 1 ? 'all its' : 'most of its';
}

/** The references that names decide: the best, and those to other tables that are as good. */
function bestOf(found: readonly Reference[]): readonly Reference[] | undefined {
  const sorted = [...found].sort(
    (one, other) =>
      Number(one.sureness === 'unsure') - Number(other.sureness === 'unsure') || other.rank - one.rank,
  );
  const [best] = sorted;
  if (best === undefined) return undefined;
  return sorted
    .filter(
      ({ sureness, rank }) =>
        (sureness === 'unsure') === (best.sureness === 'unsure') &&
        Math.floor(rank * 10) === Math.floor(best.rank * 10),
    )
    .sort((one, other) => other.to.likeness - one.to.likeness)
    .slice(0, mostAlike);
}

/** The references that only values suggest: telling ones are likely, others at most unsure. */
function valuesOf(table: TableView, column: ColumnView, index: KeyIndex): readonly Reference[] {
  const found = [...index.counts(column, table)]
    .map(([key, count]) => ({ key, share: count / column.filled.length }))
    .filter(({ key, share }) => share > most && key.column.mayRefer)
    .sort(
      (one, other) =>
        other.share - one.share ||
        Number(other.key.table.isOwnKey(other.key.column)) - Number(one.key.table.isOwnKey(one.key.column)),
    );
  const isTold = tells(column);
  return found
    .flatMap(({ key, share }): Reference[] => {
      const hits = new Set(column.filled.filter((text) => key.column.distinct.has(text))).size;
      if (hits < Math.min(fewestValues, key.column.distinct.size)) return [];
      if (!isTold && !column.isKeyName) return [];
      const sureness = isTold && hits >= fewestValues && !isByChance(key.column, hits) ? 'likely' : 'unsure';
      const reason = `it has ${partOf({ share, distinct: hits })} values`;
      return [
        {
          from: table,
          columns: [column.name],
          to: key.table,
          references: [key.column.name],
          ...{ sureness, rank: share },
          reason: sureness === 'likely' ? reason : `${reason}, perhaps by chance`,
        },
      ];
    })
    .slice(0, isTold ? 1 : 4);
}
