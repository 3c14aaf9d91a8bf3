import type { LeaseHeld, LeaseOwner, LeaseTaken } from '../journal.ts';
import type { JournalConnection } from './connection.ts';
import { fence, ownerOfRunner } from './run-groups.ts';
import type { RunnerRow } from './share-out.ts';

/** The server's clock, in ms since the epoch. */
export const serverClock = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

interface LeaseRow {
  readonly supplier: number;
  readonly epoch: number;
  readonly host: string;
  readonly pid: number;
  readonly process_start: string;
  readonly session: string;
  readonly run_group: number | null;
  readonly since: number;
  readonly expires_at: number;
}

/** A lease on a supplier, and what its holder is working on. */
export interface FoundLease extends LeaseHeld {
  readonly platform: string;
  readonly supplier: string;
  /** The book that its group shares; absent if one run alone holds it. */
  readonly book?: string | undefined;
}

function ownerOf({ host, pid, process_start: processStart }: LeaseRow): LeaseOwner {
  return { host, pid, processStart };
}

export interface LeaseOrder {
  /** The supplier's number. */
  readonly supplier: number;
  readonly owner: LeaseOwner;
  readonly group?: number | undefined;
  /** The writer that takes it. */
  readonly session: string;
  readonly forMs: number;
}

/** Takes a supplier, within a transaction. `clock`: SQL for the clock of leases, in ms since the epoch. */
export async function takeSupplier(
  connection: JournalConnection,
  { supplier, owner, group, session, forMs }: LeaseOrder,
  clock: string,
  isDead: (owner: LeaseOwner) => boolean,
): Promise<LeaseTaken | LeaseHeld> {
  await connection.change(
    `INSERT INTO lease (supplier, epoch, host, pid, process_start, since, expires_at) VALUES ($1, 0, '', 0, '', 0, 0)
    ON CONFLICT DO NOTHING`,
    [supplier],
  );
  const [row] = await connection.query<LeaseRow & { now: number }>(
    `SELECT lease.*, ${clock} AS now FROM lease WHERE supplier = $1 FOR UPDATE`,
    [supplier],
  );
  if (row === undefined) throw new Error('The journal lost a lease that it was given.');
  if (group !== undefined && row.run_group === group && row.expires_at > 0)
    return { held: false, epoch: row.epoch };
  if (row.expires_at > 0) {
    const held = await heldBy(connection, row, clock, isDead);
    if (held !== undefined) return held;
    await fenceHolder(connection, row, session);
  }
  const epoch = row.epoch + 1;
  await connection.change(
    `UPDATE lease SET epoch = $2, host = $3, pid = $4, process_start = $5, since = ${clock},
      expires_at = ${clock} + $6, session = $7, run_group = $8 WHERE supplier = $1`,
    [supplier, epoch, owner.host, owner.pid, owner.processStart, forMs, session, group ?? null],
  );
  return { held: false, epoch };
}

/** The living holder of a lease: a group holds it while one of its runners lives. */
async function heldBy(
  connection: JournalConnection,
  row: LeaseRow & { readonly now: number },
  clock: string,
  isDead: (owner: LeaseOwner) => boolean,
): Promise<LeaseHeld | undefined> {
  const { since } = row;
  if (row.run_group === null) {
    const owner = ownerOf(row);
    const isHeld = row.expires_at > row.now && !isDead(owner);
    return isHeld ? { held: true, owner, since, expiresAt: row.expires_at } : undefined;
  }
  const runners = await connection.query<RunnerRow>(
    `SELECT * FROM runner WHERE run_group = $1 AND expires_at > ${clock} ORDER BY id`,
    [row.run_group],
  );
  const [first, ...others] = runners.filter((one) => !isDead(ownerOfRunner(one)));
  return (
    first && {
      ...{ held: true, owner: ownerOfRunner(first), since: first.since, expiresAt: first.expires_at },
      sharedWith: others.length,
    }
  );
}

/** Waits for a transaction of the former holder; the next one is refused. */
async function fenceHolder(connection: JournalConnection, row: LeaseRow, session: string): Promise<void> {
  if (row.run_group === null) {
    await connection.change('UPDATE writer SET fenced = 1 WHERE session = $1 AND session <> $2', [
      row.session,
      session,
    ]);
    return;
  }
  const runners = await connection.query<RunnerRow>(
    'SELECT * FROM runner WHERE run_group = $1 AND expires_at > 0 AND session <> $2 ORDER BY id',
    [row.run_group, session],
  );
  for (const runner of runners) await fence(connection, runner, row.run_group);
}

/** The leases whose holders are not known to be dead. */
export async function heldLeases(
  connection: JournalConnection,
  clock: string,
  isDead: (owner: LeaseOwner) => boolean,
): Promise<FoundLease[]> {
  const rows = await connection.query<
    LeaseRow & { now: number; code: string; platform: string; book: string | null }
  >(
    `SELECT lease.*, ${clock} AS now, supplier.code, platform.identity AS platform, run_group.book
    FROM lease JOIN supplier ON supplier.id = lease.supplier JOIN platform ON platform.id = supplier.platform
      LEFT JOIN run_group ON run_group.id = lease.run_group
    WHERE lease.expires_at > 0`,
  );
  const found: FoundLease[] = [];
  for (const row of rows) {
    const held = await heldBy(connection, row, clock, isDead);
    if (held === undefined) continue;
    const { platform, code, book } = row;
    found.push({ ...held, platform, supplier: code, book: book ?? undefined });
  }
  return found;
}
