import { DatabaseRefused } from '../../domain/database-refused.ts';
import { Connection, looking, type Access } from './connection.ts';
import { identityOf, placeOf, type Identity } from './identity.ts';

/**
 * Refuses a journal that runs still use in the place where it was before: after a split, both servers take writes, and runs on both would send
 * the same. Who cannot be reached from here is not seen. Throws DatabaseRefused. `clock`: SQL for the clock of leases, in ms since the
 * epoch.
 */
export async function refuseSplit(
  access: Access,
  { identity, place: recorded, former, servers }: Identity,
  place: string,
  clock: string,
): Promise<void> {
  const { host, port, name } = access.address;
  // Where it has just moved, nobody has recorded that yet.
  const candidates = recorded === place || recorded === '' ? former : `${servers} ${former}`;
  for (const server of new Set(candidates.split(' '))) {
    if (server === '' || server === `${host}:${port}`) continue;
    const at = { ...access.address, host: server.slice(0, server.lastIndexOf(':')), port: portOf(server) };
    const holder = await holderAt({ ...access, address: at }, identity, place, clock).catch(() => undefined);
    if (holder !== undefined)
      throw new DatabaseRefused(
        'locked',
        `The journal ${name} continues one that ${holder} still uses on the server at ${server}: both servers take writes. Nothing was sent. End that run and that server; then run the same command again, or name the other server.`,
      );
  }
}

function portOf(server: string): number {
  return Number(server.slice(server.lastIndexOf(':') + 1));
}

/** Who holds a supplier in the same journal elsewhere. */
async function holderAt(
  access: Access,
  identity: string,
  place: string,
  clock: string,
): Promise<string | undefined> {
  const connection = await Connection.open(access, looking);
  try {
    if ((await identityOf(connection)).identity !== identity) return undefined;
    const there = await placeOf(connection);
    if (there === undefined || there === place) return undefined;
    const [row] = await connection.query<{ holder: string }>(
      `SELECT 'run ' || run || ' on ' || host AS holder FROM runner WHERE expires_at > ${clock}
      UNION ALL SELECT 'process ' || pid || ' on ' || host FROM lease WHERE expires_at > ${clock} AND run_group IS NULL
      LIMIT 1`,
    );
    return row?.holder;
  } finally {
    await connection.close();
  }
}
