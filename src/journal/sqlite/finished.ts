import type { Sqlite } from '../../sqlite/open-database.ts';
import type { Finished, FinishedRun } from '../journal.ts';
import { countsOf } from './runs.ts';
import type { Restores } from './restores.ts';
import type { Suppliers } from './suppliers.ts';

/**
 * Runs after which nothing was left to do. One holds as long as nobody has taken a lease of its suppliers again: a
 * lease's epoch grows with every taking and every giving back. (A run that was killed gave nothing back, and the next
 * one has the epoch that it would have left: hence the look at whether the lease is free.)
 */
export function finishedOf(db: Sqlite, suppliers: Suppliers, restores: Restores) {
  const put = db.prepare<[string, number, number, number, number]>(`
    INSERT OR REPLACE INTO finished (supplier, epoch, fingerprint, run, suppliers, restore)
    SELECT supplier, epoch + 1, ?, ?, ?, ? FROM lease WHERE supplier = ?`);
  const select = db.prepare<[string, string, number], FinishedRow>(`
    SELECT finished.run, supplier.code AS supplier, finished.suppliers, run.accounts
    FROM finished
    JOIN lease ON lease.supplier = finished.supplier AND lease.epoch = finished.epoch
      AND lease.expires_at = 0
    JOIN supplier ON supplier.id = finished.supplier
    JOIN platform ON platform.id = supplier.platform
    JOIN run ON run.id = finished.run AND run.ended_at IS NOT NULL
    WHERE platform.identity = ? AND finished.fingerprint = ? AND finished.restore = ?
    ORDER BY finished.run DESC, supplier.code`);

  return {
    /** Within the transaction of a run that holds the leases. */
    record({ run, platform, suppliers: codes, fingerprint }: Finished): void {
      for (const code of codes)
        put.run(fingerprint, run, codes.length, restores.last(), suppliers.findOrAdd(platform, code));
    },

    find(platform: string, fingerprint: string): FinishedRun | undefined {
      const rows = select.all(platform, fingerprint, restores.last());
      const [first] = rows;
      const ofFirst = rows.filter(({ run }) => run === first?.run);
      if (first === undefined || ofFirst.length < first.suppliers) return undefined;
      return {
        run: first.run,
        suppliers: ofFirst.map(({ supplier }) => supplier),
        accounts: countsOf(first.accounts),
      };
    },
  };
}

interface FinishedRow {
  run: number;
  supplier: string;
  /** How many suppliers that run had. */
  suppliers: number;
  accounts: string;
}
