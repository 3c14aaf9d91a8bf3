import { DatabaseRefused } from '../../domain/database-refused.ts';
import type { JournalAddress } from './address.ts';
import type { JournalConnection } from './connection.ts';

/**
 * Refuses a pooler that gives a connection another process of the server for each transaction (PgBouncer's
 * pool_mode = transaction, or statement): the schema that a connection names, its settings and its prepared statements would
 * be another client's. Statements on two connections, one after another, show it in whichever order a pooler gives its
 * processes out, unless other clients happen to hide it; so each transaction looks again (`refuseOtherProcess`).
 */
export async function refusePooling(
  address: JournalAddress,
  one: JournalConnection,
  other: JournalConnection,
): Promise<void> {
  for (const connection of [one, one, other, other, one, other])
    refuseOtherProcess(address.name, connection.pid, await pidOf(connection));
  if (one.pid === other.pid) throw pooled(address.name);
}

/** `opened`: the process that the connection began with. */
export function refuseOtherProcess(name: string, opened: number, found: number): void {
  if (found !== opened) throw pooled(name);
}

/** In the simple protocol: a statement that is kept prepared fails on another process. */
async function pidOf(connection: JournalConnection): Promise<number> {
  const [rows] = await connection.several('SELECT pg_backend_pid() AS pid');
  return Number(rows?.[0]?.['pid']);
}

function pooled(name: string): DatabaseRefused {
  return new DatabaseRefused(
    'unwritable',
    `The journal ${name} is reached through a pooler in transaction mode (as PgBouncer with pool_mode = transaction): statements of one connection go to different processes of the server. ` +
      'Nothing was written. Name the server itself, or a pool in session mode (pool_mode = session).',
  );
}
