import type { Sqlite } from '../../sqlite/open-database.ts';
import type { Finished, FinishedRun } from '../journal.ts';
import { countsOf } from '../core/run-row.ts';
import type { RestoreMarks } from './restore-marks.ts';
import type { Suppliers } from './suppliers.ts';

/**
 * Runs after which nothing was left to do. One holds as long as nobody has taken a lease of its suppliers again: a
 * lease's epoch grows with every taking and every giving back. (A run that was killed gave nothing back, and the next
 * one has the epoch that it would have left: hence the look at whether the lease is free.)
 */
export function finishedOf(db: Sqlite, suppliers: Suppliers, restores: RestoreMarks) {
  const put = db.prepare<[string, string | null, number, number, number, number]>(`
    INSERT OR REPLACE INTO finished (supplier, epoch, fingerprint, content, run, suppliers, restore)
    SELECT supplier, epoch + 1, ?, ?, ?, ?, ? FROM lease WHERE supplier = ?`);
  const select = db.prepare<[string, number], FinishedRow>(`
    SELECT finished.run, finished.fingerprint, finished.content, finished.suppliers, run.accounts,
      json_group_array(supplier.code ORDER BY supplier.code) AS codes
    FROM finished
    JOIN lease ON lease.supplier = finished.supplier AND lease.epoch = finished.epoch
      AND lease.expires_at = 0
    JOIN supplier ON supplier.id = finished.supplier
    JOIN platform ON platform.id = supplier.platform
    JOIN run ON run.id = finished.run AND run.ended_at IS NOT NULL
    WHERE platform.identity = ? AND finished.restore = ?
    GROUP BY finished.run HAVING count(*) = finished.suppliers
    ORDER BY finished.run DESC`);

  return {
    /** Within the transaction of a run that holds the leases. */
    record({ run, platform, suppliers: codes, fingerprint, content }: Finished): void {
      for (const code of codes) {
        const supplier = suppliers.findOrAdd(platform, code);
        put.run(fingerprint, content ?? null, run, codes.length, restores.last(), supplier);
      }
    },

    all(platform: string): FinishedRun[] {
      return select.all(platform, restores.last()).map(({ run, fingerprint, content, codes, accounts }) => ({
        run,
        suppliers: JSON.parse(codes) as string[],
        accounts: countsOf(accounts),
        fingerprint,
        content: content ?? undefined,
      }));
    },
  };
}

interface FinishedRow {
  run: number;
  fingerprint: string;
  content: string | null;
  /** How many suppliers that run had. */
  suppliers: number;
  accounts: string;
  codes: string;
}
