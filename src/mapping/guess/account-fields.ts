import {
  catalogueFields,
  companyNames,
  designations,
  fieldWords,
  houseBefore,
  houseBehind,
  mobileNames,
  numberNames,
  plainField,
  streetsBeforeNumber,
  streetsBehindNumber,
  wholeNames,
} from './field-words.ts';
import { tableStem } from './name-words.ts';
import type { GuessedTable } from './guessed-table.ts';

export type Part = keyof typeof fieldWords;

/** A field of the account, or of the object of that name, and where it seems to be. */
export interface FieldGuess {
  readonly part: Part;
  readonly field: string;
  readonly column: string;
  /** Only the first word of the column, or all but that. */
  readonly piece?: 'first' | 'but_first';
  /** The column that is used where this one is empty. */
  readonly otherwise?: string;
  /** Of a street: the column of the house number, and whether it is written before the street. */
  readonly house?: { readonly column: string; readonly isFirst: boolean };
  /** The table, and how its row is found; absent for a column of the row at hand. */
  readonly from?: readonly Hop[];
}

/** A row of another table: its column equals one of the row at hand. */
export interface Hop {
  readonly table: GuessedTable;
  readonly match: readonly [theirs: string, ours: string];
}

/** The fields that the columns of a table seem to contain, each with one column; addresses also through its catalogues. */
export function fieldsOf(table: GuessedTable, tables: readonly GuessedTable[]): readonly FieldGuess[] {
  // A column that is blank in all rows fills no field.
  const blank = new Set(
    table.sample.rows.length === 0
      ? []
      : table.columns.flatMap(({ name, guess }) => (guess.kind === 'empty' ? [name] : [])),
  );
  const columns = table.sample.columns.filter(
    (name) => !blank.has(name) && (name !== table.key || table.isCatalogue),
  );
  const own = withCompany(ownFields(columns, isNumberBehind(table)), table);
  const has = (part: Part): boolean => own.some((field) => field.part === part);
  if (!has('billing_address')) return own;
  const named = lookedUp(table, own);
  return [...own, ...named, ...catalogued(table, tables, [...own, ...named])];
}

/** The lines of an address in columns that a query has from other tables, called after these: ville_nom of ville. */
function lookedUp({ sample, columns }: GuessedTable, own: readonly FieldGuess[]): readonly FieldGuess[] {
  const known = new Set(own.map(({ field }) => field));
  const label = sample.label ?? sample.sheet ?? sample.file;
  return columns.flatMap(({ name, origin }): FieldGuess[] => {
    if (origin === label) return [];
    const [, field, names] = catalogueOf(origin) ?? [];
    const isIt = names?.some((one) => plainField(name) === plainField(origin) + one) === true;
    if (field === undefined || !isIt || known.has(field)) return [];
    known.add(field);
    return [{ part: 'billing_address', field, column: name }];
  });
}

/** Countries that write the house number behind the street. */
const numberBehind = /^(?:AT|BE|CH|CZ|DE|DK|ES|FI|HR|HU|IT|NL|NO|PL|PT|SE|SI|SK)$/;

/** Whether all countries of a table write the house number behind the street. */
function isNumberBehind({ columns }: GuessedTable): boolean {
  const countries = columns.flatMap((column) =>
    fieldWords.billing_address.country.includes(plainField(column.name)) ? (column.countries ?? []) : [],
  );
  return countries.length > 0 && countries.every((code) => numberBehind.test(code));
}

/** A street whose house number is in a column of its own. */
function withHouse(field: FieldGuess, columns: readonly string[], isBehind: boolean): FieldGuess {
  const named = (names: readonly string[]) => columns.find((name) => names.includes(plainField(name)));
  const street = plainField(field.column);
  const number = columns.find((name) => numberNames.includes(plainField(name)));
  const behind = named(houseBehind) ?? (streetsBeforeNumber.includes(street) ? number : undefined);
  const before = named(houseBefore) ?? (streetsBehindNumber.includes(street) ? number : undefined);
  const column = behind ?? before;
  if (field.field !== 'street_address' || column === undefined) return field;
  return { ...field, house: { column, isFirst: behind === undefined && !isBehind } };
}

/** The names of people, and that of the company in the rows that have only this: the interface requires both names. */
function withCompany(fields: readonly FieldGuess[], { columns }: GuessedTable): readonly FieldGuess[] {
  const named = (names: readonly string[]) => columns.find(({ name }) => names.includes(plainField(name)));
  const company = named(companyNames) ?? named(designations);
  if (company === undefined) return fields;
  const isInstead = (column: string): boolean => {
    const person = columns.find(({ name }) => name === column);
    return (
      person?.origin === company.origin &&
      company.texts.some((text, at) => text.trim() !== '' && (person.texts[at] ?? '').trim() === '')
    );
  };
  return fields.map((field) =>
    /^(?:given|family)_name$/.test(field.field) && field.piece === undefined && isInstead(field.column)
      ? { ...field, otherwise: company.name }
      : field,
  );
}

function ownFields(columns: readonly string[], isBehind: boolean): readonly FieldGuess[] {
  const found = (Object.keys(fieldWords) as Part[]).flatMap((part) =>
    Object.entries<readonly string[]>(fieldWords[part]).flatMap(([field, names]): FieldGuess[] => {
      const column = columns.find((name) => names.includes(plainField(name)));
      return column === undefined ? [] : [withHouse({ part, field, column }, columns, isBehind)];
    }),
  );
  const mobile = columns.find((name) => mobileNames.includes(plainField(name)));
  if (mobile !== undefined && !found.some(({ field }) => field === 'landline'))
    found.push({ part: 'customers', field: 'landline', column: mobile });
  if (found.some(({ field }) => field === 'given_name' || field === 'family_name')) return found;
  const whole = columns.find((name) => wholeNames.includes(plainField(name)));
  return whole === undefined
    ? found
    : [
        { part: 'customers', field: 'given_name', column: whole, piece: 'first' },
        { part: 'customers', field: 'family_name', column: whole, piece: 'but_first' },
        ...found,
      ];
}

