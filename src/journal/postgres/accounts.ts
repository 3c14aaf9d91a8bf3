import { accountStates, partStates } from '../core/codes.ts';
import { pageSizes } from '../core/pages.ts';
import type { StoredEntry } from '../core/rows.ts';
import type { AccountReads, BookRow } from '../core/statements.ts';
import type { Unanswered } from '../journal.ts';
import type { JournalConnection } from './connection.ts';
import { countReads } from './counts.ts';
import { entriesIn, selectWanted, type JoinedRow } from './rows.ts';
import { rowsParameter } from './texts.ts';

const inSupplier = `
  FROM account JOIN supplier ON supplier.id = account.supplier JOIN platform ON platform.id = supplier.platform
  WHERE platform.identity = $1 AND supplier.code = $2`;
const find = `
  WITH wanted AS (SELECT account.id, 0 AS place ${inSupplier} AND account.number = $3)
  ${selectWanted}`;
const findSpelled = `
  WITH wanted AS (
    SELECT account.id, 0 AS place ${inSupplier} AND (account.number = $3 OR account.id =
      (SELECT account FROM spelling WHERE spelling.supplier = supplier.id AND composed = $3))
    ORDER BY account.number = $3 DESC LIMIT 1)
  ${selectWanted}`;
const byNumber = `
  SELECT account.id, row_number() OVER (ORDER BY account.number) AS place FROM account
  WHERE account.supplier = (SELECT supplier.id FROM supplier JOIN platform ON platform.id = supplier.platform
      WHERE identity = $1 AND supplier.code = $2)
    AND ($3::text IS NULL OR account.number > $3)`;
const selectPage = `
  WITH wanted AS (${byNumber} AND account.state = ANY($4) ORDER BY account.number LIMIT ${pageSizes.accounts})
  ${selectWanted}`;
const selectChanged = `
  WITH wanted AS (${byNumber} AND account.changed = $4 ORDER BY account.number LIMIT ${pageSizes.accounts})
  ${selectWanted}`;
const selectFrom = `
  SELECT account.id, account.number, account.state, account.absent, supplier.code AS supplier
  FROM account JOIN supplier ON supplier.id = account.supplier
  WHERE account.id > $1 AND account.source = (SELECT source.id FROM source JOIN platform
    ON platform.id = source.platform WHERE identity = $2 AND place = $3)
  ORDER BY account.id LIMIT ${pageSizes.book}`;
const countFrom = `
  SELECT count(*) AS accounts FROM account JOIN source ON source.id = account.source
    JOIN platform ON platform.id = source.platform
  WHERE platform.identity = $1 AND source.place = ANY($2) AND absent = 0`;
const countUnanswered = `
  SELECT count(*) AS requests, count(*) FILTER (WHERE account.absent <> 0) AS gone
  FROM account JOIN part ON part.account = account.id
    JOIN supplier ON supplier.id = account.supplier JOIN platform ON platform.id = supplier.platform
  WHERE platform.identity = $1 AND supplier.code = $2 AND part.state = ${partStates.of.sent}
    AND part.outcome IS DISTINCT FROM 'scheduled'
    AND account.state NOT IN (${accountStates.of.completed}, ${accountStates.of.skipped}, ${accountStates.of.uncertain})`;
const selectShared = `
  SELECT account.kraken_account_number AS number
  FROM account JOIN supplier ON supplier.id = account.supplier
  WHERE account.kraken_account_number > $1
    AND supplier.platform = (SELECT id FROM platform WHERE identity = $2)
  GROUP BY account.kraken_account_number HAVING count(*) > 1 ORDER BY 1 LIMIT ${pageSizes.accounts}`;
const selectRows = `
  SELECT account.id, account.number, account.row_print AS written, supplier.code AS supplier,
    account.state = ${accountStates.of.completed} AS "isCompleted",
    coalesce(source.place = $2, false) AND account.absent = 0 AS "isIn"
  FROM json_to_recordset($3::json) AS asked(number text)
    JOIN supplier ON supplier.platform = (SELECT id FROM platform WHERE identity = $1)
    JOIN account ON account.supplier = supplier.id AND account.number = asked.number
    LEFT JOIN source ON source.id = account.source
  WHERE account.row_print IS NOT NULL`;

/** The accounts, each with its parts. */
export function accountReads(connection: JournalConnection): AccountReads {
  async function entries(
    text: string,
    values: readonly (string | number | null | readonly number[])[],
  ): Promise<readonly StoredEntry[]> {
    return entriesIn(await connection.query<JoinedRow>(text, values));
  }

  return {
    ...countReads(connection),

    find: async (platform, key) => (await entries(find, [platform, key.supplier, key.account]))[0],

    findSpelled: async (platform, key) =>
      (await entries(findSpelled, [platform, key.supplier, key.account]))[0],

    page: (platform, supplier, after, states) =>
      entries(selectPage, [platform, supplier, after ?? null, states]),

    pageChanged: (platform, supplier, run, after) =>
      entries(selectChanged, [platform, supplier, after ?? null, run]),

    pageFrom: (platform, from, after) => connection.query<BookRow>(selectFrom, [after, platform, from]),

    countFrom: async (platform, from) =>
      (await connection.query<{ accounts: number }>(countFrom, [platform, from]))[0]?.accounts ?? 0,

    unanswered: async (platform, supplier) =>
      (await connection.query<Unanswered>(countUnanswered, [platform, supplier]))[0] ?? {
        requests: 0,
        gone: 0,
      },

    pageShared: async (platform, after) =>
      (await connection.query<{ number: string }>(selectShared, [after, platform])).map(
        ({ number }) => number,
      ),

    rowsOf: (platform, from, numbers) =>
      connection.query(selectRows, [platform, from, rowsParameter(numbers.map((number) => ({ number })))]),
  };
}
