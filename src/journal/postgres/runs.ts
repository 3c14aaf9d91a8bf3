import type { Boot, Finished, FinishedRun, RunEnd, RunEntry, RunStart } from '../journal.ts';
import { Misuse } from '../core/misuse.ts';
import { partStates, steps } from '../core/codes.ts';
import { countsOf, runEntryOf, storedCounts, type RunRow } from '../core/run-row.ts';
import { storedFacts } from '../core/run-facts.ts';
import { statement } from './connection.ts';
import { numberOfActor } from './names.ts';
import type { Queries } from './queries.ts';
import { byOf, type ActorRow } from '../core/rows.ts';

const historyPage = 100;
/** The most runs that are examined for the boot of the machine. */
const runsOfOneBoot = 1000;
/** The number of an advisory lock: two runs must not get one number. */
const runLock = 7_235_420;

const identify = `
  UPDATE platform SET identity = $1
  WHERE identity = $2 AND NOT EXISTS (SELECT 1 FROM platform WHERE identity = $1)
    AND NOT EXISTS (SELECT 1 FROM supplier JOIN lease ON lease.supplier = supplier.id
      WHERE supplier.platform = platform.id AND expires_at > 0)
    AND NOT EXISTS (SELECT 1 FROM supplier JOIN account ON account.supplier = supplier.id
      JOIN part ON part.account = account.id WHERE supplier.platform = platform.id)`;

const findOtherBoot = statement(
  'find_other_boot',
  `SELECT id FROM run WHERE id >= $1 AND id < $2
    AND (boot IS DISTINCT FROM $3 OR abs(boot_at - $4::bigint) > $5) ORDER BY id DESC LIMIT 1`,
);

