import { tableStem } from './name-words.ts';
import type { GuessedTable } from './table-guess.ts';

/** Column names that probably mean a field of the account payload (section 2.3), ignoring case and punctuation. */
const addressWords = {
  street_address: [
    'strasse',
    'strae',
    'street',
    'streetaddress',
    'streetname',
    'strassenname',
    'address',
    'address1',
    'addressline1',
    'adresse',
    'billingaddress',
    'mailingaddress',
    'customeraddress',
    'serviceaddress',
    'supplyaddress',
  ],
  locality: [
    'ort',
    'stadt',
    'city',
    'town',
    'posttown',
    'towncity',
    'suburb',
    'locality',
    'cityname',
    'townname',
    'ortname',
    'stadtname',
  ],
  administrative_area: [
    'bundesland',
    'state',
    'region',
    'county',
    'province',
    'district',
    'stateprovincename',
    'statename',
    'provincename',
    'regionname',
  ],
  postal_code: ['plz', 'postleitzahl', 'zip', 'zipcode', 'postcode', 'postalcode'],
  country: [
    'land',
    'laendercode',
    'countrycode',
    'countryiso',
    'landiso',
    'country',
    'ctry',
    'iso',
    'countryname',
    'landname',
    'countryregionname',
    'nationname',
  ],
};

const customerWords = {
  given_name: ['vorname', 'firstname', 'givenname', 'forename'],
  family_name: ['nachname', 'familienname', 'name', 'lastname', 'surname', 'familyname'],
  email: ['email', 'mail', 'emailaddress', 'emailadresse'],
  landline: [
    'telefon',
    'telefonnummer',
    'phone',
    'phonenumber',
    'telephone',
    'tel',
    'telhome',
    'homephone',
    'landline',
  ],
};

const accountWords = {
  transfer_balance: ['saldo', 'kontostand', 'balance', 'acctbal', 'accountbalance', 'transferbalance'],
};

const words = { account: accountWords, billing_address: addressWords, customers: customerWords };

export type Part = keyof typeof words;

/** Columns with a whole name, where none has a part of it. */
const wholeNames = ['contactname', 'fullname', 'customername', 'ansprechpartner'];

/** The fields that a catalogue of this name holds, in a column called name or code. */
const catalogueFields: readonly (readonly [stem: RegExp, field: string, columns: readonly string[]])[] = [
  [/(?:city|town|ort|stadt|gemeind|localit)/, 'locality', ['name', 'bezeichnung', 'label', 'cityname']],
  [
    /(?:country|land|nation)/,
    'country',
    ['iso', 'iso2', 'alpha2', 'code', 'countrycode', 'isocode', 'name', 'bezeichnung'],
  ],
  [/(?:state|provinc|region|county|bundesl)/, 'administrative_area', ['name', 'bezeichnung', 'label']],
];

/** A field of the account, or of the object of that name, and where it seems to be. */
export interface FieldGuess {
  readonly part: Part;
  readonly field: string;
  readonly column: string;
  /** Only the first word of the column, or all but that. */
  readonly piece?: 'first' | 'but_first';
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

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
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
  const own = ownFields(columns, isNumberBehind(table));
  const has = (part: Part): boolean => own.some((field) => field.part === part);
  const missing = has('billing_address') ? catalogued(table, tables, own) : [];
  return [...own, ...missing];
}

/** Names of house numbers, by where they are written. */
const houseBehind = ['hausnr', 'hausnummer', 'hnr', 'hausno'];
const houseBefore = ['houseno', 'housenumber', 'housenr', 'streetno', 'streetnumber', 'streetnr'];

/** Countries that write the house number behind the street. */
const numberBehind = /^(?:AT|BE|CH|CZ|DE|DK|ES|FI|HR|HU|IT|NL|NO|PL|PT|SE|SI|SK)$/;

/** Whether all countries of a table write the house number behind the street. */
function isNumberBehind({ columns }: GuessedTable): boolean {
  const countries = columns.flatMap((column) =>
    addressWords.country.includes(plain(column.name)) ? (column.countries ?? []) : [],
  );
  return countries.length > 0 && countries.every((code) => numberBehind.test(code));
}

/** A street whose house number is in a column of its own. */
function withHouse(field: FieldGuess, columns: readonly string[], isBehind: boolean): FieldGuess {
  const named = (names: readonly string[]) => columns.find((name) => names.includes(plain(name)));
  const [behind, before] = [named(houseBehind), named(houseBefore)];
  const column = behind ?? before;
  if (field.field !== 'street_address' || column === undefined) return field;
  return { ...field, house: { column, isFirst: behind === undefined && !isBehind } };
}

function ownFields(columns: readonly string[], isBehind: boolean): readonly FieldGuess[] {
  const found = (Object.keys(words) as Part[]).flatMap((part) =>
    Object.entries<readonly string[]>(words[part]).flatMap(([field, names]): FieldGuess[] => {
      const column = columns.find((name) => names.includes(plain(name)));
      return column === undefined ? [] : [withHouse({ part, field, column }, columns, isBehind)];
    }),
  );
  if (found.some(({ field }) => field === 'given_name' || field === 'family_name')) return found;
  const whole = columns.find((name) => wholeNames.includes(plain(name)));
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

function cataloguedIn({ sample, key }: GuessedTable): readonly (readonly [field: string, column: string])[] {
  const columns = sample.columns.filter((name) => name !== key);
  const stem = tableStem(sample.sheet ?? sample.file);
  const meant = catalogueFields.find(([known]) => known.test(stem));
  const fields = Object.entries<readonly string[]>(addressWords).flatMap(([field, names]) => {
    const column = columns.find((name) => names.includes(plain(name)));
    return column === undefined || field === 'street_address' ? [] : [[field, column] as const];
  });
  if (meant === undefined) return fields;
  const [, field, names] = meant;
  const column = names.flatMap((known) => columns.filter((name) => plain(name) === known))[0];
  const others = fields.filter(([other]) => other !== field || column === undefined);
  return column === undefined || fields.some(([other]) => other === field)
    ? fields
    : [...others, [field, column]];
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
    fields.length + (hop !== undefined || isOnce(table) ? onceCounts : 0);
  return linked.sort((one, other) => weight(other) - weight(one))[0];
}

/** A row that is there once counts as much as so many fields. */
const onceCounts = 2;
/** Tables of what people can be reached by. */
const ofContacts = /(?:mail|phone|telef|contact|kontakt|communicat|kommunik)/i;

/** The customer's fields in tables of their own, each of which no account has twice among the rows that were read. */
export function contactsIn(
  tables: readonly GuessedTable[],
  known: ReadonlySet<string>,
): readonly { readonly table: GuessedTable; readonly field: FieldGuess }[] {
  const seen = new Set(known);
  return tables.slice(1).flatMap((table) => {
    if (!ofContacts.test(table.name) || !namesAccount(table) || !isOnce(table)) return [];
    return fieldsOf(table, tables).flatMap((field) => {
      if (!['email', 'landline'].includes(field.field) || seen.has(field.field)) return [];
      seen.add(field.field);
      return [{ table, field }];
    });
  });
}

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

function namesAccount({ isCatalogue, key, via }: GuessedTable): boolean {
  return !isCatalogue && key !== undefined && (via === undefined || via.table === 'accounts');
}

/** Whether no account has several rows of a table among those that were read. */
export function isOnce({ sample, key = '' }: GuessedTable): boolean {
  const texts = sample.rows.map((row) => row.get(key) ?? '').filter((text) => text !== '');
  return texts.length > 0 && new Set(texts).size === texts.length;
}
