import { changeBy, type TextShape } from '../../domain/text-shape.ts';
import { accountsTableIn, type AccountsTable } from './accounts-table.ts';
import { attachedBy } from './attached-tables.ts';
import type { GuessedColumn, GuessedTable, Keyed, UnsureWay } from './guessed-table.ts';
import { bare, bareDigits, referencesIn, type Reference } from './references.ts';
import { countriesIn, countryForm, TableView, type SampledFile } from './table-view.ts';
import { secondCatalogues } from './second-catalogues.ts';
import { waysIn, type Way } from './ways.ts';

/** The tables of an export, and what was found about the accounts. */
export interface GuessedTables {
  /** The accounts table first; none if no column looks like an account number. */
  readonly tables: readonly GuessedTable[];
  readonly accounts?: AccountsTable | undefined;
}

/** Guesses the accounts table and the ways of the others to it. `asked`: the accounts table, by a user who knows it. */
export function guessTables(samples: readonly SampledFile[], asked?: string): GuessedTables {
  const views = samples.map((sample) => new TableView(sample));
  const references = referencesIn(views);
  const accounts = accountsTableIn(views, references, asked);
  if (accounts === undefined) return { tables: [] };
  const ways = waysIn(views, accounts, references);
  const named = new Names(ways);
  const keys = new AccountKeys(accounts, ways);
  const first = ways.map((way): Keyed => ({
    name: named.of(way.table),
    sample: way.table.sample,
    way,
    ...keys.of(way, named),
  }));
  const keyed = [
    ...first,
    ...secondCatalogues(first, references, (catalogue, suffix) => named.free(`${catalogue}_${suffix}`)),
  ];
  const tables = keyed.map((table): GuessedTable => {
    const { way, ...rest } = table;
    return {
      ...rest,
      isCatalogue: way.kind === 'catalogue',
      reason: way.kind === 'account' ? accounts.reason : reasonOf(way),
      unsure: way.kind === 'none' ? unsureWays(way.table, keyed, references, named) : [],
      columns: way.table.columns.map((column) => ({
        name: column.name,
        guess: column.guess,
        countryForm: countryForm(column),
        countries: countriesIn(column),
        texts: column.texts,
        origin: way.table.label,
        ...(column.name === table.key && way.kind !== 'catalogue'
          ? {}
          : columnReferences(column.name, table, keyed, references)),
      })),
    };
  });
  return { tables, accounts };
}

/** Why a table's rows are those of accounts, and how sure that is. */
export function reasonOf({ kind, reference, attachments }: Way): string | undefined {
  if (reference === undefined) return undefined;
  if (attachments !== undefined)
    return `sure: foreign keys of the database: ${attachments.map(attachedBy).join('; or ')}`;
  const { sureness, reason, columns, from } = reference;
  const said = kind === 'catalogue' ? `${columns.join(', ')} of ${from.label}: ${reason}` : reason;
  return `${sureness === 'declared' ? 'sure' : sureness}: ${said}`;
}

/** The names of tables in the mapping. */
class Names {
  readonly #names = new Map<TableView, string>();

  readonly #taken = new Set(['accounts']);

  constructor(ways: readonly Way[]) {
    for (const { table, kind } of ways)
      this.#names.set(table, kind === 'account' ? 'accounts' : nameOf(table.label, this.#taken));
  }

