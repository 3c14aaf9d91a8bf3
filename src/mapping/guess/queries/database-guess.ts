import { accountsTableIn, type AccountsTable } from '../accounts-table.ts';
import { attachedBy, attachmentsOf, mayOwn, namesEachOnce } from '../attached-tables.ts';
import { isKindOf, namesStaff, peopleIn } from '../people.ts';
import { referencesIn, type Reference } from '../references.ts';
import type { GuessedColumn, GuessedTable } from '../guessed-table.ts';
import { nameOf, reasonOf } from '../table-guess.ts';
import { countriesIn, countryForm, TableView, type SampledFile } from '../table-view.ts';
import { waysIn, type Way } from '../ways.ts';
import { QueryBuilder, type JoinedQuery } from './joined-query.ts';
import type { SqlDialect } from './sql-names.ts';

/** A table of a mapping with its query: the columns of `guessed` are those of the query's result. */
export interface QueriedGuess {
  readonly guessed: GuessedTable;
  readonly query: JoinedQuery;
  /** Other ways of its rows to an account, for people. */
  readonly others: readonly string[];
}

/** What the catalogue and the first rows of a database's tables say. */
export interface GuessedDatabase {
  /** The accounts first. */
  readonly tables: readonly QueriedGuess[];
  readonly accounts?: AccountsTable | undefined;
  /** The tables without a way to the accounts. */
  readonly unreached: readonly UnreachedTable[];
}

export interface UnreachedTable {
  readonly name: string;
  /** What may be a way to the accounts. */
  readonly unsure: readonly string[];
  /** The query by such a way, and a name for the table. */
  readonly query?: (Pick<JoinedQuery, 'lines' | 'key'> & { readonly name: string }) | undefined;
}

/** Guesses a mapping of queries. `asked`: the accounts table, by a user who knows it. */
export function guessDatabase(
  samples: readonly SampledFile[],
  dialect: SqlDialect,
  asked?: string,
): GuessedDatabase {
  const views = samples.map((sample) => new TableView(sample));
  const references = asDeclared(referencesIn(views));
  const accounts = accountsTableIn(views, references, asked);
  if (accounts === undefined) return { tables: [], unreached: [] };
  const ways = waysIn(views, accounts, references);
  const builder = new QueryBuilder(
    accounts,
    ways,
    { all: references, people: peopleIn(views, references) },
    dialect,
  );
  const taken = new Set(['accounts']);
  const tables = ways.flatMap((way): QueriedGuess[] => {
    if (way.kind !== 'account' && way.kind !== 'child') return [];
    const { table } = way;
    const query = builder.of(table);
    const columns = query.columns.map(({ name, table: of, column }): GuessedColumn => {
      const view = of.column(column);
      return {
        name,
        guess: view?.guess ?? { kind: 'empty' },
        countryForm: view && countryForm(view),
        countries: view && countriesIn(view),
        texts: view?.texts ?? [],
        origin: of.label,
        note: of.sample.declared?.notes.get(column),
        unsure: unsureOf(column, of, references),
      };
    });
    // The column that stands for the account's, so that its rows can be counted for each.
    const [stand] = way.attachments?.[0]?.reference.columns ?? [];
    const rows =
      stand === undefined
        ? table.sample.rows
        : table.sample.rows.map((row) => new Map([...row, [query.key, row.get(stand) ?? '']]));
    const guessed: GuessedTable = {
      name: way.kind === 'account' ? 'accounts' : queriedName(nameOf(table.label, taken)),
      sample: { ...table.sample, columns: columns.map(({ name }) => name), rows },
      key: query.key,
      isCatalogue: false,
      reason: way.kind === 'account' ? accounts.reason : reasonOf(way),
      unsure: [],
      columns,
    };
    return [{ guessed, query, others: (way.others ?? []).map(attachedBy) }];
  });
  const unreached = ways.flatMap(({ table, kind }): UnreachedTable[] => {
    if (kind !== 'none') return [];
    const shared = sharedBy(table, references, ways);
    const [first] = shared;
    const query =
      first && !table.sample.declared?.hasBinary ? builder.over(first.own, first.other) : undefined;
    return [
      {
        name: table.sample.file,
        unsure: [...shared.map(saidOf), ...unsureTo(table, references, accounts)],
        query: query && { ...query, name: queriedName(nameOf(table.label, taken)) },
      },
    ];
  });
  return { tables, accounts, unreached };
}

/** Where a database declares references, one that it does not declare is not certain. */
function asDeclared(references: readonly Reference[]): readonly Reference[] {
  if (!references.some(({ sureness }) => sureness === 'declared')) return references;
  return references.flatMap((reference): Reference[] => {
    if (reference.sureness === 'declared') return [reference];
    // Beside what is declared, only a name that says so is worth a comment.
    if (reference.rank < 3 || reference.sureness === 'unsure') return [];
    const reason = `${reference.reason}, but the database does not declare it`;
    return [{ ...reference, sureness: 'unsure', reason }];
  });
}

/** A name that a table with a query may have. */
function queriedName(name: string): string {
  return name.replaceAll(/[^\w]/g, '_').replace(/_(\d+)$/, '$1');
}

function unsureOf(column: string, table: TableView, references: readonly Reference[]): string | undefined {
  const own = references.filter(
    ({ from, columns, sureness }) => from === table && columns.join() === column && sureness === 'unsure',
  );
  if (own.length === 0) return undefined;
  const shown = own.map(({ to, references: [key] }) => `${key ?? ''} of ${to.label}`);
  return `may refer to ${shown.join(', or to ')} (${own[0]?.reason ?? ''})`;
}

/** A reference of a table to a row that rows of accounts name as well. */
interface Shared {
  readonly own: Reference;
  readonly other: Reference;
}

/** The persons, places and devices that its rows name as rows of accounts do: whose they are, the keys do not say. */
function sharedBy(
  table: TableView,
  references: readonly Reference[],
  ways: readonly Way[],
): readonly Shared[] {
  return references.flatMap((own): Shared[] => {
    const { from, to, sureness } = own;
    if (from !== table || sureness !== 'declared' || namesStaff(to.label) || isKindOf(own)) return [];
    const { kind, reference } = ways.find((way) => way.table === to) ?? {};
    if (kind !== 'catalogue' || reference === undefined) return [];
    return mayOwn(to) || namesEachOnce(reference) ? [{ own, other: reference }] : [];
  });
}

function saidOf({ own: { columns, from, to }, other }: Shared): string {
  return `${columns.join()} of ${from.label} names a row of ${to.label}, as ${other.columns.join()} of ${other.from.label} does. Join them if each is of one account`;
}

function unsureTo(
  table: TableView,
  references: readonly Reference[],
  accounts: AccountsTable,
): readonly string[] {
  const [attachment] = attachmentsOf(table, accounts, references);
  const attached =
    attachment === undefined
      ? []
      : [`it may be ${attachedBy(attachment)}, but too few accounts were read to see that each has its own`];
  const guessed = references.flatMap(({ from, columns, to, references: keys, sureness, reason }) =>
    sureness === 'unsure' && (from === table || to === table)
      ? [`${columns.join()} of ${from.label} may be ${keys.join()} of ${to.label}: ${reason}`]
      : [],
  );
  return [...attached, ...guessed];
}
