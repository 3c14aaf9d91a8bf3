import { alreadyHeldCodes, changedAfterImport } from '../../domain/shared-codes.ts';
import { accountStates } from '../core/codes.ts';
import type { ReadFrom } from '../core/reading-of.ts';
import type { AccountReads, TroubleRow } from '../core/statements.ts';
import type { Apart, ReadingRow, TallyRow } from '../core/tally.ts';
import type { JournalConnection } from './connection.ts';

const toldTroubles = 20;

const countTally = `
  SELECT supplier.id, platform.identity AS platform, platform.label, supplier.code AS supplier,
    tally.step, tally.state, sum(tally.accounts)::bigint AS accounts
  FROM supplier JOIN platform ON platform.id = supplier.platform JOIN tally ON tally.supplier = supplier.id
  WHERE platform.identity = coalesce($1, platform.identity)
  GROUP BY supplier.id, platform.id, tally.step, tally.state
  ORDER BY platform.identity, supplier.code`;
const countAbsent = `
  SELECT supplier, state, count(*) AS accounts FROM account
  WHERE absent = 1 AND kraken_account_number IS NULL AND state <> ${accountStates.of.uncertain}
  GROUP BY supplier, state`;
const countStaged = `
  SELECT supplier, count(*) AS accounts FROM account
  WHERE state = ${accountStates.of.pending} AND staged_hash IS NOT NULL AND absent = 0 GROUP BY supplier`;
const countChanged = `
  SELECT supplier, count(*) AS accounts FROM account
  WHERE state = ${accountStates.of.rejected} AND code = '${changedAfterImport}' GROUP BY supplier`;
const held = alreadyHeldCodes.map((code) => `'${code}'`).join(', ');
const countHeld = `
  SELECT supplier, count(*) AS accounts FROM account
  WHERE state = ${accountStates.of.rejected} AND code IN (${held}) GROUP BY supplier`;
const countRefused = `
  SELECT supplier, count(*) AS accounts FROM account
  WHERE state = ${accountStates.of.completed} AND code <> '' GROUP BY supplier`;
const findReadings = `
  SELECT supplier, source, place, accounts FROM reading JOIN source ON source.id = reading.source
  WHERE whole = 0 ORDER BY supplier, source`;
const countRead = `
  SELECT supplier, source, count(*) AS accounts FROM account
  WHERE absent = 0 AND source IN (SELECT source FROM reading WHERE whole = 0)
  GROUP BY supplier, source`;
const countDoubted = `
  SELECT supplier, count(*) AS accounts FROM account
  WHERE restore < $1 AND absent = 0 AND state <> ${accountStates.of.completed} GROUP BY supplier`;
const { rejected, failed, uncertain } = accountStates.of;
const findTroubles = `
  SELECT account.number, account.state, account.code
  FROM trouble JOIN account ON account.id = trouble.account JOIN supplier ON supplier.id = account.supplier
    JOIN platform ON platform.id = supplier.platform
  WHERE platform.identity = $1 AND supplier.code = $2 AND account.state IN (${rejected}, ${failed}, ${uncertain})
  GROUP BY account.id ORDER BY max(trouble.id) DESC LIMIT ${toldTroubles}`;

/** The counts of accounts, and the accounts that failed last. */
export function countReads(connection: JournalConnection): Pick<AccountReads, 'counts' | 'lastTroubles'> {
  return {
    async counts(platform) {
      const [tally, absent, staged, changed, alreadyHeld, refused, readings, [restore]] =
        await connection.together(() =>
          Promise.all([
            connection.query<TallyRow>(countTally, [platform ?? null]),
            connection.query<Apart & { state: number }>(countAbsent),
            connection.query<Apart>(countStaged),
            connection.query<Apart>(countChanged),
            connection.query<Apart>(countHeld),
            connection.query<Apart>(countRefused),
            connection.query<ReadingRow>(findReadings),
            connection.query<{ id: number }>('SELECT max(id) AS id FROM restore HAVING max(id) > 0'),
          ]),
        );
      const read = readings.length === 0 ? [] : await connection.query<ReadFrom>(countRead);
      const doubted = restore === undefined ? [] : await connection.query<Apart>(countDoubted, [restore.id]);
      return { tally, absent, staged, changed, held: alreadyHeld, refused, doubted, readings, read };
    },

    lastTroubles: (platform, supplier) => connection.query<TroubleRow>(findTroubles, [platform, supplier]),
  };
}
