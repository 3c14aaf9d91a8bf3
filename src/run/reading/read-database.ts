import { definedFields } from '../../domain/defined-fields.ts';
import { resolve } from 'node:path';
import { resolveSourcePassword } from '../../config/credentials.ts';
import type { Config } from '../../config/load-config.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { whyUnwritten } from '../../domain/unwritten.ts';
import { windowsNameFault } from '../../domain/windows-name.ts';
import type { Problem } from '../../domain/problem.ts';
import type { Mapping, SourceSpec } from '../../mapping/plan.ts';
import { counted, isoTime } from '../../report/format.ts';
import {
  DatabaseFailure,
  type DatabaseAddress,
  type DatabaseConnection,
} from '../../source/database/connection.ts';
import { openDatabase } from '../../source/database/open-database.ts';
import {
  columnsOf,
  TableFailure,
  writeSnapshot,
  type QueriedTable,
} from '../../source/database/write-snapshot.ts';
import type { SnapshotManifest } from '../../source/database/snapshot-manifest.ts';
import { readTrustedText } from '../../domain/trusted-file.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { requireConfirmed } from '../session/confirmed-addresses.ts';
import type { Environment, Reporter } from '../../host/environment.ts';
import { formatProblem } from './format-problem.ts';
import { runShellCommand } from '../../host/user-commands.ts';

export type SourceSettings = Pick<
  Config,
  'sourceUrl' | 'sourcePasswordFile' | 'sourcePasswordCommand' | 'isSourceFound' | 'file'
>;

/** A mapping that reads a database, and the directory of its file. */
export interface DatabaseMapping {
  readonly mapping: Mapping;
  readonly source: SourceSpec;
  readonly directory: string;
}

/** The tables of a mapping with their queries. */
export function queriedTables({
  mapping,
  source,
}: Pick<DatabaseMapping, 'mapping' | 'source'>): QueriedTable[] {
  return [...mapping.tables, ...(mapping.itemTables ?? [])].flatMap(({ name, file, key }) => {
    const found = source.queries.find((query) => query.name === name);
    return found === undefined ? [] : [{ name, file: `${file}.gz`, key, query: found.query }];
  });
}

