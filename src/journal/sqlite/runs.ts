import type { Sqlite } from '../../sqlite/open-database.ts';
import type { Actors } from './actors.ts';
import { partStates, steps } from '../core/codes.ts';
import { runEntryOf, storedCounts, type RunRow } from '../core/run-row.ts';
import { storedFacts } from '../core/run-facts.ts';
import type { Boot, RunEnd, RunEntry, RunStart } from '../journal.ts';
import { Misuse } from '../core/misuse.ts';
import type { Suppliers } from './suppliers.ts';

const pageSize = 100;
/** The most runs that are examined for the boot of the machine: an older time may be taken for another clock's. */
const runsOfOneBoot = 1000;

/** The history of runs. */
export function runsOf(db: Sqlite, suppliers: Suppliers, actors: Actors) {
  const insert = db.prepare<
    [
      ...[platform: number, supplier: string | null, dryRun: number, path: string, startedAt: number],
      ...[named: number | null, boot: string | null, bootAt: number | null, actor: number | null],
      facts: string | null,
    ]
  >(`
    INSERT INTO run (platform, supplier, dry_run, export, started_at, named, boot, boot_at, actor, facts)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const finish = db.prepare<[number, number, string, string, number, number, number]>(`
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
    .prepare<[number], number | null>('SELECT min(started_at) FROM run WHERE id < ? AND dry_run = 0')
    .pluck();
  const notePace = db.prepare<[string, number]>('UPDATE run SET pace = ? WHERE id = ? AND ended_at IS NULL');
  const selectPage = db.prepare<[number], RunRow>(`
    SELECT run.id, identity, label, supplier, dry_run, export, started_at,
      named, boot, boot_at, pace, ended_at, exit, reason, accounts, requests, retries, actor, facts
    FROM run JOIN platform ON platform.id = run.platform
    WHERE run.id < ? ORDER BY run.id DESC LIMIT ${pageSize}`);
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
    start(run: RunStart): number {
      const platform = suppliers.name(run.platform, run.platformLabel, run.startedAt);
      const { supplier = null, dryRun, export: path, startedAt, named = null, boot, by } = run;
      const booted = [boot?.id ?? null, boot?.at ?? null] as const;
      const added = insert.run(
        platform,
        supplier,
        Number(dryRun),
        path,
        startedAt,
        named,
        ...booted,
        actors.numberOf(by),
        storedFacts(run.facts),
      );
      return Number(added.lastInsertRowid);
    },

    notePace(run: number, words: string): void {
      notePace.run(words, run);
    },

    recordedUntil(run: number, codes: readonly string[]): number | undefined {
      const listed = JSON.stringify(codes);
      const before = Math.min(run, selectFirstWithCode.get(listed, listed) ?? run);
      return selectLastCreated.get(before) ?? selectFirstBegun.get(run) ?? undefined;
    },

    finish(run: number, end: RunEnd): void {
      const { changes } = finish.run(
        end.endedAt,
        end.exit,
        end.reason,
        storedCounts(end),
        end.requests,
        end.retries,
        run,
      );
      if (changes === 0) throw new Misuse(`Run ${run} is not under way, so it cannot be finished.`);
    },

    /** Runs before `before`, newest first; fewer than a page only at the end. */
    page(before: number): { readonly runs: readonly RunEntry[]; readonly next?: number } {
      const runs = selectPage.all(before).map((row) => ({ ...runEntryOf(row), by: actors.byOf(row.actor) }));
      const last = runs.length === pageSize ? runs.at(-1) : undefined;
      return last === undefined ? { runs } : { runs, next: last.id };
    },

    sameBootSince(run: number, boot: Boot | undefined, grainMs: number): number {
      const first = Math.max(1, run - runsOfOneBoot);
      const other = selectOtherBoot.get(first, run, boot?.id ?? null, boot?.at ?? null, grainMs);
      return other === undefined ? first : other + 1;
    },

    platforms(): { platform: string; label: string }[] {
      return platforms.all();
    },
  };
}
