import type { AccountsTable } from '../accounts-table.ts';
import type { Attachment } from '../attached-tables.ts';
import { plainField } from '../field-words.ts';
import { stemOf, wordsOf } from '../name-words.ts';
import { namesStaff } from '../people.ts';
import type { Reference } from '../references.ts';
import type { TableView } from '../table-view.ts';
import type { Way } from '../ways.ts';
import { joinedText, sqlName, type SqlDialect } from './sql-names.ts';

/** A column of a query's result. */
export interface ResultColumn {
  readonly name: string;
  readonly table: TableView;
  /** Its name there. */
  readonly column: string;
}

/** A query with its joins, line by line. */
export interface JoinedQuery {
  readonly lines: readonly string[];
  /** The column of the account number. */
  readonly key: string;
  readonly columns: readonly ResultColumn[];
  /** Where the number of a row comes from that has none in the first way, for people. */
  readonly otherwise?: string | undefined;
}

/** Tables that are looked up in one query, and how far away. */
const mostLookups = 8;
const farthest = 3;
/** Columns that say nothing by themselves, so that they are named after their table. */
const general =
  /^(?:name|code|text|title|label|type|typ|value|status|description|bezeichnung|iso|iso2|short|number|nr|comment|note)$/i;
/** The same in other languages, without accents. */
const generalElsewhere =
  /^(?:designacao|descricao|descripcion|descrizione|denominazione|libelle|omschrijving|opis|codigo|codice|tipo|estado|stato|statut|nazwa)$/i;
/** Names of anything, and of people in tables of these. */
const nameElsewhere = /^(?:nome|nombre|nom|naam)$/i;
/** Columns of the database's own and secrets, which no account needs. */
const technical =
  /^(?:pass(?:word|wd)?\w*|(?:credit_?)?card_?(?:number|no|num)|cvv2?|cvc2?|user_?name|login|last_?update|updated(?:_?at)?|modified(?:_?date|_?at)?|created(?:_?at)?|rowguid|timestamp)$/i;

/** Builds the queries of a guessed mapping: joins up to the account number, and to the tables that are looked up. */
export class QueryBuilder {
  readonly #accounts: AccountsTable;
  readonly #ways: ReadonlyMap<TableView, Way>;
  readonly #references: readonly Reference[];
  readonly #people: ReadonlySet<TableView>;
  readonly #dialect: SqlDialect;

  constructor(
    accounts: AccountsTable,
    ways: readonly Way[],
    { all, people }: { readonly all: readonly Reference[]; readonly people: ReadonlySet<TableView> },
    dialect: SqlDialect,
  ) {
    this.#accounts = accounts;
    this.#ways = new Map(ways.map((way) => [way.table, way]));
    this.#references = all.filter(({ sureness }) => sureness !== 'unsure');
    this.#people = people;
    this.#dialect = dialect;
  }

