import { DatabaseRefused } from '../../domain/database-refused.ts';
import type { JournalAddress } from './address.ts';
import type { JournalConnection } from './connection.ts';

/** Which journal this is, and where it was when it was last known to be whole. */
export interface Identity {
  readonly identity: string;
  /** '' if no run has been here yet. */
  readonly place: string;
  /** Where it is reached there (`whereOf`), divided by blanks. */
  readonly servers: string;
  /** The same of the place before that, if it was there until yesterday. */
  readonly former: string;
}

/** Throws DatabaseRefused if there is no journal with an identity: nothing may be written there. */
export async function identityOf(connection: JournalConnection): Promise<Identity> {
  const [row] = await connection
    .query<Identity>(
      `SELECT identity, place, servers, CASE WHEN changed > now() - interval '1 day' THEN former ELSE '' END AS former
      FROM journal_identity`,
    )
    .catch((error: unknown) => {
      // No such table: the address leads to another journal now, or to none.
      if (error instanceof Error && 'code' in error && error.code === '42P01') return [];
      throw error;
    });
  if (row === undefined) throw otherJournal();
  return row;
}

export function otherJournal(): DatabaseRefused {
  return new DatabaseRefused(
    'foreign',
    'Its address leads to another journal than the one that this run opened. Nothing was written to that one, and no further request was sent. Check where the address leads, and run the same command again.',
  );
}

const where = (system: string): string => `
  SELECT concat_ws(' ', ${system},
    -- A promoted standby, and a server that was put back to an earlier moment, continues on a new timeline.
    'timeline', ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int,
    'database', (SELECT oid FROM pg_database WHERE datname = current_database()),
    'table', 'journal_identity'::regclass::oid) AS place`;

/**
 * Where the journal is now: the server's identifier and timeline, the database and the table. A copy in another place differs in one of
 * them. Undefined on a standby. Call outside of a transaction.
 */
export async function placeOf(connection: JournalConnection): Promise<string | undefined> {
  const from = 'FROM pg_control_system() WHERE NOT pg_is_in_recovery()';
  const [row] = await connection
    .query<{ place: string }>(`${where('system_identifier')} ${from}`)
    .catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === '42501')) throw error;
      return connection.query<{ place: string }>(`${where("'-'")} WHERE NOT pg_is_in_recovery()`);
    });
  return row?.place;
}

/** Records that the journal is whole in this place, or counts as restored in it. */
export async function recordPlace(connection: JournalConnection, place: string): Promise<void> {
  await connection.change(
    `UPDATE journal_identity SET place = $1, former = CASE WHEN place = '' THEN '' ELSE servers END, servers = '', changed = now()
    WHERE place <> $1`,
    [place],
  );
}

/** Where a journal is reached: without blanks. */
export function whereOf({ host, port, database, schema }: Where): string {
  return [`${host}:${port}`, encodeURIComponent(database), schema].join('/');
}

export type Where = Pick<JournalAddress, 'host' | 'port' | 'database' | 'schema'>;

export function readWhere(text: string): Where | undefined {
  const [, host, port, database, schema] = /^(\S+):(\d+)\/([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (host === undefined || database === undefined || schema === undefined) return undefined;
  return { host, port: Number(port), database: decodeURIComponent(database), schema };
}

/** Records where the journal is reached: by this client, and by the server's own account. */
export async function recordServers(connection: JournalConnection, reached: Where): Promise<void> {
  const [own] = await connection.query<{ host: string | null; port: number | null }>(
    'SELECT host(inet_server_addr()) AS host, inet_server_port() AS port',
  );
  const { host, port } = own ?? {};
  const places = [reached, ...(host && port ? [{ ...reached, host, port }] : [])].map(whereOf);
  await connection.change('UPDATE journal_identity SET servers = $1 WHERE servers <> $1', [
    [...new Set(places)].join(' '),
  ]);
}
