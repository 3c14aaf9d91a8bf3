import { accountStates } from '../core/codes.ts';
import type { AccountEntry, RowsAsked, RowsFound, RowsNote } from '../journal.ts';
import { findRows, writtenRows, type RowsOfAccount } from '../core/row-print.ts';
import type { Queries } from './queries.ts';
import { entriesOf, selectWanted, type JoinedRow } from './rows.ts';
import { rowsParameter } from './texts.ts';

const page = 200;

/** What a PostgreSQL journal has of the rows that accounts were read from. */
export class PostgresRows {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async recognise(
    platform: string,
    from: string,
    asked: readonly RowsAsked[],
  ): Promise<readonly RowsFound[]> {
    const rows = await this.#queries.now((connection) =>
      connection.query<Row>(
        `SELECT account.id, account.number, account.state, account.row_print, supplier.code AS supplier,
          coalesce(source.place = $2, false) AND account.absent = 0 AS is_in
        FROM json_to_recordset($3::json) AS asked(number text)
          JOIN supplier ON supplier.platform = (SELECT id FROM platform WHERE identity = $1)
          JOIN account ON account.supplier = supplier.id AND account.number = asked.number
          LEFT JOIN source ON source.id = account.source
        WHERE account.row_print IS NOT NULL`,
        [platform, from, rowsParameter(asked.map(({ account }) => ({ number: account })))],
      ),
    );
    const known = rows.map(
      ({ id, number, state, row_print: written, supplier, is_in: isIn }): RowsOfAccount => {
        return { id, number, supplier, written, isIn, isCompleted: state === accountStates.of.completed };
      },
    );
    return findRows(asked, known);
  }

  noteRows(notes: readonly RowsNote[]): Promise<void> {
    const rows = notes.map(({ accountId, rows: read, changedIn = null }) => ({
      id: accountId,
      row_print: read === undefined ? null : writtenRows(read),
      plan_hash: read?.planHash ?? null,
      changed: changedIn,
    }));
    return this.#queries.write(async ({ connection }) => {
      await connection.change(
        `UPDATE account SET changed = coalesce(note.changed, account.changed),
          row_print = CASE
            WHEN account.state <> ${accountStates.of.completed} OR account.plan_hash = coalesce(note.plan_hash, account.plan_hash)
            THEN coalesce(note.row_print, account.row_print) ELSE account.row_print END
        FROM json_to_recordset($1::json) AS note(id bigint, row_print text, plan_hash text, changed integer)
        WHERE account.id = note.id`,
        [rowsParameter(rows)],
      );
    }, true);
  }

  async *accountsChangedIn(platform: string, supplier: string, run: number): AsyncGenerator<AccountEntry> {
    for (let after: string | undefined; ;) {
      const rows = await this.#queries.rows<JoinedRow>(
        `WITH wanted AS (
          SELECT account.id, row_number() OVER (ORDER BY account.number) AS place FROM account
          WHERE account.supplier = (SELECT supplier.id FROM supplier JOIN platform ON platform.id = supplier.platform
              WHERE identity = $1 AND supplier.code = $2)
            AND account.changed = $3 AND ($4::text IS NULL OR account.number > $4)
          ORDER BY account.number LIMIT ${page})
        ${selectWanted}`,
        [platform, supplier, run, after ?? null],
      );
      const found = entriesOf(rows);
      yield* found;
      after = found.at(-1)?.key.account;
      if (found.length < page) return;
    }
  }
}

interface Row {
  readonly id: number;
  readonly number: string;
  readonly state: number;
  readonly row_print: string;
  readonly supplier: string;
  readonly is_in: boolean;
}
