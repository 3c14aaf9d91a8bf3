import type { UpgradeRow } from '../core/history-rows.ts';
import { pageSizes } from '../core/pages.ts';
import type { SpellingRow, UpgradeReads, UpgradeWrites } from '../core/statements.ts';
import type { JournalConnection } from './connection.ts';
import { numberOfActor } from './names.ts';
import type { OpenTransaction } from './write-queue.ts';

const selectAll = `
  SELECT at, from_schema, to_schema, from_version, backup, accounts, login, host, version
  FROM upgrade LEFT JOIN actor ON actor.id = upgrade.actor ORDER BY upgrade.id DESC`;
const selectSpellings = `
  SELECT spelling.supplier, composed, account.number FROM spelling JOIN account ON account.id = spelling.account
  WHERE spelling.supplier IN (
    SELECT supplier.id FROM supplier JOIN platform ON platform.id = supplier.platform WHERE identity = $1)
  AND (spelling.supplier, composed) > ($2, $3) ORDER BY spelling.supplier, composed LIMIT ${pageSizes.spellings}`;
const insert = `
  INSERT INTO upgrade (at, actor, from_schema, to_schema, accounts)
  SELECT $1, $2, version, version, $3 FROM journal_version`;

/** The record of a journal's upgrades. */
export function upgradeReads(connection: JournalConnection): UpgradeReads {
  return {
    all: () => connection.query<UpgradeRow>(selectAll),
    pageSpellings: (platform, after) =>
      connection.query<SpellingRow>(selectSpellings, [platform, after?.supplier ?? 0, after?.composed ?? '']),
    rules: async () => (await connection.query<{ rules: number }>('SELECT rules FROM conclusion'))[0]?.rules,
  };
}

export function upgradeWrites({ connection }: OpenTransaction): UpgradeWrites {
  return {
    async setRules(rules) {
      await connection.change('UPDATE conclusion SET rules = $1', [rules]);
    },

    async add(at, by, accounts) {
      await connection.change(insert, [at, await numberOfActor(connection, by), accounts]);
    },
  };
}
