import { openAsItIs, type Sqlite } from '../../sqlite/open-database.ts';
import { DatabaseRefused } from '../../domain/database-refused.ts';
import { refusalOf } from '../../sqlite/refusal.ts';
import type { RestoreLoss } from '../store.ts';
import { journalSpec } from './schema.ts';

const spec = { ...journalSpec, synchronous: 'FULL' } as const;
const versionOfInterventions = 14;

/**
 * Compares a journal with a backup, whatever the schema version of either; undefined if there is no journal, or it is
 * damaged. Takes about ten seconds for a million accounts. Throws DatabaseRefused if the backup cannot be read.
 */
export function lossOf(file: string, backup: string): RestoreLoss | undefined {
  try {
    const db = openAsItIs(file, spec);
    try {
      if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') return undefined;
      db.prepare('ATTACH ? AS backup').run(backup);
      return compare(db);
    } finally {
      db.close();
    }
  } catch (error) {
    const refusal = refusalOf(error, file, spec);
    const isLost =
      refusal instanceof DatabaseRefused && (refusal.reason === 'damaged' || refusal.reason === 'missing');
    if (isLost) return undefined;
    throw refusal;
  }
}

type Side = 'main' | 'backup';

function compare(db: Sqlite): RestoreLoss {
  const [journalAt, backupAt] = [lastAt(db, 'main'), lastAt(db, 'backup')];
  return {
    journalAt,
    backupAt,
    runs: count(
      db,
      `SELECT count(*) FROM main.run AS own
      LEFT JOIN backup.run AS kept ON kept.id = own.id AND kept.started_at = own.started_at
      WHERE kept.id IS NULL OR kept.ended_at IS NOT own.ended_at`,
    ),
    accounts: count(db, changedAccounts, backupAt ?? 0),
    rulings: countRulings(db),
  };
}

/** Uses the columns that every version has for an account, and what was sent of it since. */
const changedAccounts = `
  WITH pair AS (
    SELECT supplier.id AS own, other.id AS kept
    FROM main.supplier JOIN main.platform ON platform.id = supplier.platform
    LEFT JOIN backup.platform AS place ON place.identity = platform.identity
    LEFT JOIN backup.supplier AS other ON other.platform = place.id AND other.code = supplier.code)
  SELECT count(*) FROM main.account AS own JOIN pair ON pair.own = own.supplier
  LEFT JOIN backup.account AS kept ON kept.supplier = pair.kept AND kept.number = own.number
  WHERE kept.id IS NULL
    OR (own.state, own.steps, own.code, own.kraken_account_number, own.staged_hash, own.plan_hash)
      IS NOT (kept.state, kept.steps, kept.code, kept.kraken_account_number, kept.staged_hash, kept.plan_hash)
    OR EXISTS (SELECT 1 FROM main.part WHERE part.account = own.id AND part.sent_at + ifnull(part.took, 0) > ?)`;

function countRulings(db: Sqlite): number {
  if (!hasInterventions(db, 'main')) return 0;
  if (!hasInterventions(db, 'backup'))
    return count(db, `SELECT count(*) FROM main.intervention WHERE command <> 'restore'`);
  return count(
    db,
    `SELECT count(*) FROM main.intervention AS own
    LEFT JOIN backup.intervention AS kept ON kept.id = own.id AND kept.at = own.at AND kept.command = own.command
    WHERE own.command <> 'restore' AND kept.id IS NULL`,
  );
}

function lastAt(db: Sqlite, side: Side): number | undefined {
  const times = [
    `SELECT max(started_at) AS at FROM ${side}.run`,
    `SELECT max(ended_at) FROM ${side}.run`,
    `SELECT max(sent_at + ifnull(took, 0)) FROM ${side}.part`,
    ...(hasInterventions(db, side) ? [`SELECT max(at) FROM ${side}.intervention`] : []),
  ];
  return (
    db
      .prepare<[], number | null>(`SELECT max(at) FROM (${times.join(' UNION ALL ')})`)
      .pluck()
      .get() ?? undefined
  );
}

function hasInterventions(db: Sqlite, side: Side): boolean {
  return Number(db.pragma(`${side}.user_version`, { simple: true })) >= versionOfInterventions;
}

function count(db: Sqlite, sql: string, ...values: number[]): number {
  return (
    db
      .prepare<number[], number>(sql)
      .pluck()
      .get(...values) ?? 0
  );
}
