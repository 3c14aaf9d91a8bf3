import { isAccountLike, type ColumnView, type TableView } from './table-view.ts';

/** A column whose values are different in every row of its table. */
export interface Key {
  readonly table: TableView;
  readonly column: ColumnView;
}

/** Shorter values are the same by chance, such as numbers of rows, and so are amounts. */
const shortestText = 4;
const shortestNumber = 8;

/** Both are called as any number is: id, nr. */
export const bareRank = 2.5;

/**
 * How much the name of a column says that it refers to a key. 4: the same name, of the table's own key. 3: called as that
 * table or its key is. 2: so in a role. 1: both are words for an account. 0: nothing.
 */
export function nameRank(table: TableView, column: ColumnView, key: Key): number {
  if (column.stem === '' && key.column.stem === '') return column.plain === key.column.plain ? bareRank : 0;
  if (column.plain === key.column.plain && (column.stem !== '' || !column.isKeyName))
    return sameNameRank(table, column, key);
  return stemRank(column, key) ?? (areOfAccounts(table, column, key) ? 1 : 0);
}

function sameNameRank(table: TableView, column: ColumnView, key: Key): number {
  if (isOwnNumber(key.table, key.column) && key.column.stem !== '') return 4;
  // Of two that are different in every row, the one at the beginning is referred to.
  if (isFirst(table, column) && key.column !== key.table.columns[0]) return 0;
  return column.isKeyName || column.filled.some((text) => isTelling(text)) ? 3.2 : 1;
}

/** Undefined if the stem of the name says nothing. */
function stemRank({ stem, isKeyName }: ColumnView, { table, column }: Key): number | undefined {
  if (stem === '') return undefined;
  const isOwn = isOwnNumber(table, column);
  const isOfTable = isOwn && stem === table.stem;
  // TARIF of a table is a row of TARIF if its values are among the numbers there.
  if (!isKeyName) return isOfTable ? 2.2 : undefined;
  if (isOfTable) return 3.5;
  if (stem === column.stem) return 3;
  const target = column.stem === '' ? table.stem : column.stem;
  const isInRole = target.length > 2 && stem.length > target.length && stem.endsWith(target);
  return isOwn && isInRole ? 2 : undefined;
}

function areOfAccounts(table: TableView, column: ColumnView, key: Key): boolean {
  return column.isKeyName && isAccountLike(table, column) && isAccountLike(key.table, key.column);
}

/** Why a rank is what it is, for people. */
export function nameReason(rank: number, { table, column }: Key): string {
  if (rank >= 4) return `the name of the key of ${table.label}`;
  if (rank === 3.5) return `named after ${table.label}`;
  if (rank >= 3 || rank === bareRank) return `the name of ${column.name} in ${table.label}`;
  return rank >= 2
    ? `named after ${table.label}, in a role`
    : `a word for an account, as ${column.name} of ${table.label} is`;
}

/** Whether a column is the number at the beginning of each row. */
export function isFirst(table: TableView, column: ColumnView): boolean {
  return column === table.columns[0] && column.isUnique && column.isKeyName;
}

/** Whether a key is called as a number of any rows is (id), or as the table is (customer_id of customers). */
export function isOwnNumber(table: TableView, column: ColumnView): boolean {
  if (!table.isOwnKey(column)) return false;
  return (column.isKeyName && column.stem === '') || column.stem === table.stem;
}

/** Whether a text is long enough not to be another one by chance. */
export function isTelling(text: string): boolean {
  if (/^\d+$/.test(text)) return text.length >= (text.startsWith('0') ? shortestText : shortestNumber);
  return text.length >= (/\d/.test(text) ? shortestText - 1 : shortestText);
}
