import { inUse } from '../safety/in-use.ts';
import type { LeaseOwner } from '../journal.ts';
import type { JournalConnection } from './connection.ts';

/** The first version in which runs share a supplier. */
const versionOfRunners = 2;

/**
 * Refuses to upgrade a journal whose suppliers are held by a process that is not certainly gone, and keeps others from
 * taking one until the transaction ends. Throws DatabaseRefused. `clock`: SQL for the clock of leases, in ms since the epoch.
 */
export async function refuseLiving(
  connection: JournalConnection,
  name: string,
  version: number,
  clock: string,
  isDead: (owner: LeaseOwner) => boolean,
): Promise<void> {
  const isShared = version >= versionOfRunners;
  // Waits for the transactions of runs: each reads the leases first.
  await connection.several(`LOCK TABLE lease${isShared ? ', runner' : ''} IN ACCESS EXCLUSIVE MODE`);
  const owner = 'host, pid, process_start AS "processStart"';
  const holders = await connection.query<LeaseOwner>(
    isShared
      ? `SELECT ${owner} FROM runner WHERE expires_at > ${clock}
        UNION ALL SELECT ${owner} FROM lease WHERE expires_at > ${clock} AND run_group IS NULL`
      : `SELECT ${owner} FROM lease WHERE expires_at > ${clock}`,
  );
  const holder = holders.find((one) => !isDead(one));
  if (holder !== undefined) throw inUse(name, version, holder);
}
