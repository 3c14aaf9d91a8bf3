import type { AccountKey } from '../../domain/account-key.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';

/** A task that imports an account (v2). Times are in ms since the epoch. */
export interface StoredTask {
  readonly id: number;
  readonly supplier: string;
  /** External account number. */
  readonly external: string;
  /** WAITING until it ends; then its status. */
  readonly status: string;
  readonly dryRun: 0 | 1;
  readonly beginsAt: number;
  readonly endsAt: number;
  /** What it ends with: JSON. */
  readonly outcome: string;
  readonly createdAt: string;
  readonly modifiedAt: string;
  /** The account payload. */
  readonly payload: string;
  /** The version of the rules under which it passed. */
  readonly rules: string;
  /** JSON; null if there is none. */
  readonly error: string | null;
  readonly submissions: number;
  readonly doubled: number;
}

const columns = `id, supplier, external, status, dry_run AS dryRun, begins_at AS beginsAt, ends_at AS endsAt, outcome,
  created_at AS createdAt, modified_at AS modifiedAt, payload, rules, error, submissions, doubled`;

/** Every operation on tasks, each one prepared once. */
export function taskOperations(db: Sqlite) {
  const find = db.prepare<[string, string], StoredTask>(
    `SELECT ${columns} FROM task WHERE supplier = ? AND external = ?`,
  );
  const put = db.prepare<[Omit<StoredTask, 'id'>]>(
    `INSERT INTO task (supplier, external, status, dry_run, begins_at, ends_at, outcome, created_at, modified_at, payload, rules,
        error, submissions, doubled)
      VALUES (@supplier, @external, @status, @dryRun, @beginsAt, @endsAt, @outcome, @createdAt, @modifiedAt, @payload, @rules,
        @error, @submissions, @doubled)
      ON CONFLICT (supplier, external) DO UPDATE SET status = excluded.status, dry_run = excluded.dry_run,
        begins_at = excluded.begins_at, ends_at = excluded.ends_at, outcome = excluded.outcome, created_at = excluded.created_at,
        modified_at = excluded.modified_at, payload = excluded.payload, rules = excluded.rules, error = excluded.error,
        submissions = excluded.submissions, doubled = excluded.doubled`,
  );
  const due = db.prepare<[number], StoredTask>(
    `SELECT ${columns} FROM task WHERE status = 'WAITING' AND ends_at <= ? ORDER BY ends_at, id LIMIT 1000`,
  );
  const nextEnd = db
    .prepare<[], number | null>("SELECT min(ends_at) FROM task WHERE status = 'WAITING'")
    .pluck();
  const waiting = db.prepare<[], number>("SELECT count(*) FROM task WHERE status = 'WAITING'").pluck();
  const end = db.prepare<[string, string | null, string, number]>(
    'UPDATE task SET status = ?, error = ?, modified_at = ? WHERE id = ?',
  );
  return {
    findTask: (key: AccountKey): StoredTask | undefined => find.get(key.supplier, key.account),
    putTask: (task: Omit<StoredTask, 'id'>): void => void put.run(task),
    /** Those that have ended by then, the first thousand. */
    dueTasks: (now: number): StoredTask[] => due.all(now),
    /** When the next one ends; undefined if none waits. */
    nextTaskEnd: (): number | undefined => nextEnd.get() ?? undefined,
    waitingTasks: (): number => waiting.get() ?? 0,
    endTask: (id: number, status: string, error: string | null, at: string): void =>
      void end.run(status, error, at, id),
  };
}
