import { DatabaseRefused } from '../../domain/database-refused.ts';
import { JournalConnection, looking, type Access } from './connection.ts';
import { identityOf, placeOf, readWhere, whereOf, type Identity } from './identity.ts';

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
  const { address } = access;
  // Where it has just moved, nobody has recorded that yet.
  const candidates = recorded === place || recorded === '' ? former : `${servers} ${former}`;
  for (const text of new Set(candidates.split(' '))) {
    const there = readWhere(text);
    if (there === undefined || text === whereOf(address)) continue;
    const elsewhere = { ...access, address: { ...address, ...there } };
    const holder = await holderAt(elsewhere, identity, place, clock).catch(() => undefined);
    if (holder !== undefined)
      throw new DatabaseRefused(
        'locked',
        `The journal ${address.name} continues one that ${holder} still uses at ${there.host}:${there.port}, in the database ${there.database} (schema ${there.schema}): both take writes. Nothing was sent. End that run, and do not use that journal again; then run the same command again. Or name that journal.`,
      );
  }
}

/** Who holds a supplier in the same journal elsewhere. */
async function holderAt(
  access: Access,
  identity: string,
  place: string,
  clock: string,
): Promise<string | undefined> {
  const connection = await JournalConnection.open(access, looking);
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
