import { isAccountName, plainName, saysAccount } from './name-words.ts';
import type { Reference } from './references.ts';
import type { ColumnView, TableView } from './table-view.ts';

/** The table whose rows are accounts, with its number, and why. */
export interface AccountsTable {
  readonly table: TableView;
  /** The columns that make the number: several only if a database's primary key has several. */
  readonly key: readonly string[];
  readonly isSure: boolean;
  /** Why, for people. */
  readonly reason: string;
}

interface Scored {
  readonly table: TableView;
  readonly key: readonly string[];
  readonly score: number;
  readonly likeness: number;
  readonly pointing: readonly TableView[];
}

/** So many tables that point at one say as much as more. */
const mostPointing = 8;

/**
 * The table of the accounts: by what it is called, and by what points at it. `asked`: its name, of a user who knows it;
 * `undefined` if no table could be one.
 */
export function accountsTableIn(
  tables: readonly TableView[],
  references: readonly Reference[],
  asked?: string,
): AccountsTable | undefined {
  const among = asked === undefined ? tables : tables.filter(({ sample }) => isCalled(sample, asked));
  const scored = among
    .flatMap((table) => keysOf(table, references).map((key) => scoreOf(table, key, references)))
    .sort((one, other) => other.score - one.score);
  const [first] = scored;
  if (first === undefined) return undefined;
  const best = asked === undefined ? (parentOf(first, scored, references) ?? first) : first;
  const key = bestKey(best, references);
  return { table: best.table, key, ...sureness(best, scored, asked) };
}

/** Whether a table has this name: that of its file, with or without its ending, its sheet or its table. */
export function isCalled(
  { file, sheet }: { readonly file: string; readonly sheet?: string },
  name: string,
): boolean {
  const plain = (text: string): string => text.toLowerCase();
  const names = [
    file,
    file.replace(/\..*$/, ''),
    file.replace(/^.*\./, ''),
    sheet ?? file,
    `${file}#${sheet ?? ''}`,
  ];
  return names.some((known) => plain(known) === plain(name));
}

function keysOf(table: TableView, references: readonly Reference[]): readonly (readonly string[])[] {
  const declared = table.sample.declared?.keys[0];
  if (declared !== undefined && declared.length > 1) return [declared];
  const referred = references.filter(({ to, references: columns }) => to === table && columns.length === 1);
  return table.columns
    .filter(
      ({ isUnique, mayRefer, name }) =>
        isUnique && (mayRefer || referred.some(({ references: [own] }) => own === name)),
    )
    .map(({ name }) => [name]);
}

function scoreOf(table: TableView, key: readonly string[], references: readonly Reference[]): Scored {
  const [name = ''] = key;
  const column = table.column(name);
  const pointing = [
    ...new Set(
      references
        .filter(
          ({ to, references: columns, sureness, rank }) =>
            to === table &&
            sureness !== 'unsure' &&
            (rank >= 1 || sureness === 'likely') &&
            columns.join() === key.join(),
        )
        .map(({ from }) => from),
    ),
  ];
  const isNamed = isAccountName(name);
  const likeness = Math.max(
    table.likeness,
    isNamed && table.likeness === 0 && isPlausible(column, table) ? 50 : 0,
  );
  const says = likeness > 15 && (saysAccount(table.label) || saysAccount(name)) ? 14 : 0;
  const own =
    column === undefined
      ? 8
      : (isNamed ? 10 : 0) +
        (column.isKeyName ? 6 : 0) +
        (table.isOwnKey(column) ? 8 : 0) +
        (table.columns[0] === column ? 5 : 0) +
        (table.sample.declared?.keys[0]?.includes(name) === true ? 8 : 0);
  const rows = Math.min(table.sample.rows.length, 100) / 50 + Math.min(table.columns.length, 20) / 10;
  const score = likeness + says + own + rows + Math.min(pointing.length, mostPointing) * 12;
  return { table, key, score, likeness, pointing };
}

/** A number of accounts at the beginning of the rows, in a table whose name says nothing. */
function isPlausible(column: ColumnView | undefined, table: TableView): boolean {
  return column !== undefined && (table.columns[0] === column || table.columns[1] === column);
}

/** The accounts of which the rows of the best table are parts, such as supply points: several rows name one account. */
function parentOf(
  child: Scored,
  scored: readonly Scored[],
  references: readonly Reference[],
): Scored | undefined {
  return scored.find(
    (parent) =>
      parent.table !== child.table &&
      (parent.likeness > child.likeness ||
        (parent.likeness === child.likeness && parent.pointing.length >= child.pointing.length)) &&
      references.some(({ from, to, sureness, columns: [column = ''] }) => {
        if (from !== child.table || to !== parent.table || sureness === 'unsure') return false;
        const own = from.column(column);
        return own !== undefined && own.isKeyName && own.distinct.size < own.filled.length;
      }) &&
      // A table that two levels point at, such as that of the countries, is no account.
      (parent.likeness > 15 || child.likeness <= 15),
  );
}

const number = /^(?:nr|no|num|number|nummer|numer)$/;

/** The number that people know, if the table has one beside an id: account_number, KUNDENNR. */
function bestKey({ table, key, likeness }: Scored, references: readonly Reference[]): readonly string[] {
  const column = key.length === 1 ? table.column(key[0] ?? '') : undefined;
  if (column === undefined || likeness <= 15) return key;
  const isBareId =
    ['id', `${table.stem}id`].includes(column.plain.replace(/ids$/, 'id')) || /id$/.test(column.plain);
  if (!isBareId) return key;
  const known = table.columns.find((other) => {
    if (other === column || !other.isUnique || other.filled.length === 0) return false;
    const ending = /(?:nr|no|num|number|nummer|numer)$/.exec(other.plain)?.[0] ?? '';
    if (!number.test(ending)) return false;
    const about = other.plain.slice(0, -ending.length);
    const refers = references.some(
      ({ from, columns, sureness }) =>
        from === table && columns.includes(other.name) && sureness !== 'unsure',
    );
    return !refers && (about === '' || isAccountName(other.name) || plainName(table.label).includes(about));
  });
  return known === undefined ? key : [known.name];
}

function sureness(
  best: Scored,
  scored: readonly Scored[],
  asked: string | undefined,
): Pick<AccountsTable, 'isSure' | 'reason'> {
  if (asked !== undefined) return { isSure: true, reason: 'as --accounts says' };
  const rival = scored.find(({ table, likeness }) => table !== best.table && likeness >= best.likeness);
  const isNamed = best.likeness > 15;
  const pointing = best.pointing.map(({ label }) => label);
  const shown =
    pointing.slice(0, 3).join(', ') + (pointing.length > 3 ? ` and ${pointing.length - 3} more` : '');
  const parts = [
    ...(isNamed ? ['by its name'] : []),
    ...(pointing.length === 0 ? [] : [`${shown} ${pointing.length === 1 ? 'refers' : 'refer'} to it`]),
  ];
  return {
    isSure: isNamed && (rival === undefined || rival.score + 20 < best.score),
    reason:
      parts.length === 0 ? 'its rows are different, and no table has a better name' : parts.join(', and '),
  };
}
