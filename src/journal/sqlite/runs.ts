import type { Sqlite } from '../../sqlite/open-database.ts';
import { partStates, steps } from '../core/codes.ts';
import { pageSizes } from '../core/pages.ts';
import type { RunRow } from '../core/run-row.ts';
import type { RunReads, RunWrites } from '../core/statements.ts';
import type { Actors } from './actors.ts';
import { finishedStatements } from './finished.ts';
import type { RestoreMarks } from './restore-marks.ts';
import type { Suppliers } from './suppliers.ts';

/** The history of runs. */
export function runStatements(
  db: Sqlite,
  suppliers: Suppliers,
  actors: Actors,
  restores: RestoreMarks,
): RunReads & RunWrites {
  const insert = db.prepare<
    [
      ...[platform: number, supplier: string | null, dryRun: number, path: string, startedAt: number],
      ...[named: number | null, boot: string | null, bootAt: number | null, actor: number | null],
      facts: string | null,
    ]
  >(`
    INSERT INTO run (platform, supplier, dry_run, export, started_at, named, boot, boot_at, actor, facts)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const end = db.prepare<[number, number, string, string, number, number, number]>(`
    UPDATE run SET ended_at = ?, exit = ?, reason = ?, accounts = ?, requests = ?, retries = ?
    WHERE id = ? AND ended_at IS NULL`);
  const selectFirstWithCode = db
    .prepare<[string, string], number | null>(
      `SELECT min(run) FROM (
        SELECT run FROM part WHERE code IN (SELECT value FROM json_each(?))
        UNION ALL SELECT run FROM attempt WHERE code IN (SELECT value FROM json_each(?)))`,
    )
    .pluck();
  const selectLastCreated = db
    .prepare<[number], number | null>(
      `SELECT max(sent_at) FROM part WHERE step = ${steps.of.process} AND state = ${partStates.of.done} AND outcome <> 'ruling' AND run < ?`,
    )
    .pluck();
  const selectFirstBegun = db
    .prepare<[number], number | null>(
      `SELECT min(started_at) FROM run WHERE id < ? AND dry_run = 0 AND reason IS NOT 'not-begun'`,
    )
    .pluck();
  const notePace = db.prepare<[string, number]>('UPDATE run SET pace = ? WHERE id = ? AND ended_at IS NULL');
  const selectPage = db.prepare<[number], RunRow>(`
    SELECT run.id, identity, label, supplier, dry_run, export, started_at, named, boot, boot_at, pace, ended_at, exit,
      reason, accounts, requests, retries, facts, actor.user AS login, actor.host, actor.version
    FROM run JOIN platform ON platform.id = run.platform LEFT JOIN actor ON actor.id = run.actor
    WHERE run.id < ? ORDER BY run.id DESC LIMIT ${pageSizes.history}`);
  const selectOtherBoot = db
    .prepare<[first: number, run: number, boot: string | null, bootAt: number | null, grain: number], number>(
      `SELECT id FROM run WHERE id >= ? AND id < ? AND (boot IS NOT ? OR abs(boot_at - ?) > ?)
      ORDER BY id DESC LIMIT 1`,
    )
    .pluck();
  const platforms = db.prepare<[], { platform: string; label: string }>(`
    SELECT identity AS platform, label FROM platform JOIN run ON run.platform = platform.id
    GROUP BY platform.id ORDER BY max(run.id) DESC`);

  return {
    ...finishedStatements(db, suppliers, restores),

    start(run, facts) {
      const platform = suppliers.name(run.platform, run.platformLabel, run.startedAt);
      const { supplier = null, dryRun, export: path, startedAt, named = null, boot, by } = run;
      const booted = [boot?.id ?? null, boot?.at ?? null] as const;
      const begun = [platform, supplier, Number(dryRun), path, startedAt, named, ...booted] as const;
      return Number(insert.run(...begun, actors.numberOf(by), facts).lastInsertRowid);
    },

    notePace(run, stored) {
      notePace.run(stored, run);
    },

    end(run, { ended_at, exit, reason, accounts, requests, retries }) {
      return end.run(ended_at, exit, reason, accounts, requests, retries, run).changes === 1;
    },

    recordedUntil(run, codes) {
      const listed = JSON.stringify(codes);
      const before = Math.min(run, selectFirstWithCode.get(listed, listed) ?? run);
      return selectLastCreated.get(before) ?? selectFirstBegun.get(run) ?? undefined;
    },

    page: (before = Number.MAX_SAFE_INTEGER) => selectPage.all(before),

    lastOfOtherBoot: (first, run, boot, grainMs) =>
      selectOtherBoot.get(first, run, boot?.id ?? null, boot?.at ?? null, grainMs),

    platforms: () => platforms.all(),
  };
}
