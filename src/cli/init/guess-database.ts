import { resolveSourcePassword } from '../../config/credentials.ts';
import type { Config } from '../../config/load-config.ts';
import { definedFields } from '../../domain/defined-fields.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { remedyFor } from '../../domain/nearest.ts';
import { holdsPassword } from '../../domain/server-address.ts';
import { readTrustedText } from '../../domain/trusted-file.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { runShellCommand } from '../../host/user-commands.ts';
import { isCalled } from '../../mapping/guess/accounts-table.ts';
import type { ColumnGuess } from '../../mapping/guess/column-guess.ts';
import {
  guessDatabase as guessFrom,
  type GuessedDatabase,
} from '../../mapping/guess/queries/database-guess.ts';
import { sqlName } from '../../mapping/guess/queries/sql-names.ts';
import type { Declared, SampledFile } from '../../mapping/guess/table-view.ts';
import { readCatalogue, type CatalogueTable } from '../../source/database/catalogue/catalogue.ts';
import { DatabaseFailure, type DatabaseConnection } from '../../source/database/connection.ts';
import { openDatabase } from '../../source/database/open-database.ts';
import { isBinaryType, sampleTable } from '../../source/database/sample-table.ts';
import type { NamedDatabase } from './database-address.ts';
import { mostTables } from './guess-export.ts';

/** A database as a mapping of it is guessed. */
export interface GuessedSource extends GuessedDatabase {
  /** How many tables were looked at. */
  readonly count: number;
  /** How many were not, because there are too many. */
  readonly unseen: number;
}

type Settings = Pick<Config, 'sourcePasswordFile' | 'sourcePasswordCommand'>;

/** Guesses a mapping from a database's catalogue and the first rows of its tables. Throws CannotStart. */
export async function guessDatabase(
  database: NamedDatabase,
  settings: Settings & Parameters<typeof resolveSourcePassword>[0],
  env: Parameters<typeof resolveSourcePassword>[1],
  asked: string | undefined,
): Promise<GuessedSource> {
  const { driver, url } = database;
  if (url !== undefined && URL.canParse(url) && holdsPassword(new URL(url)))
    throw new CannotStart(
      exitCodes.usage,
      'The address contains a password. Remove it, and set MIGRATE_SOURCE_PASSWORD, sourcePasswordFile or sourcePasswordCommand.',
    );
  const password = await resolveSourcePassword(settings, env, runShellCommand, readTrustedText);
  if (password !== undefined && 'detail' in password)
    throw new CannotStart(exitCodes.usage, `${password.where}: ${password.detail}`);
  try {
    const connection = await openDatabase(definedFields({ ...database, password: password?.reveal() }));
    try {
      const tables = await readCatalogue(connection, driver);
      if (tables.length === 0)
        throw new CannotStart(
          exitCodes.usage,
          'The database has no tables that this user may read. Check its name, and grant SELECT on the tables.',
        );
      const seen = tables.slice(0, mostTables);
      const samples = await sampled(connection, seen, database);
      if (asked !== undefined) refuseUnknown(asked, samples);
      const guessed = guessFrom(samples, driver, asked);
      if (guessed.tables.length === 0)
        throw new CannotStart(
          exitCodes.usage,
          'No table has a key that may be an account number. Name the accounts table with --accounts, or write the mapping by hand (docs/databases.md).',
        );
      return { ...guessed, count: seen.length, unseen: tables.length - seen.length };
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (error instanceof DatabaseFailure) throw new CannotStart(exitCodes.usage, error.message);
    throw error;
  }
}

function refuseUnknown(asked: string, samples: readonly SampledFile[]): void {
  if (samples.some((sample) => isCalled(sample, asked))) return;
  const names = samples.map(({ file }) => file);
  throw new CannotStart(
    exitCodes.usage,
    `--accounts: There is no table ${asked}. ${remedyFor(asked, names)}`,
  );
}

async function sampled(
  connection: DatabaseConnection,
  tables: readonly CatalogueTable[],
  { driver }: NamedDatabase,
): Promise<readonly SampledFile[]> {
  const found: SampledFile[] = [];
  for (const table of tables) {
    const parts = [table.schema, table.name].filter((part) => part !== '');
    const named = parts.map((part) => sqlName(part, driver)).join('.');
    const rows = await sampleTable(connection, table, {
      table: named,
      column: (name) => sqlName(name, driver),
    });
    found.push({
      file: fullName(table.schema, table.name),
      label: table.name,
      columns: table.columns.flatMap(({ name, type }) => (isBinaryType(type) ? [] : [name])),
      rows,
      declared: declaredBy(table, driver),
    });
  }
  return found;
}

function fullName(schema: string, name: string): string {
  return schema === '' ? name : `${schema}.${name}`;
}

function declaredBy(
  { columns, keys, foreignKeys, comment }: CatalogueTable,
  driver: NamedDatabase['driver'],
): Declared {
  return {
    keys,
    foreignKeys: foreignKeys.map(({ schema, table, ...own }) => ({ ...own, table: fullName(schema, table) })),
    guesses: new Map(
      columns.flatMap(({ name, type }) => {
        const guess = guessOfType(type, driver);
        return guess === undefined ? [] : [[name, guess] as const];
      }),
    ),
    notes: new Map(
      columns.map(({ name, type, comment: about }) => [
        name,
        about === undefined ? type : `${type}, ${about}`,
      ]),
    ),
    comment,
    hasBinary: columns.some(({ type }) => isBinaryType(type)),
  };
}

/** What a type says of the values; undefined for texts, and for types that say nothing. */
function guessOfType(type: string, driver: NamedDatabase['driver']): ColumnGuess | undefined {
  if (/^bool/i.test(type)) return { kind: 'code', codes: ['false', 'true'] };
  if (/^(?:numeric|decimal|money|real|double|float)/i.test(type))
    return { kind: 'amount', mark: '.', thousands: '', signs: [], odd: 0 };
  if (/^(?:tiny|small|medium|big)?(?:int|serial)|^(?:int|year)/i.test(type)) return { kind: 'whole number' };
  // SQLite has texts for dates, whose formats only their texts show.
  if (driver === 'sqlite') return undefined;
  if (/^date$/i.test(type)) return { kind: 'date', pattern: '', odd: 0 };
  return /^(?:timestamp|datetime)/i.test(type) ? { kind: 'datetime', pattern: '', odd: 0 } : undefined;
}
