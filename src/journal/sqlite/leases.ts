import type { Sqlite } from '../../sqlite/open-database.ts';
import { LeaseLost, type LeaseHeld, type LeaseOwner, type LeaseTaken } from '../journal.ts';
import type { HeldSupplier, LeaseMoment } from '../store.ts';
import type { Suppliers } from './suppliers.ts';

export type LeaseStatements = ReturnType<typeof leasesOf>;

/** The holders of suppliers. Every method runs within a transaction that has the write lock. */
export function leasesOf(db: Sqlite, suppliers: Suppliers) {
  const select = db.prepare<[number], LeaseRow>('SELECT * FROM lease WHERE supplier = ?');
  const put = db.prepare<[number, number, string, number, string, number, number]>(`
    INSERT OR REPLACE INTO lease (supplier, epoch, host, pid, process_start, since, expires_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const renew = db.prepare<[number, number, number]>(
    'UPDATE lease SET expires_at = ? WHERE supplier = ? AND epoch = ?',
  );
  // The epoch also grows on release, so that a released lease cannot be renewed.
  const release = db.prepare<[number, number]>(
    'UPDATE lease SET epoch = epoch + 1, expires_at = 0 WHERE supplier = ? AND epoch = ?',
  );
  /** The leases that were taken through this journal and not released, by the supplier's number. */
  const fence = new Map<number, { readonly code: string; readonly epoch: number }>();
  let lost: string | undefined;

  return {
    /** Checks once for a whole transaction whether the taken leases are still held. */
    look(): void {
      lost = undefined;
      for (const [supplier, { code, epoch }] of fence) if (select.get(supplier)?.epoch !== epoch) lost = code;
    },

    /** Throws LeaseLost if the last check found a lease lost. */
    check(): void {
      if (lost !== undefined) throw new LeaseLost(lost);
    },

    take(
      lease: { readonly platform: string; readonly supplier: string; readonly owner: LeaseOwner },
      now: number,
      expiresAt: number,
      isDead: (owner: LeaseOwner) => boolean,
    ): LeaseTaken | LeaseHeld {
      const supplier = suppliers.findOrAdd(lease.platform, lease.supplier);
      const row = select.get(supplier);
      if (row !== undefined && row.expires_at > now) {
        const owner = { host: row.host, pid: row.pid, processStart: row.process_start };
        if (!isDead(owner)) return { held: true, owner, since: row.since, expiresAt: row.expires_at };
      }
      const epoch = (row?.epoch ?? 0) + 1;
      const { host, pid, processStart } = lease.owner;
      put.run(supplier, epoch, host, pid, processStart, now, expiresAt);
      fence.set(supplier, { code: lease.supplier, epoch });
      return { held: false, epoch };
    },

    renew(platform: string, supplier: string, epoch: number, expiresAt: number): boolean {
      const id = suppliers.find(platform, supplier);
      return id !== undefined && renew.run(expiresAt, id, epoch).changes === 1;
    },

    release(platform: string, supplier: string, epoch: number): void {
      const id = suppliers.find(platform, supplier);
      if (id === undefined) return;
      release.run(id, epoch);
      if (fence.get(id)?.epoch === epoch) fence.delete(id);
    },
  };
}

interface LeaseRow {
  epoch: number;
  host: string;
  pid: number;
  process_start: string;
  since: number;
  expires_at: number;
}

/** The first supplier that is held, or the named one if it is; undefined if none is. */
export function heldIn(
  db: Sqlite,
  { now, isDead }: LeaseMoment,
  only?: { readonly platform: string; readonly supplier: string },
): HeldSupplier | undefined {
  const rows = db
    .prepare<[number], LeaseRow & { code: string; platform: string }>(
      `SELECT lease.*, supplier.code, platform.identity AS platform
      FROM lease JOIN supplier ON supplier.id = lease.supplier JOIN platform ON platform.id = supplier.platform
      WHERE expires_at > ?`,
    )
    .all(now);
  for (const {
    code,
    platform,
    host,
    pid,
    process_start: processStart,
    since,
    expires_at: expiresAt,
  } of rows) {
    if (only !== undefined && (only.platform !== platform || only.supplier !== code)) continue;
    const owner = { host, pid, processStart };
    if (!isDead(owner)) return { supplier: code, held: { held: true, owner, since, expiresAt } };
  }
  return undefined;
}

/**
 * The owner that took a lease last and did not release it, whether or not it has expired; undefined if all were
 * released.
 */
export function lastHolderIn(
  db: Sqlite,
): { readonly supplier: string; readonly owner: LeaseOwner } | undefined {
  const row = db
    .prepare<[], LeaseRow & { code: string }>(
      `SELECT lease.*, supplier.code FROM lease JOIN supplier ON supplier.id = lease.supplier
      WHERE expires_at > 0 ORDER BY since DESC LIMIT 1`,
    )
    .get();
  if (row === undefined) return undefined;
  const { code, host, pid, process_start: processStart } = row;
  return { supplier: code, owner: { host, pid, processStart } };
}
