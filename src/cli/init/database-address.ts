import { open, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { exitCodes } from '../../domain/exit-codes.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { isDataFile, isNamedFile } from '../../source/formats/formats.ts';

/** A database that the user names in place of an export. */
export interface NamedDatabase {
  readonly driver: 'postgres' | 'mysql' | 'sqlite';
  readonly url?: string;
  /** Absolute. */
  readonly file?: string;
}

const sqliteStart = 'SQLite format 3\0';

/** How dumps begin, and how each becomes a database that can be read. */
const dumps: readonly (readonly [start: RegExp, what: string, remedy: string])[] = [
  [
    /^PGDMP/,
    'a dump of PostgreSQL (pg_dump -Fc)',
    'createdb book && pg_restore -d book FILE, then migrate init postgres://localhost/book',
  ],
  [
    /PostgreSQL database/,
    'a dump of PostgreSQL',
    'createdb book && psql book -f FILE, then migrate init postgres://localhost/book',
  ],
  [
    /(?:MySQL|MariaDB) dump|ENGINE\s*=\s*\w+/,
    'a dump of MySQL',
    'mysql -e "CREATE DATABASE book" && mysql book < FILE, then migrate init mysql://localhost/book',
  ],
  [
    /PRAGMA foreign_keys|BEGIN TRANSACTION;\s*CREATE TABLE/,
    'a dump of SQLite',
    'sqlite3 book.sqlite < FILE, then migrate init book.sqlite',
  ],
];

/** The database of an address or a SQLite file; undefined for anything else. Throws CannotStart for a dump of one. */
export async function namedDatabase(cwd: string, name: string): Promise<NamedDatabase | undefined> {
  if (/^postgres(?:ql)?:\/\//.test(name)) return { driver: 'postgres', url: name };
  if (/^(?:mysql|mariadb):\/\//.test(name))
    return { driver: 'mysql', url: name.replace(/^mariadb:/, 'mysql:') };
  const file = resolve(cwd, name);
  const start = await startOf(file);
  if (start?.startsWith(sqliteStart) === true) return { driver: 'sqlite', file };
  refuseDump(name, start);
  return databaseIn(cwd, name);
}

/** The only database in a directory that has no files of an export. Throws CannotStart for several, and for a dump. */
async function databaseIn(cwd: string, directory: string): Promise<NamedDatabase | undefined> {
  const entries = await readdir(resolve(cwd, directory), { withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  if (files.some((name) => isDataFile(name) || isNamedFile(name))) return undefined;
  const databases: string[] = [];
  for (const name of files.sort()) {
    const start = await startOf(resolve(cwd, directory, name));
    if (start?.startsWith(sqliteStart) === true) databases.push(name);
  }
  const [first, second] = databases;
  if (second !== undefined)
    throw new CannotStart(
      exitCodes.usage,
      `${directory} has ${databases.length} databases: ${databases.join(', ')}. Name one: migrate init ${join(directory, first ?? '')}.`,
    );
  if (first !== undefined) return { driver: 'sqlite', file: resolve(cwd, directory, first) };
  for (const name of files) {
    const dump = join(directory, name);
    refuseDump(dump, await startOf(resolve(cwd, dump)));
  }
  return undefined;
}

/** Throws CannotStart: a dump has statements, which only a database can carry out. */
function refuseDump(name: string, start: string | undefined): void {
  const isNamed = /\.(?:sql|dump|pgdump)(?:\.(?:gz|zst|bz2|xz))?$/i.test(name);
  if (start === undefined || !(isNamed || start.startsWith('PGDMP'))) return;
  const [, what, commands] = dumps.find(([known]) => known.test(start)) ?? [];
  const restore =
    what === undefined || commands === undefined
      ? `${name} has SQL statements, not the data itself. Load it into a database of its kind, then name that: ` +
        'migrate init postgres://localhost/book, mysql://localhost/book or book.sqlite.'
      : `${name} is ${what}, not the data itself. Restore it: ${commands.replace('FILE', name)}.`;
  throw new CannotStart(exitCodes.usage, restore);
}

/** The beginning of a file; undefined if it is none, or cannot be read, which is told where it is read as an export. */
async function startOf(file: string): Promise<string | undefined> {
  const opened = await open(file).catch(() => undefined);
  if (opened === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } catch {
    return undefined;
  } finally {
    await opened.close();
  }
}