/** Runs in a PostgreSQL journal, and what they left finished. */
export class PostgresRuns {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  startRun(start: RunStart): Promise<number> {
    return this.#queries.write(async ({ connection }) => {
      // Numbers without gaps: one run after another gets one.
      await connection.query(`SELECT pg_advisory_xact_lock(${runLock})`);
      if (start.platform !== start.platformLabel)
        await connection.change(identify, [start.platform, start.platformLabel]);
      const [platform] = await connection.query<{ id: number }>(
        `INSERT INTO platform (identity, label) VALUES ($1, $2)
        ON CONFLICT (identity) DO UPDATE SET label = excluded.label RETURNING id`,
        [start.platform, start.platformLabel],
      );
      const [row] = await connection.query<{ id: number }>(
        `INSERT INTO run (id, platform, supplier, dry_run, export, started_at, named, boot, boot_at, actor, facts)
        VALUES ((SELECT coalesce(max(id), 0) + 1 FROM run), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`,
        [
          ...[
            platform?.id ?? null,
            start.supplier ?? null,
            Number(start.dryRun),
            start.export,
            start.startedAt,
          ],
          ...[start.named ?? null, start.boot?.id ?? null, start.boot?.at ?? null],
          await numberOfActor(connection, start.by),
          storedFacts(start.facts),
        ],
      );
      return row?.id ?? 0;
    });
  }

  notePace(run: number, words: string): Promise<void> {
    return this.#queries.write(async ({ connection }) => {
      await connection.change('UPDATE run SET pace = $1 WHERE id = $2 AND ended_at IS NULL', [words, run]);
    });
  }

  finishRun(run: number, end: RunEnd): Promise<void> {
    return this.#queries.write(async ({ connection }) => {
      const changed = await connection.change(
        `UPDATE run SET ended_at = $1, exit = $2, reason = $3, accounts = $4, requests = $5, retries = $6
        WHERE id = $7 AND ended_at IS NULL`,
        [...[end.endedAt, end.exit, end.reason, storedCounts(end)], ...[end.requests, end.retries, run]],
      );
      if (changed === 0) throw new Misuse(`Run ${run} is not under way, so it cannot be finished.`);
    });
  }

  async recordedUntil(run: number, codes: readonly string[]): Promise<number | undefined> {
    const [row] = await this.#queries.rows<{ at: number | null }>(
      `WITH known AS (
        SELECT least($1::integer, min(run)) AS before FROM (
          SELECT run FROM part WHERE code = ANY ($2) UNION ALL SELECT run FROM attempt WHERE code = ANY ($2)) held)
      SELECT coalesce(
        (SELECT max(sent_at) FROM part
          WHERE step = ${steps.of.process} AND state = ${partStates.of.done} AND outcome <> 'ruling' AND run < before),
        (SELECT min(started_at) FROM run WHERE id < $1 AND dry_run = 0)) AS at
      FROM known`,
      [run, codes],
    );
    return row?.at ?? undefined;
  }

  recordFinished({ run, platform, suppliers, fingerprint, content }: Finished): Promise<void> {
    return this.#queries.write(async ({ connection, names, latest }) => {
      for (const code of suppliers)
        await connection.change(
          `INSERT INTO finished (supplier, epoch, fingerprint, content, run, suppliers, restore)
          SELECT supplier, epoch + 1, $1, $2, $3, $4, $5 FROM lease WHERE supplier = $6
          ON CONFLICT (supplier) DO UPDATE SET epoch = excluded.epoch, fingerprint = excluded.fingerprint,
            content = excluded.content, run = excluded.run, suppliers = excluded.suppliers, restore = excluded.restore`,
          [
            ...[fingerprint, content ?? null, run, suppliers.length, latest?.id ?? 0],
            await names.addSupplier(connection, platform, code),
          ],
        );
    }, true);
  }

  async finishedRuns(platform: string): Promise<readonly FinishedRun[]> {
    const rows = await this.#queries.rows<{
      run: number;
      fingerprint: string;
      content: string | null;
      accounts: string;
      codes: string[];
    }>(
      `SELECT finished.run, finished.fingerprint, finished.content, run.accounts,
        array_agg(supplier.code ORDER BY supplier.code) AS codes
      FROM finished
      JOIN lease ON lease.supplier = finished.supplier AND lease.epoch = finished.epoch AND lease.expires_at = 0
      JOIN supplier ON supplier.id = finished.supplier
      JOIN platform ON platform.id = supplier.platform
      JOIN run ON run.id = finished.run AND run.ended_at IS NOT NULL
      WHERE platform.identity = $1 AND finished.restore = (SELECT coalesce(max(id), 0) FROM restore)
      GROUP BY finished.run, finished.fingerprint, finished.content, finished.suppliers, run.accounts
      HAVING count(*) = finished.suppliers ORDER BY finished.run DESC`,
      [platform],
    );
    return rows.map(({ run, fingerprint, content, accounts, codes }) => ({
      ...{ run, suppliers: codes, accounts: countsOf(accounts), fingerprint },
      content: content ?? undefined,
    }));
  }

  async sameBootSince(run: number, boot: Boot | undefined, grainMs: number): Promise<number> {
    const first = Math.max(1, run - runsOfOneBoot);
    const [other] = await this.#queries.rows<{ id: number }>(findOtherBoot, [
      first,
      run,
      boot?.id ?? null,
      boot?.at ?? null,
      grainMs,
    ]);
    return other === undefined ? first : other.id + 1;
  }

  async *runs(limit = Infinity): AsyncGenerator<RunEntry> {
    let left = limit;
    for (let before = 2 ** 31 - 1; left > 0;) {
      const rows = await this.#queries.rows<RunRow & ActorRow>(
        `SELECT run.*, platform.identity, platform.label, login, host, version
        FROM run JOIN platform ON platform.id = run.platform LEFT JOIN actor ON actor.id = run.actor
        WHERE run.id < $1 ORDER BY run.id DESC LIMIT ${historyPage}`,
        [before],
      );
      yield* rows.slice(0, left).map((row) => ({ ...runEntryOf(row), by: byOf(row) }));
      left -= rows.length;
      before = rows.at(-1)?.id ?? 0;
      if (rows.length < historyPage) return;
    }
  }
}
