import { beingUpgraded } from '../safety/outdated.ts';
import type { UpgradeOptions } from '../store.ts';
import type { JournalAddress } from './address.ts';
import type { JournalConnection } from './connection.ts';
import { migrations } from './migrations.ts';

/** The number of an advisory lock: two runs may start at once on an empty database. */
const lock = 7_235_419;
/** Between two looks at another process's upgrade, in ms. */
const lookEveryMs = 500;
/** By this name of a connection, others see who upgrades: a name has at most 63 bytes. */
const upgrading = /^migrate upgrade (\d+) (.*)$/;

/** Begins a transaction in which nobody else makes or upgrades a journal; waits for whoever does. */
export async function takeLock(
  connection: JournalConnection,
  { name }: JournalAddress,
  upgrade: UpgradeOptions | undefined,
): Promise<void> {
  if (upgrade === undefined) {
    await connection.several(`BEGIN; SELECT pg_advisory_xact_lock(${lock})`);
    return;
  }
  const { now, by, owner, sleep, tell } = upgrade;
  for (let isTold = false; ; isTold = true) {
    await connection.several('BEGIN');
    const [got] = await connection.query<{ is: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS is', [
      lock,
    ]);
    if (got?.is === true) break;
    await connection.several('ROLLBACK');
    const [since, who] = isTold ? [undefined, ''] : await holderOf(connection);
    if (!isTold) tell(beingUpgraded(name, since ?? now, who));
    await sleep(lookEveryMs);
  }
  const who = `migrate upgrade ${now} ${by.user}@${owner.host}`.slice(0, 63);
  await connection.query("SELECT set_config('application_name', $1, true)", [who]);
}

async function holderOf(connection: JournalConnection): Promise<readonly [number | undefined, string]> {
  const rows = await connection.query<{ name: string | null }>(
    `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND objid = $1 AND granted`,
    [lock],
  );
  const [, since, who] = upgrading.exec(rows[0]?.name ?? '') ?? [];
  return [since === undefined ? undefined : Number(since), who ?? 'another process'];
}

/** The version of the tool that began the last run. */
export async function lastVersion(connection: JournalConnection): Promise<string | undefined> {
  const [row] = await connection.query<{ version: string }>(
    'SELECT version FROM actor JOIN run ON run.actor = actor.id ORDER BY run.id DESC LIMIT 1',
  );
  return row?.version;
}

/** Gives whoever may read the accounts the same right to tables that are new. */
export async function shareWithReaders(connection: JournalConnection, schema: string): Promise<void> {
  await connection.several(`DO $$
    DECLARE reader record;
    BEGIN
      FOR reader IN
        SELECT DISTINCT CASE acl.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(acl.grantee)) END AS name
        FROM pg_class, aclexplode(relacl) AS acl
        WHERE pg_class.oid = 'account'::regclass AND acl.privilege_type = 'SELECT' AND acl.grantee <> relowner
      LOOP
        EXECUTE 'GRANT SELECT ON ALL TABLES IN SCHEMA "${schema}" TO ' || reader.name;
      END LOOP;
    END $$`);
}

/** Records the upgrade, within its transaction. */
export async function record(
  connection: JournalConnection,
  from: number,
  writtenBy: string | undefined,
  { now, by }: UpgradeOptions,
): Promise<void> {
  const actor = [by.user, by.host, by.version];
  await connection.query(
    'INSERT INTO actor (login, host, version) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    actor,
  );
  await connection.query(
    `INSERT INTO upgrade (at, actor, from_schema, to_schema, from_version)
    SELECT $4, id, $5, $6, $7 FROM actor WHERE login = $1 AND host = $2 AND version = $3`,
    [...actor, now, from, migrations.length, writtenBy ?? null],
  );
}