  /** The query of the accounts, or of a table whose rows belong to one. */
  of(table: TableView): JoinedQuery {
    const aliases = new Aliases();
    const own = aliases.of(table);
    const joins: string[] = [];
    const other = this.#otherWay(table);
    const number = this.#either(
      this.#number(table, own, aliases, joins),
      other && this.#number(table, own, aliases, joins, other),
    );
    const names = new Set(table.sample.columns);
    const selected = [`${own}.*`];
    if (table.sample.declared?.hasBinary === true)
      selected.splice(0, 1, ...table.sample.columns.map((name) => `${own}.${this.#name(name)}`));
    const key =
      number.column ??
      freeName(this.#accounts.key.length > 1 ? 'account_number' : (this.#accounts.key[0] ?? ''), names);
    if (number.column === undefined) selected.unshift(`${number.expression} AS ${this.#name(key)}`);
    names.add(key);
    const columns: ResultColumn[] = table.sample.columns.map((name) => ({ name, table, column: name }));
    const isJoined = new Set([table, this.#accounts.table, ...number.through]);
    this.#lookUp(table, own, { aliases, joins, names, selected, columns, isJoined });
    dropUnused(joins, selected);
    return {
      lines: [`SELECT ${selected.join(', ')}`, `FROM ${this.#table(table)} AS ${own}`, ...joins],
      key,
      columns,
      otherwise: other && `${other.columns.join(', ')}, the number of ${other.to.label}`,
    };
  }

  /**
   * The query of rows that name a row as those of another table do, which find their account: meters of a service point, by its
   * agreements. undefined if they name it by different keys.
   */
  over(own: Reference, other: Reference): Pick<JoinedQuery, 'lines' | 'key'> | undefined {
    if (own.references.join() !== other.references.join()) return undefined;
    const aliases = new Aliases();
    const [alias, beside] = [aliases.of(own.from), aliases.of(other.from)];
    const joins = [
      `JOIN ${this.#table(other.from)} AS ${beside} ON ${this.#equal(other.columns, beside, own.columns, alias)}`,
    ];
    const { expression } = this.#number(other.from, beside, aliases, joins);
    const [first = ''] = this.#accounts.key;
    const name = this.#accounts.key.length > 1 ? 'account_number' : first;
    const key = freeName(name, new Set(own.from.sample.columns));
    return {
      key,
      lines: [
        `SELECT ${expression} AS ${this.#name(key)}, ${alias}.*`,
        `FROM ${this.#table(own.from)} AS ${alias}`,
        ...joins,
      ],
    };
  }

  /**
   * Another declared way of a table of which some rows name no account: a payment without one may name an invoice. undefined if
   * all rows that were read have theirs.
   */
  #otherWay(table: TableView): Reference | undefined {
    const way = this.#ways.get(table);
    if (way?.kind !== 'child' || way.attachments !== undefined || way.reference === undefined)
      return undefined;
    const { columns } = way.reference;
    const isBlank = table.sample.rows.some((row) => columns.some((name) => (row.get(name) ?? '') === ''));
    if (!isBlank) return undefined;
    return this.#references.find(
      (other) =>
        other.from === table &&
        other !== way.reference &&
        other.sureness === 'declared' &&
        this.#leads(other.to, table),
    );
  }

