import { changedAfterImport } from '../../domain/shared-codes.ts';
import { accountStates } from '../core/codes.ts';
import type { PartlyRead, SupplierOverview, Trouble } from '../journal.ts';
import { readingOf, type ReadFrom } from '../core/reading-of.ts';
import { overviewOf, type Apart, type TallyRow } from '../core/tally.ts';
import type { Queries } from './queries.ts';

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
const countRefused = `
  SELECT supplier, count(*) AS accounts FROM account
  WHERE state = ${accountStates.of.completed} AND code <> '' GROUP BY supplier`;
const findReadings = `
  SELECT supplier, source, place, accounts FROM reading JOIN source ON source.id = reading.source
  WHERE whole = 0 ORDER BY supplier, source`;

/** The counts of a PostgreSQL journal, and the accounts that failed last. */
export class PostgresOverview {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  overview(platform?: string): Promise<SupplierOverview[]> {
    return this.#queries.read(async (connection) => {
      const [tally, absent, staged, changed, refused, readings, restores] = await connection.together(() =>
        Promise.all([
          connection.query<TallyRow>(countTally, [platform ?? null]),
          connection.query<Apart & { state: number }>(countAbsent),
          connection.query<Apart>(countStaged),
          connection.query<Apart>(countChanged),
          connection.query<Apart>(countRefused),
          connection.query<{
            supplier: number;
            source: number;
            place: string;
            accounts: number | null;
          }>(findReadings),
          connection.query<{ id: number }>('SELECT max(id) AS id FROM restore HAVING max(id) > 0'),
        ]),
      );
      const [restore] = restores;
      const read =
        readings.length === 0
          ? []
          : await connection.query<ReadFrom>(
              `SELECT supplier, source, count(*) AS accounts FROM account
              WHERE absent = 0 AND source IN (SELECT source FROM reading WHERE whole = 0)
              GROUP BY supplier, source`,
            );
      const partly = new Map<number, PartlyRead[]>();
      for (const reading of readings)
        partly.set(reading.supplier, [
          ...(partly.get(reading.supplier) ?? []),
          readingOf(reading.place, reading, read),
        ]);
      const doubted =
        restore === undefined
          ? []
          : await connection.query<Apart>(
              `SELECT supplier, count(*) AS accounts FROM account
              WHERE restore < $1 AND absent = 0 AND state <> ${accountStates.of.completed} GROUP BY supplier`,
              [restore.id],
            );
      return overviewOf(tally, { absent, staged, changed, refused, doubted, partlyRead: partly });
    });
  }

  async lastTroubles(platform: string, supplier: string): Promise<readonly Trouble[]> {
    const { rejected, failed, uncertain } = accountStates.of;
    const rows = await this.#queries.rows<{ number: string; state: number; code: string }>(
      `SELECT account.number, account.state, account.code
      FROM trouble JOIN account ON account.id = trouble.account JOIN supplier ON supplier.id = account.supplier
        JOIN platform ON platform.id = supplier.platform
      WHERE platform.identity = $1 AND supplier.code = $2 AND account.state IN (${rejected}, ${failed}, ${uncertain})
      GROUP BY account.id ORDER BY max(trouble.id) DESC LIMIT ${toldTroubles}`,
      [platform, supplier],
    );
    return rows.map(({ number, state, code }) => ({
      account: number,
      state: accountStates.name(state),
      code,
    }));
  }

  async platforms(): Promise<{ readonly platform: string; readonly label: string }[]> {
    return this.#queries.rows(`
      SELECT identity AS platform, label FROM platform JOIN run ON run.platform = platform.id
      GROUP BY platform.id ORDER BY max(run.id) DESC`);
  }
}
