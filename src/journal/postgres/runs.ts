import { partStates, steps } from '../core/codes.ts';
import { pageSizes } from '../core/pages.ts';
import type { FinishedRow, RunRow } from '../core/run-row.ts';
import type { RunReads, RunWrites } from '../core/statements.ts';
import { statement, type JournalConnection } from './connection.ts';
import { numberOfActor } from './names.ts';
import type { OpenTransaction } from './write-queue.ts';

/** The number of an advisory lock: two runs must not get one number. */
const runLock = 7_235_420;
/** Larger than the number of any run. */
const afterAll = 2 ** 31 - 1;

const identify = `
  UPDATE platform SET identity = $1
  WHERE identity = $2 AND NOT EXISTS (SELECT 1 FROM platform WHERE identity = $1)
    AND NOT EXISTS (SELECT 1 FROM supplier JOIN lease ON lease.supplier = supplier.id
      WHERE supplier.platform = platform.id AND expires_at > 0)
    AND NOT EXISTS (SELECT 1 FROM supplier JOIN account ON account.supplier = supplier.id
      JOIN part ON part.account = account.id WHERE supplier.platform = platform.id)`;
const namePlatform = `
  INSERT INTO platform (identity, label) VALUES ($1, $2)
  ON CONFLICT (identity) DO UPDATE SET label = excluded.label RETURNING id`;
const insert = `
  INSERT INTO run (id, platform, supplier, dry_run, export, started_at, named, boot, boot_at, actor, facts)
  VALUES ((SELECT coalesce(max(id), 0) + 1 FROM run), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`;
const end = `
  UPDATE run SET ended_at = $1, exit = $2, reason = $3, accounts = $4, requests = $5, retries = $6
  WHERE id = $7 AND ended_at IS NULL`;
const recordFinished = `
  INSERT INTO finished (supplier, epoch, fingerprint, content, run, suppliers, restore)
  SELECT supplier, epoch + 1, $1, $2, $3, $4, $5 FROM lease WHERE supplier = $6
  ON CONFLICT (supplier) DO UPDATE SET epoch = excluded.epoch, fingerprint = excluded.fingerprint,
    content = excluded.content, run = excluded.run, suppliers = excluded.suppliers, restore = excluded.restore`;
const selectPage = `
  SELECT run.*, platform.identity, platform.label, login, host, version
  FROM run JOIN platform ON platform.id = run.platform LEFT JOIN actor ON actor.id = run.actor
  WHERE run.id < $1 ORDER BY run.id DESC LIMIT ${pageSizes.history}`;
const selectRecordedUntil = `
  WITH known AS (
    SELECT least($1::integer, min(run)) AS before FROM (
      SELECT run FROM part WHERE code = ANY ($2) UNION ALL SELECT run FROM attempt WHERE code = ANY ($2)) held)
  SELECT coalesce(
    (SELECT max(sent_at) FROM part
      WHERE step = ${steps.of.process} AND state = ${partStates.of.done} AND outcome <> 'ruling' AND run < before),
    (SELECT min(started_at) FROM run
      WHERE id < $1 AND dry_run = 0 AND reason IS DISTINCT FROM 'not-begun')) AS at
  FROM known`;
const selectOtherBoot = statement(
  'find_other_boot',
  `SELECT id FROM run WHERE id >= $1 AND id < $2
    AND (boot IS DISTINCT FROM $3 OR abs(boot_at - $4::bigint) > $5) ORDER BY id DESC LIMIT 1`,
);
const selectFinished = `
  SELECT finished.run, finished.fingerprint, finished.content, run.accounts,
    array_agg(supplier.code ORDER BY supplier.code) AS codes
  FROM finished
  JOIN lease ON lease.supplier = finished.supplier AND lease.epoch = finished.epoch AND lease.expires_at = 0
  JOIN supplier ON supplier.id = finished.supplier
  JOIN platform ON platform.id = supplier.platform
  JOIN run ON run.id = finished.run AND run.ended_at IS NOT NULL
  WHERE platform.identity = $1 AND finished.restore = (SELECT coalesce(max(id), 0) FROM restore)
  GROUP BY finished.run, finished.fingerprint, finished.content, finished.suppliers, run.accounts
  HAVING count(*) = finished.suppliers ORDER BY finished.run DESC`;
const selectPlatforms = `
  SELECT identity AS platform, label FROM platform JOIN run ON run.platform = platform.id
  GROUP BY platform.id ORDER BY max(run.id) DESC`;

/** The history of runs. */
export function runReads(connection: JournalConnection): RunReads {
  return {
    page: (before = afterAll) => connection.query<RunRow>(selectPage, [before]),

    async recordedUntil(run, codes) {
      const [row] = await connection.query<{ at: number | null }>(selectRecordedUntil, [run, codes]);
      return row?.at ?? undefined;
    },

    async lastOfOtherBoot(first, run, boot, grainMs) {
      const booted = [boot?.id ?? null, boot?.at ?? null];
      const [row] = await connection.run<{ id: number }>(selectOtherBoot, [first, run, ...booted, grainMs]);
      return row?.id;
    },

    finished: (platform) => connection.query<FinishedRow>(selectFinished, [platform]),

    platforms: () => connection.query(selectPlatforms),
  };
}

export function runWrites({ connection, names, latest }: OpenTransaction): RunWrites {
  return {
    async start(run, facts) {
      // Numbers without gaps: one run after another gets one.
      await connection.query(`SELECT pg_advisory_xact_lock(${runLock})`);
      if (run.platform !== run.platformLabel)
        await connection.change(identify, [run.platform, run.platformLabel]);
      const named = [run.platform, run.platformLabel];
      const [platform] = await connection.query<{ id: number }>(namePlatform, named);
      const [row] = await connection.query<{ id: number }>(insert, [
        ...[platform?.id ?? null, run.supplier ?? null, Number(run.dryRun), run.export, run.startedAt],
        ...[run.named ?? null, run.boot?.id ?? null, run.boot?.at ?? null],
        await numberOfActor(connection, run.by),
        facts,
      ]);
      return row?.id ?? 0;
    },

    async notePace(run, stored) {
      await connection.change('UPDATE run SET pace = $1 WHERE id = $2 AND ended_at IS NULL', [stored, run]);
    },

    async end(run, { ended_at, exit, reason, accounts, requests, retries }) {
      const values = [ended_at, exit, reason, accounts, requests, retries, run];
      return (await connection.change(end, values)) === 1;
    },

    async recordFinished({ run, platform, suppliers, fingerprint, content }) {
      for (const code of suppliers)
        await connection.change(recordFinished, [
          ...[fingerprint, content ?? null, run, suppliers.length, latest?.id ?? 0],
          await names.addSupplier(connection, platform, code),
        ]);
    },
  };
}
