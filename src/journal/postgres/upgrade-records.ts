import type { Spelling } from '../../domain/account-key.ts';
import type { UpgradeEntry, UpgradeRecords } from '../safety/upgrade-records.ts';
import { numberOfActor } from './names.ts';
import type { Queries } from './queries.ts';
import { byOf, type ActorRow } from '../core/rows.ts';

const pageSize = 1000;

/** The record of the upgrades of a PostgreSQL journal. */
export class PostgresUpgradeRecords implements UpgradeRecords {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async all(): Promise<readonly UpgradeEntry[]> {
    const rows = await this.#queries.rows<UpgradeRow>(
      `SELECT at, from_schema, to_schema, from_version, backup, accounts, login, host, version
      FROM upgrade LEFT JOIN actor ON actor.id = upgrade.actor ORDER BY upgrade.id DESC`,
    );
    return rows.map((row) => ({
      at: row.at,
      by: byOf(row),
      fromSchema: row.from_schema,
      toSchema: row.to_schema,
      fromVersion: row.from_version ?? undefined,
      backup: row.backup ?? undefined,
      accounts: row.accounts,
    }));
  }

  async *spellings(platform: string): AsyncGenerator<readonly Spelling[]> {
    for (let last = { supplier: 0, composed: '' }; ;) {
      const page = await this.#queries.rows<Spelling & { supplier: number }>(
        `SELECT spelling.supplier, composed, account.number FROM spelling JOIN account ON account.id = spelling.account
        WHERE spelling.supplier IN (
          SELECT supplier.id FROM supplier JOIN platform ON platform.id = supplier.platform WHERE identity = $1)
        AND (spelling.supplier, composed) > ($2, $3) ORDER BY spelling.supplier, composed LIMIT ${pageSize}`,
        [platform, last.supplier, last.composed],
      );
      const end = page.at(-1);
      if (end === undefined) return;
      yield page.map(({ composed, number }) => ({ composed, number }));
      last = end;
    }
  }

  async rules(): Promise<number> {
    const [row] = await this.#queries.rows<{ rules: number }>('SELECT rules FROM conclusion');
    return row?.rules ?? 0;
  }

  concluded(
    rules: number,
    { at, by, accounts }: Pick<UpgradeEntry, 'at' | 'by' | 'accounts'>,
  ): Promise<void> {
    return this.#queries.write(async ({ connection }) => {
      await connection.change('UPDATE conclusion SET rules = $1', [rules]);
      if (accounts === 0) return;
      await connection.change(
        `INSERT INTO upgrade (at, actor, from_schema, to_schema, accounts)
        SELECT $1, $2, version, version, $3 FROM journal_version`,
        [at, await numberOfActor(connection, by), accounts],
      );
    });
  }
}

interface UpgradeRow extends ActorRow {
  readonly at: number;
  readonly from_schema: number;
  readonly to_schema: number;
  readonly from_version: string | null;
  readonly backup: string | null;
  readonly accounts: number;
}
