import { DatabaseRefused, useThat } from '../../domain/database-refused.ts';
import type { JournalAddress } from './address.ts';
import type { JournalConnection } from './connection.ts';
import { serverClock } from './leases.ts';
import { refuseLiving } from './living-runs.ts';
import { migrations } from './migrations.ts';
import { outdated, upgradeBegins } from '../safety/outdated.ts';
import type { Upgraded, UpgradeOptions } from '../store.ts';
import { flawsIn } from './structure.ts';
import { lastVersion, record, shareWithReaders, takeLock } from './upgrade.ts';

/** The schema's version; undefined if there is no journal. Throws DatabaseRefused if it is newer, or not a journal. */
export async function versionOf(
  connection: JournalConnection,
  { schema, name }: JournalAddress,
): Promise<number | undefined> {
  // In one statement: another run may make the journal in between.
  const [found] = await connection.query<{ is_journal: boolean; is_moving: boolean; has_others: boolean }>(
    `SELECT to_regclass($1) IS NOT NULL AS is_journal, to_regclass($2) IS NOT NULL AS is_moving,
      CASE WHEN to_regclass($1) IS NULL
        THEN EXISTS (SELECT FROM pg_catalog.pg_tables WHERE schemaname = $3) ELSE false END AS has_others`,
    [`"${schema}".journal_version`, `"${schema}".moving`, schema],
  );
  if (found?.is_moving === true) throw unfinished(name);
  if (found?.is_journal !== true) {
    if (found?.has_others !== true) return undefined;
    throw new DatabaseRefused(
      'foreign',
      `The schema ${schema} of ${name} has tables of another program. Name another schema (?schema=NAME).`,
    );
  }
  const [row] = await connection.query<{ version: number }>('SELECT version FROM journal_version');
  const version = row?.version ?? 0;
  if (version > migrations.length)
    throw new DatabaseRefused(
      'newer',
      `The journal ${name} was written by a newer version of this tool (schema ${version}, known up to ${migrations.length}). ${useThat(await newestWriter(connection))}`,
    );
  return version;
}

/** The newest version of the tool that is named in a journal, which may be of a later schema. */
async function newestWriter(connection: JournalConnection): Promise<string | undefined> {
  const rows = connection.query<{ version: string }>('SELECT version FROM actor ORDER BY id DESC LIMIT 1');
  return (await rows.catch(() => []))[0]?.version;
}

/** Throws DatabaseRefused if there is no journal, or one of an earlier version. */
export async function refuseOutdated(connection: JournalConnection, address: JournalAddress): Promise<void> {
  const version = await versionOf(connection, address);
  if (version === undefined) throw missing(address);
  if (version < migrations.length) throw outdated(address.name, version, migrations.length);
}

/**
 * Creates or migrates the schema, one process at a time. `clock`: SQL for the clock of leases, in ms since the epoch. Throws
 * DatabaseRefused, for instance if a run of an earlier version holds a supplier.
 */
export async function prepare(
  connection: JournalConnection,
  address: JournalAddress,
  create: boolean,
  clock = serverClock,
  upgrade?: UpgradeOptions,
): Promise<Upgraded | undefined> {
  const found = await versionOf(connection, address);
  if (found === migrations.length) return undefined;
  if (found === undefined && !create) throw missing(address);
  const { schema } = address;
  await takeLock(connection, address, upgrade);
  try {
    const version = await versionOf(connection, address);
    if (version === migrations.length) {
      await connection.several('COMMIT');
      return undefined;
    }
    if (version === undefined) await makeSchema(connection, address);
    else if (version > 0 && version < migrations.length)
      await refuseLiving(connection, address.name, version, clock, upgrade?.isDead ?? (() => false));
    const writtenBy = version === undefined ? undefined : await lastVersion(connection);
    if (version !== undefined)
      upgrade?.tell(
        `${upgradeBegins(address.name, version, migrations.length)} The database's own backups keep it as it was.`,
      );
    await migrateFrom(connection, version, upgrade);
    const [flaw] = (await flawsIn(connection, schema, migrations.length)).filter(isOfData);
    if (flaw !== undefined)
      throw new DatabaseRefused(
        'damaged',
        `The journal ${address.name} is not whole, so it was not upgraded and is unchanged. ${flaw} Restore a backup.`,
      );
    await connection.several(`UPDATE journal_version SET version = ${migrations.length}`);
    if (version !== undefined) {
      await shareWithReaders(connection, schema);
      if (upgrade !== undefined) await record(connection, version, writtenBy, upgrade);
    }
    upgrade?.step?.(migrations.length + 1);
    upgrade?.phase?.('Upgrading the journal: committing');
    await connection.several('COMMIT');
    if (version === undefined) return undefined;
    upgrade?.tell(`The journal ${address.name} is upgraded. An earlier version can no longer use it.`);
    return { from: version, to: migrations.length };
  } catch (error) {
    await connection.several('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    upgrade?.phase?.('');
  }
}

/** A schema that was made for this user needs no right to create others. */
async function makeSchema(connection: JournalConnection, address: JournalAddress): Promise<void> {
  const { schema } = address;
  await refuseEncoding(connection, address);
  const [has] = await connection.query<{ is: boolean }>('SELECT to_regnamespace($1) IS NOT NULL AS is', [
    `"${schema}"`,
  ]);
  if (has?.is !== true) await connection.several(`CREATE SCHEMA "${schema}"`);
  await connection.several(`
    CREATE TABLE journal_version (version integer NOT NULL);
    INSERT INTO journal_version VALUES (0)`);
}

/** Applies what a schema of this version lacks; undefined: a new one, which nobody waits for. */
async function migrateFrom(
  connection: JournalConnection,
  version: number | undefined,
  upgrade: UpgradeOptions | undefined,
): Promise<void> {
  for (const [at, sql] of migrations.slice(version ?? 0).entries()) {
    const next = (version ?? 0) + at + 1;
    if (version !== undefined)
      upgrade?.phase?.(
        `Upgrading the journal: schema ${next} (${at + 1} of ${migrations.length - version + 1})`,
      );
    upgrade?.step?.(next);
    await connection.several(sql);
  }
}

/** Names and messages have characters of every script. */
async function refuseEncoding(
  connection: JournalConnection,
  { name, database }: JournalAddress,
): Promise<void> {
  const [found] = await connection.query<{ encoding: string }>(
    "SELECT current_setting('server_encoding') AS encoding",
  );
  if (found === undefined || found.encoding === 'UTF8') return;
  throw new DatabaseRefused(
    'unwritable',
    `The journal ${name}: the database ${database} has the encoding ${found.encoding}, which cannot hold every character. Nothing was written. Name a database in UTF-8 (createdb --encoding=UTF8 --template=template0 NAME).`,
  );
}

/** An index has no data of its own: without it, some commands are slower. */
function isOfData(flaw: string): boolean {
  return !flaw.startsWith('The index ');
}

function unfinished(name: string): DatabaseRefused {
  return new DatabaseRefused(
    'unwritable',
    `A move of a journal to ${name} is not finished. Run the same migrate journal move again.`,
  );
}

export function missing({ name, schema }: JournalAddress): DatabaseRefused {
  return new DatabaseRefused(
    'missing',
    `There is no journal in the schema ${schema} of ${name}. Check the address, or run a migration first.`,
  );
}
