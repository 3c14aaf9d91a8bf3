import { statement } from './connection.ts';
import { selectWanted } from './rows.ts';

export const load = statement(
  'load',
  `WITH wanted AS (
    SELECT id, 0 AS place FROM unnest($1::bigint[]) AS given(id)
    UNION
    SELECT account.id, 0 FROM json_to_recordset($2::json) AS key(supplier integer, number text)
      JOIN account ON account.supplier = key.supplier AND account.number = key.number)
  ${selectWanted}`,
);
export const insertAccounts = statement(
  'insert_accounts',
  `INSERT INTO account (supplier, number, state, steps, code, kraken_account_number, staged_hash, plan_hash, restore, source,
    absent, data)
  SELECT * FROM json_to_recordset($1::json) AS row(supplier integer, number text, state smallint, steps bigint,
    code text, kraken_account_number text, staged_hash text, plan_hash text, restore integer, source integer, absent smallint,
    data integer)
  RETURNING id, supplier, number`,
);
export const updateAccounts = statement(
  'update_accounts',
  `UPDATE account SET state = row.state, steps = row.steps, code = row.code,
    kraken_account_number = row.kraken_account_number, staged_hash = row.staged_hash, plan_hash = row.plan_hash,
    restore = row.restore, source = row.source, absent = row.absent, data = row.data,
    row_print = CASE WHEN row.forgets = 0 THEN account.row_print END
  FROM json_to_recordset($1::json) AS row(id bigint, state smallint, steps bigint, code text,
    kraken_account_number text, staged_hash text, plan_hash text, restore integer, source integer, absent smallint,
    data integer, forgets smallint)
  WHERE account.id = row.id`,
);
const partTypes = `account bigint, step smallint, part integer, state smallint, hash text, attempt integer, run integer,
  sent_at bigint, took bigint, outcome text, status integer, code text, words text`;
const partNames =
  'account, step, part, state, hash, attempt, run, sent_at, took, outcome, status, code, words';
export const putParts = statement(
  'put_parts',
  `INSERT INTO part (${partNames}, money, prints)
  SELECT * FROM json_to_recordset($1::json) AS row(${partTypes}, money text, prints text)
  ON CONFLICT (account, step, part) DO UPDATE SET state = excluded.state, hash = excluded.hash,
    attempt = excluded.attempt, run = excluded.run, sent_at = excluded.sent_at, took = excluded.took,
    outcome = excluded.outcome, status = excluded.status, code = excluded.code, words = excluded.words,
    money = excluded.money, prints = excluded.prints`,
);
export const addAttempts = statement(
  'add_attempts',
  `INSERT INTO attempt (${partNames})
  SELECT ${partNames} FROM json_to_recordset($1::json) AS row(place integer, ${partTypes}) ORDER BY place`,
);
export const addTally = statement(
  'add_tally',
  `WITH row AS (
    SELECT * FROM json_to_recordset($1::json) AS row(supplier integer, step smallint, state smallint, by bigint)),
  updated AS (
    UPDATE tally SET accounts = tally.accounts + row.by FROM row
    WHERE tally.supplier = row.supplier AND tally.step = row.step AND tally.state = row.state AND tally.writer = $2
    RETURNING tally.supplier, tally.step, tally.state)
  INSERT INTO tally (supplier, step, state, writer, accounts)
  SELECT supplier, step, state, $2, by FROM row WHERE (supplier, step, state) NOT IN (SELECT * FROM updated)`,
);

export const deleteProblems = statement('delete_problems', 'DELETE FROM problem WHERE account = ANY($1)');
export const insertProblems = statement(
  'insert_problems',
  `INSERT INTO problem (account, position, step, code, path, file, line, col, warning)
  SELECT * FROM json_to_recordset($1::json) AS row(account bigint, position integer, step smallint, code text,
    path text, file text, line bigint, "column" text, warning smallint)`,
);
export const deletePartCells = statement(
  'delete_part_cells',
  'DELETE FROM part_cell WHERE account = ANY($1)',
);
export const insertPartCells = statement(
  'insert_part_cells',
  `INSERT INTO part_cell (account, position, step, part, file, line, col)
  SELECT * FROM json_to_recordset($1::json) AS row(account bigint, position integer, step smallint, part integer,
    file text, line bigint, "column" text)`,
);
const keptTroubles = 100;
export const addTroubles = statement(
  'add_troubles',
  'INSERT INTO trouble (account) SELECT * FROM unnest($1::bigint[])',
);
export const forgetTroubles = statement(
  'forget_troubles',
  `DELETE FROM trouble WHERE id IN (SELECT id FROM trouble
    WHERE id <= (SELECT max(id) FROM trouble) - ${keptTroubles} FOR UPDATE SKIP LOCKED)`,
);
export const addReadings = statement(
  'add_readings',
  `INSERT INTO reading (supplier, source, whole, accounts)
  SELECT supplier, source, 0, accounts
  FROM json_to_recordset($1::json) AS row(supplier integer, source integer, accounts bigint) ON CONFLICT DO NOTHING`,
);
