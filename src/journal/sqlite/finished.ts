import type { Sqlite } from '../../sqlite/open-database.ts';
import type { FinishedRow } from '../core/run-row.ts';
import type { RunReads, RunWrites } from '../core/statements.ts';
import type { RestoreMarks } from './restore-marks.ts';
import type { Suppliers } from './suppliers.ts';

/**
 * Runs after which nothing was left to do. One holds as long as nobody has taken a lease of its suppliers again: a
 * lease's epoch grows with every taking and every giving back. (A run that was killed gave nothing back, and the next
 * one has the epoch that it would have left: hence the look at whether the lease is free.)
 */
export function finishedStatements(
  db: Sqlite,
  suppliers: Suppliers,
  restores: RestoreMarks,
): Pick<RunReads, 'finished'> & Pick<RunWrites, 'recordFinished'> {
  const put = db.prepare<[string, string | null, number, number, number, number]>(`
    INSERT OR REPLACE INTO finished (supplier, epoch, fingerprint, content, run, suppliers, restore)
    SELECT supplier, epoch + 1, ?, ?, ?, ?, ? FROM lease WHERE supplier = ?`);
  const select = db.prepare<[string, number], Omit<FinishedRow, 'codes'> & { readonly codes: string }>(`
    SELECT finished.run, finished.fingerprint, finished.content, run.accounts,
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
    recordFinished({ run, platform, suppliers: codes, fingerprint, content }) {
      for (const code of codes) {
        const supplier = suppliers.findOrAdd(platform, code);
        put.run(fingerprint, content ?? null, run, codes.length, restores.last(), supplier);
      }
    },

    finished: (platform) =>
      select
        .all(platform, restores.last())
        .map((row) => ({ ...row, codes: JSON.parse(row.codes) as string[] })),
  };
}
