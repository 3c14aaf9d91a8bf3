import { accountStates } from '../core/codes.ts';
import type { ReadingWrites } from '../core/statements.ts';
import { rowsParameter } from './texts.ts';
import type { OpenTransaction } from './write-queue.ts';

const begin = `
  UPDATE reading SET whole = 0, accounts = $1
  WHERE source = $2 AND (accounts IS DISTINCT FROM $1 OR accounts IS NULL)`;
const removeReplaced = `
  DELETE FROM reading WHERE whole = 0 AND NOT EXISTS (
    SELECT 1 FROM account WHERE account.supplier = reading.supplier AND account.source = reading.source)`;
const noteRows = `
  UPDATE account SET changed = coalesce(note.changed, account.changed),
    row_print = CASE
      WHEN account.state <> ${accountStates.of.completed} OR account.plan_hash = coalesce(note.plan_hash, account.plan_hash)
      THEN coalesce(note.row_print, account.row_print) ELSE account.row_print END
  FROM json_to_recordset($1::json) AS note(id bigint, row_print text, plan_hash text, changed integer)
  WHERE account.id = note.id`;

/** What was read from which export. `sizes`: the number of accounts of exports that are being read, by the export's number. */
export function readingWrites(
  { connection, names }: OpenTransaction,
  sizes: Map<number, number>,
): ReadingWrites {
  return {
    async begin(platform, from, accounts) {
      const source = await names.addSource(connection, platform, from);
      if (accounts !== undefined) sizes.set(source, accounts);
      await connection.change(begin, [accounts ?? null, source]);
    },

    async end(platform, from) {
      const source = await names.addSource(connection, platform, from);
      await connection.change('UPDATE reading SET whole = 1 WHERE source = $1', [source]);
      // A later export may have all accounts of one that was never read to its end.
      await connection.change(removeReplaced);
    },

    async markAbsent(accountIds) {
      await connection.change('UPDATE account SET absent = 1 WHERE id = ANY($1)', [accountIds]);
    },

    async noteRows(notes) {
      await connection.change(noteRows, [rowsParameter(notes)]);
    },
  };
}
