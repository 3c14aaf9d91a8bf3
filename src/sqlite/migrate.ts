import type Database from 'better-sqlite3';
import { DatabaseRefused, useThat } from '../domain/database-refused.ts';
import { connect } from './connect.ts';
import { flawsOf, flawText, structureOf, type Flaw, type Structure } from './structure.ts';

/** SQL that a database needs only where it lacks something. */
export interface SchemaPiece {
  /** What it adds, as a `Structure` names it; absent: every database needs it. */
  readonly adds?: string;
  readonly sql: string;
}

/** SQL that rewrites the text of a table's definition where that changes no stored row, such as a wider CHECK. */
export interface Rewriting {
  readonly rewrites: string;
}

/** SQL that migrates a schema from version n to n + 1. In pieces, if some databases of version n have part of it already. */
export type SchemaMigration = string | readonly SchemaPiece[] | Rewriting;

/** How one schema version becomes the next. */
export interface DatabaseSchema {
  /** For messages: 'journal', 'platform state'. */
  readonly what: string;
  /** The newest version is their number. */
  readonly migrations: readonly SchemaMigration[];
  /** The version of the tool that wrote a database last, if it says so; also called for one that is newer. */
  readonly writer?: (db: Database.Database) => string | undefined;
}

/** The version of a database's schema; refuses one that is newer than this tool. */
export function versionOf(
  db: Database.Database,
  spec: Pick<DatabaseSchema, 'migrations' | 'writer'>,
  file: string,
): number {
  const version = Number(db.pragma('user_version', { simple: true }));
  const newest = spec.migrations.length;
  if (version <= newest) return version;
  throw new DatabaseRefused(
    'newer',
    `${file} was written by a newer version of this tool (schema ${version}, known up to ${newest}). ${useThat(spec.writer?.(db))}`,
  );
}

/**
 * Brings a database to the newest schema in one transaction, and compares its structure with the one that a new database has.
 * Throws DatabaseRefused, and leaves the database unchanged, if something is missing that no migration adds.
 */
export function migrate(db: Database.Database, spec: DatabaseSchema, file: string): void {
  db.transaction(() => {
    const version = versionOf(db, spec, file);
    if (version < spec.migrations.length) bringForward(db, spec, version, file);
  }).immediate();
}

/** Within a transaction. `each` is called before each version. */
export function bringForward(
  db: Database.Database,
  spec: DatabaseSchema,
  version: number,
  file: string,
  each?: (version: number) => void,
): void {
  for (const [at, migration] of spec.migrations.slice(version).entries()) {
    each?.(version + at + 1);
    apply(db, migration);
  }
  db.pragma(`user_version = ${spec.migrations.length}`);
  if (version === 0) return;
  const meant = meantStructure(spec, spec.migrations.length);
  for (const { name, is } of flawsOf(structureOf(db), meant))
    // An index has no data of its own.
    if (name.startsWith('index ') && is === 'missing') db.exec(meant.get(name) ?? '');
  const [flaw] = flawsOf(structureOf(db), meant);
  if (flaw !== undefined)
    throw new DatabaseRefused(
      'damaged',
      `The ${spec.what} ${file} is not whole, so it was not upgraded and is unchanged. ${flawText(flaw)} Restore a backup.`,
    );
}

function isPieces(migration: SchemaMigration): migration is readonly SchemaPiece[] {
  return Array.isArray(migration);
}

function apply(db: Database.Database, migration: SchemaMigration): void {
  if (typeof migration === 'string') {
    db.exec(migration);
    return;
  }
  if ('rewrites' in migration) {
    // SQLite guards its own table of definitions otherwise.
    db.unsafeMode(true);
    try {
      db.exec(`PRAGMA writable_schema = ON; ${migration.rewrites}; PRAGMA writable_schema = RESET`);
      // So that other connections read the definitions again.
      db.pragma(`schema_version = ${Number(db.pragma('schema_version', { simple: true })) + 1}`);
    } finally {
      db.unsafeMode(false);
    }
    return;
  }
  for (const { adds, sql } of migration) if (adds === undefined || !structureOf(db).has(adds)) db.exec(sql);
}

/** What a database lacks of its schema version, except for what the versions after it add. */
export function flawsIn(
  db: Database.Database,
  spec: Pick<DatabaseSchema, 'migrations'>,
  version: number,
): readonly Flaw[] {
  const later = new Set(
    spec.migrations
      .slice(version)
      .flatMap((migration) => (isPieces(migration) ? migration.map(({ adds }) => adds) : [])),
  );
  return flawsOf(structureOf(db), meantStructure(spec, version)).filter(({ name }) => !later.has(name));
}

/** The structure of a new database of this version. */
export function meantStructure(
  { migrations }: Pick<DatabaseSchema, 'migrations'>,
  version: number,
): Structure {
  const db = connect(':memory:');
  try {
    for (const migration of migrations.slice(0, version)) apply(db, migration);
    return structureOf(db);
  } finally {
    db.close();
  }
}
