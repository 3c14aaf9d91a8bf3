import type { Sqlite } from '../../sqlite/open-database.ts';
import type { ReadBackReads, ReadBackWrites, ReadingCountsRow } from '../core/statements.ts';
import type { AccountReading } from '../read-back-records.ts';

/** The record of accounts that were read back. */
export function readBackStatements(db: Sqlite): ReadBackReads & ReadBackWrites {
  const supplierOf = db
    .prepare<[string, string], number>(
      'SELECT supplier.id FROM supplier JOIN platform ON platform.id = platform WHERE identity = ? AND code = ?',
    )
    .pluck();
  const openPass = db
    .prepare<[number, string], number>(
      `SELECT id FROM read_back_pass WHERE id = (SELECT max(id) FROM read_back_pass WHERE supplier = ?)
      AND selection = ? AND ended_at IS NULL`,
    )
    .pluck();
  const addPass = db.prepare<[number, string, number]>(
    'INSERT INTO read_back_pass (supplier, selection, began_at) VALUES (?, ?, ?)',
  );
  const endPass = db.prepare<[number, number]>('UPDATE read_back_pass SET ended_at = ? WHERE id = ?');
  const put = db.prepare<[number, number, number, number, number, number, addUpMs: number]>(
    `INSERT INTO read_back (account, pass, at, differences, hidden, points) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (account) DO UPDATE SET pass = excluded.pass, at = excluded.at, differences = excluded.differences,
      hidden = excluded.hidden,
      points = excluded.points + CASE WHEN read_back.at > excluded.at - ? THEN read_back.points ELSE 0 END`,
  );
  const find = db.prepare<[number], AccountReading>(
    'SELECT account AS accountId, pass, at, differences, hidden, points FROM read_back WHERE account = ?',
  );
  const points = db
    .prepare<[number], number>('SELECT coalesce(sum(points), 0) FROM read_back WHERE at > ?')
    .pluck();
  const count = db.prepare<[number], ReadingCountsRow>(
    `SELECT count(*) AS read, coalesce(sum(differences > 0), 0) AS differ, coalesce(sum(hidden > 0), 0) AS notReadable,
      max(at) AS latest
    FROM read_back JOIN account ON account.id = read_back.account WHERE supplier = ?`,
  );
  const supplierNumber = (platform: string, supplier: string) => supplierOf.get(platform, supplier) ?? 0;

  return {
    begin(platform, supplier, selection, at) {
      const number = supplierNumber(platform, supplier);
      return openPass.get(number, selection) ?? Number(addPass.run(number, selection, at).lastInsertRowid);
    },
    end(pass, at) {
      endPass.run(at, pass);
    },
    put({ accountId, pass, at, differences, hidden, points }, addUpMs) {
      put.run(accountId, pass, at, differences, hidden, points, addUpMs);
    },
    latest: (accountId) => find.get(accountId),
    pointsSince: (at) => points.get(at),
    counts: (platform, supplier) => count.get(supplierNumber(platform, supplier)),
  };
}
