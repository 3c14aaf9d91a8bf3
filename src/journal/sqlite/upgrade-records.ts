import type { Sqlite } from '../../sqlite/open-database.ts';
import type { Spelling } from '../../domain/account-key.ts';
import type { UpgradeEntry, UpgradeRecords } from '../safety/upgrade-records.ts';
import type { Actors } from './actors.ts';
import type { CommitQueue } from './commit-queue.ts';

const pageSize = 1000;

/** The record of a journal's upgrades. */
export function upgradeRecordsOf(db: Sqlite, actors: Actors, queue: CommitQueue): UpgradeRecords {
  const select = db.prepare<[], UpgradeRow>(
    'SELECT at, actor, from_schema, to_schema, from_version, backup, accounts FROM upgrade ORDER BY id DESC',
  );
  const selectSpellings = db.prepare<[string, number, string], Spelling & { supplier: number }>(
    `SELECT spelling.supplier, composed, account.number FROM spelling JOIN account ON account.id = spelling.account
    WHERE spelling.supplier IN (
      SELECT supplier.id FROM supplier JOIN platform ON platform.id = supplier.platform WHERE identity = ?)
    AND (spelling.supplier, composed) > (?, ?) ORDER BY spelling.supplier, composed LIMIT ${pageSize}`,
  );
  const selectRules = db.prepare<[], number>('SELECT rules FROM conclusion').pluck();
  const insert = db.prepare<[number, number | null, number]>(
    `INSERT INTO upgrade (at, actor, from_schema, to_schema, accounts)
    SELECT ?, ?, user_version, user_version, ? FROM pragma_user_version`,
  );
  const updateRules = db.prepare<[number]>('UPDATE conclusion SET rules = ?');

  return {
    all: () => queue.read(() => select.all().map((row) => entryOf(row, actors))),
    async *spellings(platform) {
      for (let last = { supplier: 0, composed: '' }; ;) {
        const { supplier, composed } = last;
        const page = await queue.read(() => selectSpellings.all(platform, supplier, composed));
        const end = page.at(-1);
        if (end === undefined) return;
        yield page.map(({ composed, number }) => ({ composed, number }));
        last = end;
      }
    },
    rules: () => queue.read(() => selectRules.get() ?? 0),
    concluded: (rules, { at, by, accounts }) =>
      queue.write(() => {
        updateRules.run(rules);
        if (accounts > 0) insert.run(at, actors.numberOf(by), accounts);
      }),
  };
}

interface UpgradeRow {
  at: number;
  actor: number | null;
  from_schema: number;
  to_schema: number;
  from_version: string | null;
  backup: string | null;
  accounts: number;
}

function entryOf(row: UpgradeRow, actors: Actors): UpgradeEntry {
  return {
    at: row.at,
    by: actors.byOf(row.actor),
    fromSchema: row.from_schema,
    toSchema: row.to_schema,
    fromVersion: row.from_version ?? undefined,
    backup: row.backup ?? undefined,
    accounts: row.accounts,
  };
}
