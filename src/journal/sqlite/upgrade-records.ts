import type { Sqlite } from '../../sqlite/open-database.ts';
import type { UpgradeRow } from '../core/history-rows.ts';
import { pageSizes } from '../core/pages.ts';
import type { SpellingRow, UpgradeReads, UpgradeWrites } from '../core/statements.ts';
import type { Actors } from './actors.ts';

/** The record of a journal's upgrades. */
export function upgradeStatements(db: Sqlite, actors: Actors): UpgradeReads & UpgradeWrites {
  const select = db.prepare<[], UpgradeRow>(
    `SELECT at, from_schema, to_schema, from_version, backup, accounts, actor.user AS login, actor.host, actor.version
    FROM upgrade LEFT JOIN actor ON actor.id = upgrade.actor ORDER BY upgrade.id DESC`,
  );
  const selectSpellings = db.prepare<[string, number, string], SpellingRow>(
    `SELECT spelling.supplier, composed, account.number FROM spelling JOIN account ON account.id = spelling.account
    WHERE spelling.supplier IN (
      SELECT supplier.id FROM supplier JOIN platform ON platform.id = supplier.platform WHERE identity = ?)
    AND (spelling.supplier, composed) > (?, ?) ORDER BY spelling.supplier, composed LIMIT ${pageSizes.spellings}`,
  );
  const selectRules = db.prepare<[], number>('SELECT rules FROM conclusion').pluck();
  const insert = db.prepare<[number, number | null, number]>(
    `INSERT INTO upgrade (at, actor, from_schema, to_schema, accounts)
    SELECT ?, ?, user_version, user_version, ? FROM pragma_user_version`,
  );
  const updateRules = db.prepare<[number]>('UPDATE conclusion SET rules = ?');

  return {
    all: () => select.all(),
    pageSpellings: (platform, { supplier, composed } = { supplier: 0, composed: '', number: '' }) =>
      selectSpellings.all(platform, supplier, composed),
    rules: () => selectRules.get(),
    setRules(rules) {
      updateRules.run(rules);
    },
    add(at, by, accounts) {
      insert.run(at, actors.numberOf(by), accounts);
    },
  };
}
