import { inUse } from '../safety/in-use.ts';
import type { IsDead, LeaseOwner } from '../journal.ts';
import type { JournalConnection } from './connection.ts';
import { judged } from './judged.ts';

/** The first version in which runs share a supplier. */
const versionOfRunners = 2;

/** The processes whose leases have not ended. `isShared`: in a version in which runs share a supplier. */
export function livingOwners(
  connection: JournalConnection,
  clock: string,
  isShared = true,
): Promise<LeaseOwner[]> {
  const owner = 'host, pid, process_start AS "processStart"';
  return connection.query<LeaseOwner>(
    isShared
      ? `SELECT ${owner} FROM runner WHERE expires_at > ${clock}
        UNION ALL SELECT ${owner} FROM lease WHERE expires_at > ${clock} AND run_group IS NULL`
      : `SELECT ${owner} FROM lease WHERE expires_at > ${clock}`,
  );
}

/**
 * Refuses to upgrade a journal whose suppliers are held by a process that is not certainly gone, and keeps others from
 * taking one until the transaction ends. Throws DatabaseRefused. `clock`: SQL for the clock of leases, in ms since the epoch.
 */
export async function refuseLiving(
  connection: JournalConnection,
  name: string,
  version: number,
  clock: string,
  isDead: IsDead,
): Promise<void> {
  const isShared = version >= versionOfRunners;
  const isGone = await judged(await livingOwners(connection, clock, isShared), isDead);
  // Waits for the transactions of runs: each reads the leases first.
  await connection.several(`LOCK TABLE lease${isShared ? ', runner' : ''} IN ACCESS EXCLUSIVE MODE`);
  const holder = (await livingOwners(connection, clock, isShared)).find((one) => !isGone(one));
  if (holder !== undefined) throw inUse(name, version, holder);
}