/** The lines of an address that are in tables to which it refers, and in those to which these do. */
function catalogued(
  table: GuessedTable,
  tables: readonly GuessedTable[],
  own: readonly FieldGuess[],
): readonly FieldGuess[] {
  const known = new Set(own.map(({ field }) => field));
  const seen = new Set([table.name]);
  const found: FieldGuess[] = [];
  const follow = (at: GuessedTable, hops: readonly Hop[]): void => {
    for (const { name, refersTo } of at.columns) {
      const target = tables.find((other) => other.name === refersTo?.table && other.isCatalogue);
      if (target === undefined || refersTo === undefined || seen.has(target.name) || hops.length > 2)
        continue;
      seen.add(target.name);
      const path = [...hops, { table: target, match: [refersTo.column, name] as const }];
      for (const [field, column] of cataloguedIn(target)) {
        if (known.has(field)) continue;
        known.add(field);
        found.push({ part: 'billing_address', field, column, from: path });
      }
      follow(target, path);
    }
  };
  follow(table, []);
  return found;
}

/** What a table of this name lists, if these are cities, countries or states. */
function catalogueOf(table: string): (typeof catalogueFields)[number] | undefined {
  // The stem of a name has lost letters that its word may need: that of villes is vill.
  const names = [tableStem(table), plainField(table)];
  return catalogueFields.find(([known]) => names.some((name) => known.test(name)));
}

function cataloguedIn({ sample, key }: GuessedTable): readonly (readonly [field: string, column: string])[] {
  const columns = sample.columns.filter((name) => name !== key);
  const meant = catalogueOf(sample.sheet ?? sample.file);
  const fields = Object.entries<readonly string[]>(fieldWords.billing_address).flatMap(([field, names]) => {
    const column = columns.find((name) => names.includes(plainField(name)));
    return column === undefined || field === 'street_address' ? [] : [[field, column] as const];
  });
  if (meant === undefined) return fields;
  const [, field, names] = meant;
  const column = names.flatMap((known) => columns.filter((name) => plainField(name) === known))[0];
  const others = fields.filter(([other]) => other !== field || column === undefined);
  return column === undefined || fields.some(([other]) => other === field)
    ? fields
    : [...others, [field, column]];
}

/** Whether a table has lines of an address, or names of cities and countries. */
export function holdsAddress({ columns, sheet, file, label }: GuessedTable['sample']): boolean {
  const lines = Object.values<readonly string[]>(fieldWords.billing_address).flat();
  return (
    columns.some((name) => lines.includes(plainField(name))) ||
    catalogueOf(label ?? sheet ?? file) !== undefined
  );
}

/** The table beside the accounts that has most fields of a part, at least two; undefined if none has. */
export function tableWith(part: Part, tables: readonly GuessedTable[]): LinkedPart | undefined {
  const [accounts] = tables;
  if (accounts === undefined) return undefined;
  const linked = tables.slice(1).flatMap((table): LinkedPart[] => {
    const hop = hopTo(table, accounts);
    if (hop === undefined && !namesAccount(table)) return [];
    const fields = fieldsOf(table, tables).filter((field) => field.part === part);
    return fields.length < 2 ? [] : [{ table, hop, fields }];
  });
  // Of an order's address and a customer's, the customer's: it is there once.
  const weight = ({ table, hop, fields }: LinkedPart): number =>
    fields.length + (hop !== undefined || (isOnce(table) && !isDocument(table)) ? onceCounts : 0);
  return linked.sort((one, other) => weight(other) - weight(one))[0];
}

/** A row that is there once counts as much as so many fields. */
const onceCounts = 2;
/** A table with a part of the account. */
export interface LinkedPart {
  readonly table: GuessedTable;
  /** How the account's row refers to it; absent if its rows name the account. */
  readonly hop: Hop | undefined;
  readonly fields: readonly FieldGuess[];
}

/** The accounts' reference to a catalogue. */
function hopTo(table: GuessedTable, accounts: GuessedTable): Hop | undefined {
  if (!table.isCatalogue || table.via?.table !== accounts.name || table.key === undefined) return undefined;
  return { table, match: [table.key, table.via.column] };
}

export function namesAccount({ isCatalogue, key, via }: GuessedTable): boolean {
  return !isCatalogue && key !== undefined && (via === undefined || via.table === 'accounts');
}

/** Of the rows, so many may be a second one of an account. */
const mostSecond = 0.05;

/** Whether no account, or nearly none, has several rows of a table among those that were read, or among the given ones of these. */
export function isOnce({ sample, key = '' }: GuessedTable, rows = sample.rows): boolean {
  const texts = rows.map((row) => row.get(key) ?? '').filter((text) => text !== '');
  return texts.length > 0 && texts.length - new Set(texts).size <= texts.length * mostSecond;
}

/** Whether the rows of a table have an amount and a day of their own, as orders and bills do. */
function isDocument({ sample, columns }: GuessedTable): boolean {
  const label = sample.label ?? sample.sheet ?? sample.file;
  const kinds = columns.flatMap(({ origin, guess }) => (origin === label ? [guess.kind] : []));
  return kinds.includes('amount') && (kinds.includes('date') || kinds.includes('datetime'));
}