  /** Whether the rows of a table find their account without those of another. */
  #leads(from: TableView, without: TableView): boolean {
    for (let at: TableView | undefined = from; at !== undefined && at !== without;) {
      const way = this.#ways.get(at);
      if (way?.kind === 'account') return true;
      at = way?.kind === 'child' && way.attachments === undefined ? way.reference?.to : undefined;
    }
    return false;
  }

  #either(first: RowNumber, second: RowNumber | undefined): RowNumber {
    if (second === undefined) return first;
    return {
      expression: `COALESCE(${first.expression}, ${second.expression})`,
      through: [...first.through, ...second.through],
    };
  }

  /** The account number of a row: its own column, or an expression for which joins are added. */
  #number(table: TableView, alias: string, aliases: Aliases, joins: string[], start?: Reference): RowNumber {
    const { key } = this.#accounts;
    const through: TableView[] = [];
    let [at, as] = [table, alias];
    for (;;) {
      const way = this.#ways.get(at);
      if (way?.kind === 'account') break;
      const attached = way?.attachments;
      const reference = at === table ? (start ?? way?.reference) : way?.reference;
      if (reference === undefined) break;
      if (attached !== undefined) {
        const next = aliases.of(this.#accounts.table);
        // Rows of people without an account are no rows of an account without a number.
        joins.push(this.#ownersJoin(attached, next, reference, as));
        return this.#expression(key, false, next, through);
      }
      // The number is in the reference itself, unless that is to another column of the accounts.
      const own = reference.to === this.#accounts.table ? ownColumns(reference, key) : undefined;
      if (own !== undefined) return this.#expression(own, at === table, as, through);
      const next = aliases.of(reference.to);
      joins.push(this.#join(reference, as, next));
      through.push(reference.to);
      [at, as] = [reference.to, next];
    }
    return this.#expression(key, at === table, as, through);
  }

  /** Joins the accounts to rows of what they refer to: those that one way leads to and, if there are several ways, those of the others. */
  #ownersJoin(ways: readonly Attachment[], accounts: string, { columns }: Reference, alias: string): string {
    const [first] = ways;
    const table = this.#table(this.#accounts.table);
    if (first === undefined || ways.length === 1)
      return `JOIN ${table} AS ${accounts} ON ${this.#equal(first?.columns ?? [], accounts, columns, alias)}`;
    const owners = columns.map((_, at) => (at === 0 ? 'owner' : `owner${at + 1}`));
    const parts = ways.map((way) => {
      const named = way.columns.map((name, at) => `${this.#name(name)} AS ${owners[at] ?? ''}`);
      const key = this.#accounts.key.map((name) => this.#name(name));
      return `SELECT ${[...key, ...named].join(', ')} FROM ${table}`;
    });
    return `JOIN (${parts.join(' UNION ')}) AS ${accounts} ON ${this.#equal(owners, accounts, columns, alias)}`;
  }

  #expression(columns: readonly string[], isOwn: boolean, alias: string, through: readonly TableView[]) {
    const expression = joinedText(
      columns.map((name) => `${alias}.${this.#name(name)}`),
      this.#dialect,
    );
    const [column] = columns;
    return isOwn && columns.length === 1 && column !== undefined
      ? { column, expression, through }
      : { expression, through };
  }

  /** Joins the tables that a table refers to, with their columns, and then those that these refer to. */
  #lookUp(base: TableView, alias: string, query: Growing): void {
    let level: readonly Joined[] = [{ table: base, alias }];
    for (let depth = 1; depth <= farthest; depth += 1) {
      const next: Joined[] = [];
      for (const { table, alias: as } of level)
        for (const reference of this.#lookups(table)) {
          const isAgain = query.isJoined.has(reference.to);
          // Of the tables further away, one is enough: the address of a shop is not that of a customer.
          if ((isAgain && (depth > 1 || reference.to === base)) || query.joins.length >= mostLookups)
            continue;
          const isOfPeople = this.#isOfPeople(table, reference.to);
          if (isOfPeople && depth > 1) continue;
          const other = query.aliases.of(reference.to);
          query.joins.push(this.#join(reference, as, other));
          this.#select(
            reference,
            other,
            query,
            isAgain ? roleOf(reference) : isOfPeople ? labelOf(reference.to) : '',
          );
          query.isJoined.add(reference.to);
          if (!isOfPeople) next.push({ table: reference.to, alias: other });
        }
      level = next;
    }
  }

  /** A table's references to those that are looked up; of several addresses, that of the bill is the first. */
  #lookups(table: TableView): readonly Reference[] {
    return this.#references
      .filter(
        (reference) =>
          reference.from === table &&
          reference.to !== table &&
          reference !== this.#ways.get(table)?.reference &&
          this.#ways.get(reference.to)?.kind === 'catalogue',
      )
      .sort((one, other) => Number(isOfBill(other)) - Number(isOfBill(one)));
  }

  /** Selects the columns of a looked-up table; `role`: what precedes their names. */
  #select({ to, references }: Reference, alias: string, query: Growing, role: string): void {
    for (const name of to.sample.columns) {
      if (references.includes(name) || technical.test(name) || this.#isReference(to, name)) continue;
      const isClear = role === '' && !this.#isGeneral(to, name) && !query.names.has(name);
      const result = freeName(isClear ? name : `${role === '' ? labelOf(to) : role}_${name}`, query.names);
      query.names.add(result);
      query.selected.push(
        `${alias}.${this.#name(name)}${result === name ? '' : ` AS ${this.#name(result)}`}`,
      );
      query.columns.push({ name: result, table: to, column: name });
    }
  }

  /** Whether a column's name says nothing without that of its table. */
  #isGeneral(table: TableView, name: string): boolean {
    const plain = plainField(name);
    return (
      general.test(name) ||
      generalElsewhere.test(plain) ||
      (nameElsewhere.test(plain) && !this.#people.has(table))
    );
  }

  #isReference(table: TableView, name: string): boolean {
    return this.#references.some(({ from, columns }) => from === table && columns.includes(name));
  }

  #join({ columns, references, to }: Reference, alias: string, other: string): string {
    return `LEFT JOIN ${this.#table(to)} AS ${other} ON ${this.#equal(references, other, columns, alias)}`;
  }

  #equal(theirs: readonly string[], other: string, ours: readonly string[], alias: string): string {
    const pairs = ours.map(
      (name, at) => `${other}.${this.#name(theirs[at] ?? '')} = ${alias}.${this.#name(name)}`,
    );
    return pairs.join(' AND ');
  }

  /** The people whose account it is are not those that work on it. */
  #isOfPeople(table: TableView, to: TableView): boolean {
    if (!this.#people.has(to)) return false;
    return table !== this.#accounts.table || this.#people.has(table) || namesStaff(to.label);
  }

  #table({ sample: { file } }: TableView): string {
    return file
      .split('.')
      .map((part) => this.#name(part))
      .join('.');
  }

  #name(name: string): string {
    return sqlName(name, this.#dialect);
  }
}