  free(name: string): string {
    return nameOf(name, this.#taken);
  }

  of(table: TableView): string {
    return this.#names.get(table) ?? '';
  }
}

/** A free name for a table, made of that of its file. */
export function nameOf(file: string, taken: Set<string>): string {
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

/** How each table's rows write the number by which they find their account. */
class AccountKeys {
  readonly #accounts: AccountsTable;
  readonly #shape: TextShape | undefined;
  readonly #numbers: readonly string[];

  constructor(accounts: AccountsTable, ways: readonly Way[]) {
    this.#accounts = accounts;
    const [key = ''] = accounts.key;
    const texts = accounts.table.column(key)?.texts ?? [];
    // If no change of theirs makes the numbers of the accounts table, those are changed too.
    const isWrittenOtherwise = ways.some(
      ({ reference }) =>
        reference?.shape !== undefined &&
        this.#isDirect(reference) &&
        shapeOf(textsOf(reference), texts) === 'none',
    );
    this.#shape = isWrittenOtherwise ? bareDigits : undefined;
    this.#numbers = this.#shape === undefined ? texts : texts.map(changeBy(this.#shape));
  }

  #isDirect({ to, references }: Reference): boolean {
    return to === this.#accounts.table && references.join() === this.#accounts.key.join();
  }

  of({ kind, reference }: Way, names: Names): Pick<Keyed, 'key' | 'keyShape' | 'via'> {
    if (kind === 'account') return { key: this.#accounts.key[0], keyShape: this.#shape };
    return reference === undefined ? {} : this.by(reference, kind === 'catalogue', names);
  }

  by(reference: Reference, isCatalogue: boolean, names: Names): Pick<Keyed, 'key' | 'keyShape' | 'via'> {
    const [column = ''] = reference.columns;
    const [other = ''] = reference.references;
    if (isCatalogue)
      return { key: other, keyShape: reference.shape, via: { table: names.of(reference.from), column } };
    if (!this.#isDirect(reference))
      return {
        key: column,
        keyShape: reference.shape,
        via: { table: names.of(reference.to), column: other },
      };
    const shape = shapeOf(textsOf(reference), this.#numbers);
    return { key: column, keyShape: shape === 'none' ? this.#shape : shape };
  }
}

function textsOf({ from, columns: [column = ''] }: Reference): readonly string[] {
  return from.column(column)?.texts ?? [];
}

/** The change that makes the account numbers of most texts; `none` if there is none, undefined if they need none. */
function shapeOf(texts: readonly string[], numbers: readonly string[]): TextShape | 'none' | undefined {
  const known = new Set(numbers);
  const plain = texts.filter((text) => known.has(text)).length;
  if (plain * 2 > texts.length) return undefined;
  const widths = new Set(numbers.map(({ length }) => length));
  const pad = widths.size === 1 && numbers.every((text) => /^\d+$/.test(text)) ? [...widths][0] : undefined;
  const shapes = [{ digits: true }, bareDigits].flatMap((shape): TextShape[] =>
    pad === undefined ? [shape] : [shape, { ...shape, pad: { width: pad } }],
  );
  const digits = new Set(numbers.map(bare));
  const alike = texts.filter((text) => digits.has(bare(text)));
  let best: { readonly most: number; readonly shape: TextShape | 'none' } = { most: plain, shape: 'none' };
  for (const shape of alike.length > plain ? shapes : []) {
    const most = alike.filter((text) => known.has(changeBy(shape)(text))).length;
    if (most > best.most) best = { most, shape };
  }
  if (best.most * 2 > texts.length) return best.shape;
  // Nothing in the rows that were read contradicts the name.
  return alike.length === 0 ? undefined : 'none';
}

/** The uncertain ways of a table without a certain one. */
function unsureWays(
  table: TableView,
  keyed: readonly Keyed[],
  references: readonly Reference[],
  names: Names,
): readonly UnsureWay[] {
  const isReached = (other: TableView): boolean =>
    keyed.some(({ way }) => way.table === other && way.kind !== 'none');
  return references.flatMap((reference): UnsureWay[] => {
    const { from, to, columns, references: keys, sureness, reason } = reference;
    if (columns.length !== 1 || sureness !== 'unsure') return [];
    const isCatalogue = to === table && isReached(from);
    if (!isCatalogue && !(from === table && isReached(to))) return [];
    const [column = ''] = columns;
    const [key = ''] = keys;
    const other = isCatalogue ? { table: names.of(from), column } : { table: names.of(to), column: key };
    const { way } = keyed.find(({ name }) => name === other.table) ?? {};
    const isDirect = !isCatalogue && way?.kind === 'account' && keyed[0]?.key === key;
    const said = isCatalogue ? `${column} of ${from.label}: ${reason}` : `${column}: ${reason}`;
    return [
      {
        key: isCatalogue ? key : column,
        via: isDirect ? undefined : other,
        isCatalogue,
        reason: said,
      },
    ];
  });
}

/** What a column refers to beside its table's way to the account. */
function columnReferences(
  column: string,
  table: Keyed,
  tables: readonly Keyed[],
  references: readonly Reference[],
): Pick<GuessedColumn, 'refersTo' | 'unsure'> {
  const own = references.filter(
    ({ from, columns }) => from === table.way.table && columns[0] === column && columns.length === 1,
  );
  const certain = own.find(({ sureness }) => sureness !== 'unsure');
  const targets = tables.filter(({ way }) => way.table === certain?.to);
  const target = targets.find(({ via }) => via?.table === table.name && via.column === column) ?? targets[0];
  if (certain !== undefined && target !== undefined && target.key !== undefined && target !== tables[0])
    return { refersTo: { table: target.name, column: certain.references[0] ?? '' } };
  const within = reference(column, table, tables);
  if (within !== undefined) return { refersTo: within };
  const doubtful = own.filter(({ sureness }) => sureness === 'unsure');
  if (doubtful.length === 0) return {};
  const shown = doubtful.map(({ to, references: [key] }) => `${key ?? ''} of ${to.label}`);
  return { unsure: `may refer to ${shown.join(', or to ')} (${doubtful[0]?.reason ?? ''})` };
}

/** The other table that has each of an account's values exactly once, under the same column name. */
function reference(
  column: string,
  table: Keyed,
  tables: readonly Keyed[],
): { readonly table: string; readonly column: string } | undefined {
  if (table.way.table.column(column)?.mayRefer !== true) return undefined;
  const own = new Set(pairs(table, column));
  // The account number joins a row to its account, so it is not another reference.
  const target = tables.slice(1).find((other) => {
    const isOther = other.way.table !== table.way.table && other.key !== undefined;
    if (!isOther || !other.sample.columns.includes(column)) return false;
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
