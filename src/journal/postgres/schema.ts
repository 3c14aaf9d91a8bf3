import { DatabaseRefused } from '../../domain/database-refused.ts';
import type { Address } from './address.ts';
import type { Connection } from './connection.ts';
import { serverClock } from './leases.ts';
import { refuseLiving } from './living-runs.ts';
import { migrations } from './migrations.ts';
import { flawsIn } from './structure.ts';

/** The number of an advisory lock: two runs may start at once on an empty database. */
const lock = 7_235_419;

/** The schema's version; undefined if there is no journal. Throws DatabaseRefused if it is newer, or not a journal. */
export async function versionOf(
  connection: Connection,
  { schema, name }: Address,
): Promise<number | undefined> {
  // In one statement: another run may make the journal in between.
  const [found] = await connection.query<{ is_journal: boolean; is_moving: boolean; has_others: boolean }>(
    `SELECT to_regclass($1) IS NOT NULL AS is_journal, to_regclass($2) IS NOT NULL AS is_moving,
      CASE WHEN to_regclass($1) IS NULL
        THEN EXISTS (SELECT FROM pg_catalog.pg_tables WHERE schemaname = $3) ELSE false END AS has_others`,
    [`${schema}.journal_version`, `${schema}.moving`, schema],
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
      `The journal ${name} was written by a newer version of this tool (schema ${version}, known up to ${migrations.length}). Use that version.`,
    );
  return version;
}

/**
 * Creates or migrates the schema, one process at a time. `clock`: SQL for the clock of leases, in ms since the epoch. Throws
 * DatabaseRefused, for instance if a run of an earlier version holds a supplier.
 */
export async function prepare(
  connection: Connection,
  address: Address,
  create: boolean,
  clock = serverClock,
): Promise<void> {
  const found = await versionOf(connection, address);
  if (found === migrations.length) return;
  if (found === undefined && !create) throw missing(address);
  const { schema } = address;
  await connection.several(`BEGIN; SELECT pg_advisory_xact_lock(${lock})`);
  try {
    const version = await versionOf(connection, address);
    // A schema that was made for this user needs no right to create others.
    const [has] = await connection.query<{ is: boolean }>('SELECT to_regnamespace($1) IS NOT NULL AS is', [
      schema,
    ]);
    if (has?.is !== true) await connection.several(`CREATE SCHEMA ${schema}`);
    if (version === undefined)
      await connection.several(`
        CREATE TABLE journal_version (version integer NOT NULL);
        INSERT INTO journal_version VALUES (0)`);
    else if (version > 0 && version < migrations.length)
      await refuseLiving(connection, address.name, version, clock);
    for (const sql of migrations.slice(version ?? 0)) await connection.several(sql);
    const [flaw] = (await flawsIn(connection, schema, migrations.length)).filter(isOfData);
    if (flaw !== undefined)
      throw new DatabaseRefused(
        'damaged',
        `The journal ${address.name} is not whole, so it was not upgraded and is unchanged. ${flaw} Restore a backup.`,
      );
    await connection.several(`UPDATE journal_version SET version = ${migrations.length}; COMMIT`);
  } catch (error) {
    await connection.several('ROLLBACK').catch(() => undefined);
    throw error;
  }
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

export function missing({ name, schema }: Address): DatabaseRefused {
  return new DatabaseRefused(
    'missing',
    `There is no journal in the schema ${schema} of ${name}. Check the address, or run a migration first.`,
  );
}
