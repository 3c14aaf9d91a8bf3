import { accountStates } from '../core/codes.ts';
import type { BookEntry } from '../journal.ts';
import type { Queries } from './queries.ts';

const bookPage = 5_000;

/** Which exports the accounts of a PostgreSQL journal were read from. */
export class PostgresReadings {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  beginReading(platform: string, from: string, accounts?: number): Promise<void> {
    return this.#queries.write(async ({ connection, names }) => {
      const source = await names.addSource(connection, platform, from);
      if (accounts !== undefined) this.#queries.sizes.set(source, accounts);
      await connection.change(
        `UPDATE reading SET whole = 0, accounts = $1
        WHERE source = $2 AND (accounts IS DISTINCT FROM $1 OR accounts IS NULL)`,
        [accounts ?? null, source],
      );
    }, true);
  }

  endReading(platform: string, from: string): Promise<void> {
    return this.#queries.write(async ({ connection, names }) => {
      const source = await names.addSource(connection, platform, from);
      await connection.change('UPDATE reading SET whole = 1 WHERE source = $1', [source]);
      // A later export may have all accounts of one that was never read to its end.
      await connection.change(`
        DELETE FROM reading WHERE whole = 0 AND NOT EXISTS (
          SELECT 1 FROM account WHERE account.supplier = reading.supplier AND account.source = reading.source)`);
    }, true);
  }

  async countFrom(platform: string, from: readonly string[]): Promise<number> {
    const [row] = await this.#queries.rows<{ accounts: number }>(
      `SELECT count(*) AS accounts FROM account JOIN source ON source.id = account.source
        JOIN platform ON platform.id = source.platform
      WHERE platform.identity = $1 AND source.place = ANY($2) AND absent = 0`,
      [platform, from],
    );
    return row?.accounts ?? 0;
  }

  async *accountsFrom(platform: string, from: string): AsyncGenerator<BookEntry> {
    for (let after = 0; ;) {
      const rows = await this.#queries.rows<{
        id: number;
        number: string;
        state: number;
        absent: number;
        supplier: string;
      }>(
        `SELECT account.id, account.number, account.state, account.absent, supplier.code AS supplier
        FROM account JOIN supplier ON supplier.id = account.supplier
        WHERE account.id > $1 AND account.source = (SELECT source.id FROM source JOIN platform
          ON platform.id = source.platform WHERE identity = $2 AND place = $3)
        ORDER BY account.id LIMIT ${bookPage}`,
        [after, platform, from],
      );
      yield* rows.map(({ id, supplier, number, state, absent }) => ({
        ...{
          id,
          key: { supplier, account: number },
          state: accountStates.name(state),
          isAbsent: absent === 1,
        },
      }));
      after = rows.at(-1)?.id ?? 0;
      if (rows.length < bookPage) return;
    }
  }

  markAbsent(accountIds: readonly number[]): Promise<void> {
    return this.#queries.write(async ({ connection }) => {
      await connection.change('UPDATE account SET absent = 1 WHERE id = ANY($1)', [accountIds]);
    }, true);
  }
}
