import type { ReadBackReads, ReadBackWrites, ReadingCountsRow } from '../core/statements.ts';
import type { AccountReading } from '../read-back-records.ts';
import type { JournalConnection } from './connection.ts';
import type { OpenTransaction } from './write-queue.ts';

const supplierOf =
  'SELECT supplier.id FROM supplier JOIN platform ON platform.id = platform WHERE identity = $1 AND code = $2';
const selectOpen = `
  SELECT id FROM read_back_pass WHERE id = (SELECT max(id) FROM read_back_pass WHERE supplier = (${supplierOf}))
  AND selection = $3 AND ended_at IS NULL`;
const addPass = `
  INSERT INTO read_back_pass (id, supplier, selection, began_at)
  SELECT coalesce((SELECT max(id) FROM read_back_pass), 0) + 1, (${supplierOf}), $3, $4 RETURNING id`;
const put = `
  INSERT INTO read_back (account, pass, at, differences, hidden, points) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (account) DO UPDATE SET pass = excluded.pass, at = excluded.at, differences = excluded.differences,
    hidden = excluded.hidden,
    points = excluded.points + CASE WHEN read_back.at > excluded.at - $7 THEN read_back.points ELSE 0 END`;
const selectLatest =
  'SELECT account AS "accountId", pass, at, differences, hidden, points FROM read_back WHERE account = $1';
const selectPoints = 'SELECT coalesce(sum(points), 0)::bigint AS points FROM read_back WHERE at > $1';
const selectCounts = `
  SELECT count(*)::bigint AS read, count(*) FILTER (WHERE differences > 0)::bigint AS differ,
    count(*) FILTER (WHERE hidden > 0)::bigint AS "notReadable", max(at) AS latest
  FROM read_back JOIN account ON account.id = read_back.account WHERE supplier = (${supplierOf})`;

/** The record of accounts that were read back. */
export function readBackReads(connection: JournalConnection): ReadBackReads {
  return {
    latest: async (accountId) => (await connection.query<AccountReading>(selectLatest, [accountId]))[0],
    pointsSince: async (at) => (await connection.query<{ points: number }>(selectPoints, [at]))[0]?.points,
    counts: async (platform, supplier) =>
      (await connection.query<ReadingCountsRow>(selectCounts, [platform, supplier]))[0],
  };
}

export function readBackWrites({ connection }: OpenTransaction): ReadBackWrites {
  return {
    async begin(platform, supplier, selection, at) {
      const values = [platform, supplier, selection];
      const [open] = await connection.query<{ id: number }>(selectOpen, values);
      if (open !== undefined) return open.id;
      const [added] = await connection.query<{ id: number }>(addPass, [...values, at]);
      return Number(added?.id);
    },

    async end(pass, at) {
      await connection.change('UPDATE read_back_pass SET ended_at = $1 WHERE id = $2', [at, pass]);
    },

    async put({ accountId, pass, at, differences, hidden, points }, addUpMs) {
      await connection.change(put, [accountId, pass, at, differences, hidden, points, addUpMs]);
    },
  };
}
