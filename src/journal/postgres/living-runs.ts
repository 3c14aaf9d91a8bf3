import { inUse } from '../in-use.ts';
import type { LeaseOwner } from '../journal.ts';
import type { Connection } from './connection.ts';

/** The first version in which runs share a supplier. */
const versionOfRunners = 2;

/**
 * Refuses to upgrade a journal whose suppliers are held, and keeps others from taking one until the transaction ends. Throws
 * DatabaseRefused. `clock`: SQL for the clock of leases, in ms since the epoch.
 */
export async function refuseLiving(
  connection: Connection,
  name: string,
  version: number,
  clock: string,
): Promise<void> {
  const isShared = version >= versionOfRunners;
  // Waits for the transactions of runs: each reads the leases first.
  await connection.several(`LOCK TABLE lease${isShared ? ', runner' : ''} IN ACCESS EXCLUSIVE MODE`);
  const [holder] = await connection.query<Pick<LeaseOwner, 'host' | 'pid'>>(
    isShared
      ? `SELECT host, pid FROM runner WHERE expires_at > ${clock}
        UNION ALL SELECT host, pid FROM lease WHERE expires_at > ${clock} AND run_group IS NULL LIMIT 1`
      : `SELECT host, pid FROM lease WHERE expires_at > ${clock} LIMIT 1`,
  );
  if (holder !== undefined) throw inUse(name, version, holder);
}