/** For people: the driver and the place, without user, password and options. */
export function databaseLabel({
  driver,
  url,
  file,
}: Pick<DatabaseAddress, 'driver' | 'url' | 'file'>): string {
  if (url === undefined) return file ?? driver;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/**
 * Reads the tables of a mapping from their database into a directory, which must not exist. Throws CannotStart; nothing
 * is left then.
 */
export async function readDatabase(
  environment: Pick<Environment, 'env' | 'clock' | 'onInterrupt'>,
  reporter: Reporter,
  settings: SourceSettings,
  from: DatabaseMapping,
  directory: string,
): Promise<SnapshotManifest> {
  const { source } = from;
  const interrupt = new AbortController();
  const forget = environment.onInterrupt(() => {
    interrupt.abort(
      new CannotStart(
        exitCodes.stoppedEarly,
        'Interrupted while the database was read: nothing was sent. Run the same command again.',
      ),
    );
  });
  let connection: DatabaseConnection | undefined;
  // A query that is under way ends with its connection.
  const disconnect = (): void => void connection?.close();
  interrupt.signal.addEventListener('abort', disconnect);
  try {
    const address = await addressOf(environment, settings, from);
    const database = databaseLabel({ ...address, driver: source.driver });
    reporter.info(`Reading ${database}.`);
    connection = await openDatabase(address);
    const tables = queriedTables(from);
    for (const table of tables) requireFileName(table, source);
    refuseColumns(from.mapping, await columnsOf(connection, tables));
    const takenAt = isoTime(environment.clock.now());
    const about = { driver: source.driver, database, takenAt, directory };
    const manifest = await writeSnapshot(connection, tables, about, {
      signal: interrupt.signal,
      onTable: ({ name, rows }) => reporter.info(`Read ${name}: ${counted(rows, 'row')}.`),
    });
    if (!manifest.isConsistent)
      reporter.warn(
        'The tables were read one after another, not as of one moment. If the old system was in use in the meantime, read them again.',
      );
    return manifest;
  } catch (error) {
    interrupt.signal.throwIfAborted();
    throw refusalOf(error, source);
  } finally {
    interrupt.signal.removeEventListener('abort', disconnect);
    forget();
    await connection?.close();
  }
}

async function addressOf(
  { env }: Pick<Environment, 'env'>,
  settings: SourceSettings,
  { source, directory }: DatabaseMapping,
): Promise<DatabaseAddress> {
  const { driver, file, options } = source;
  const { url = source.url } = { url: settings.sourceUrl };
  if (url === undefined && (driver === 'postgres' || driver === 'mysql')) {
    const { file: named, line } = source.origin;
    throw new CannotStart(
      exitCodes.usage,
      `${named}:${line}:source: No address of the database is configured. Write url here, or set sourceUrl in .migraterc.`,
    );
  }
  const password = await resolveSourcePassword(settings, env, runShellCommand, readTrustedText);
  if (password !== undefined && 'detail' in password)
    throw new CannotStart(exitCodes.usage, `${password.where}: ${password.detail}`);
  if (url !== undefined && URL.canParse(url) && (env['MIGRATE_SOURCE_PASSWORD'] ?? '') !== '')
    await requireConfirmed({ env }, settings, {
      ...{ variable: 'MIGRATE_SOURCE_PASSWORD', address: url, isFound: settings.isSourceFound },
      isElsewhere: settings.sourceUrl === undefined,
      instead:
        settings.sourceUrl === undefined ? 'name the mapping with --mapping' : 'set MIGRATE_SOURCE_URL too',
    });
  return definedFields({
    driver: driver.includes('/') ? resolve(directory, driver) : driver,
    url,
    file: file === undefined ? undefined : resolve(directory, file),
    options,
    password: password?.reveal(),
  });
}

/** Throws CannotStart if no file of the snapshot can have the name of the table. */
function requireFileName({ name, file }: QueriedTable, { queries, origin }: SourceSpec): void {
  const fault = windowsNameFault(file);
  if (fault === undefined) return;
  const { file: mapping, line } = queries.find((query) => query.name === name)?.origin ?? origin;
  throw new CannotStart(
    exitCodes.usage,
    `${mapping}:${line}: ${file}, the file of the table ${name}, cannot be written: ${fault}. Give the table another name.`,
  );
}

/** A column that the mapping names and its query does not return is reported before anything is read. */
function refuseColumns(mapping: Mapping, columns: ReadonlyMap<string, readonly string[]>): void {
  const tables = mapping.tables.map((spec) => {
    const known = columns.get(spec.name);
    return definedFields({ ...spec, format: 'ndjson', isFlat: false, columns: known });
  });
  const bound = mapping.bind(tables);
  const missing = 'problems' in bound ? bound.problems.filter(({ code }) => code === 'unknown_column') : [];
  if (missing.length > 0) throw new CannotStart(exitCodes.usage, missing.map(formatProblem), missing);
}

/** The refusal for a failure, at the mapping's line of the query or of the database. */
function refusalOf(error: unknown, { queries, origin }: SourceSpec): unknown {
  if (!(error instanceof TableFailure) && !(error instanceof DatabaseFailure)) return systemRefusal(error);
  const cell =
    error instanceof TableFailure
      ? (queries.find(({ name }) => name === error.table)?.origin ?? origin)
      : origin;
  const problem: Problem = {
    account: null,
    code: error.code,
    path: cell.column,
    detail: error.message,
    severity: 'error',
    cell,
  };
  return new CannotStart(exitCodes.usage, formatProblem(problem), [problem]);
}

function systemRefusal(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  return new CannotStart(exitCodes.usage, `The snapshot cannot be written: ${whyUnwritten(error)}`);
}