/** Removes the joins of tables of which neither a column nor another join is used. */
function dropUnused(joins: string[], selected: readonly string[]): void {
  for (let at = joins.length - 1; at >= 0; at -= 1) {
    const [, alias = ''] = / AS (\w+) ON /.exec(joins[at] ?? '') ?? [];
    const isUsed = [...selected, ...joins.slice(at + 1)].some((text) =>
      new RegExp(`\\b${alias}\\.`).test(text),
    );
    if (!isUsed) joins.splice(at, 1);
  }
}

/** The account's number of a row: an expression, which may be a column of its own. */
interface RowNumber {
  readonly column?: string;
  readonly expression: string;
  /** The tables that it joins. */
  readonly through: readonly TableView[];
}

interface Joined {
  readonly table: TableView;
  readonly alias: string;
}

interface Growing {
  readonly aliases: Aliases;
  readonly joins: string[];
  readonly names: Set<string>;
  readonly selected: string[];
  readonly columns: ResultColumn[];
  readonly isJoined: Set<TableView>;
}

/** The columns that equal the account's number, in its order; undefined if they are another key of it. */
function ownColumns(
  { columns, references }: Reference,
  key: readonly string[],
): readonly string[] | undefined {
  const own = key.map((name) => columns[references.indexOf(name)]);
  return own.every((name) => name !== undefined) ? own : undefined;
}

function labelOf({ label }: TableView): string {
  return wordsOf(label).join('_');
}

function isOfBill({ columns }: Reference): boolean {
  return columns.some((name) => /bill|rechnung|invoice/i.test(name));
}

/** What a reference is called beside another to the same table: billing_address of billing_address_id. */
function roleOf({ columns: [column = ''] }: Reference): string {
  const words = wordsOf(column);
  return words.slice(0, words.length > 1 ? -1 : undefined).join('_') || stemOf(column);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const isTaken = (text: string): boolean =>
    [...taken].some((other) => other.toLowerCase() === text.toLowerCase());
  let free = name;
  while (isTaken(free)) free += '_';
  return free;
}

/** Short names of tables within a query. */
class Aliases {
  readonly #taken = new Set<string>();

  of({ label }: TableView): string {
    const initials = wordsOf(label)
      .map((word) => word.replace(/[^a-z].*$/, '')[0] ?? '')
      .join('');
    const short = /^(?:as|by|do|if|in|is|of|on|or|to)?$/.test(initials) ? `t${initials}` : initials;
    let alias = short;
    for (let at = 2; this.#taken.has(alias); at += 1) alias = `${short}${at}`;
    this.#taken.add(alias);
    return alias;
  }
}
