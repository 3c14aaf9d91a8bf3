import type { AccountReading, ReadBackRecords, ReadingCounts } from '../read-back-records.ts';
import type { Queries } from './queries.ts';

/** Readings of one account within this time add their cost up (ms). */
const hourMs = 3_600_000;

const supplierOf =
  'SELECT supplier.id FROM supplier JOIN platform ON platform.id = platform WHERE identity = $1 AND code = $2';

/** The record of accounts that were read back, in a PostgreSQL journal. */
export class PostgresReadBackRecords implements ReadBackRecords {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  begin(platform: string, supplier: string, selection: string, at: number): Promise<number> {
    return this.#queries.write(async ({ connection }) => {
      const [open] = await connection.query<{ id: number }>(
        `SELECT id FROM read_back_pass WHERE id = (SELECT max(id) FROM read_back_pass WHERE supplier = (${supplierOf}))
        AND selection = $3 AND ended_at IS NULL`,
        [platform, supplier, selection],
      );
      if (open !== undefined) return open.id;
      const [added] = await connection.query<{ id: number }>(
        `INSERT INTO read_back_pass (id, supplier, selection, began_at)
        SELECT coalesce((SELECT max(id) FROM read_back_pass), 0) + 1, (${supplierOf}), $3, $4 RETURNING id`,
        [platform, supplier, selection, at],
      );
      return Number(added?.id);
    });
  }

  end(pass: number, at: number): Promise<void> {
    return this.#queries.write(async ({ connection }) => {
      await connection.change('UPDATE read_back_pass SET ended_at = $1 WHERE id = $2', [at, pass]);
    });
  }

  note({ accountId, pass, at, differences, hidden, points }: AccountReading): Promise<void> {
    return this.#queries.write(async ({ connection }) => {
      await connection.change(
        `INSERT INTO read_back (account, pass, at, differences, hidden, points) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (account) DO UPDATE SET pass = excluded.pass, at = excluded.at, differences = excluded.differences,
          hidden = excluded.hidden,
          points = excluded.points + CASE WHEN read_back.at > excluded.at - ${hourMs} THEN read_back.points ELSE 0 END`,
        [accountId, pass, at, differences, hidden, points],
      );
    });
  }

  async latest(accountId: number): Promise<AccountReading | undefined> {
    const [row] = await this.#queries.rows<AccountReading>(
      'SELECT account AS "accountId", pass, at, differences, hidden, points FROM read_back WHERE account = $1',
      [accountId],
    );
    return row;
  }

  async pointsSince(at: number): Promise<number> {
    const [row] = await this.#queries.rows<{ points: number }>(
      'SELECT coalesce(sum(points), 0)::bigint AS points FROM read_back WHERE at > $1',
      [at],
    );
    return row?.points ?? 0;
  }

  async counts(platform: string, supplier: string): Promise<ReadingCounts> {
    const [row] = await this.#queries.rows<Omit<ReadingCounts, 'latest'> & { latest: number | null }>(
      `SELECT count(*)::bigint AS read, count(*) FILTER (WHERE differences > 0)::bigint AS differ,
        count(*) FILTER (WHERE hidden > 0)::bigint AS "notReadable", max(at) AS latest
      FROM read_back JOIN account ON account.id = read_back.account WHERE supplier = (${supplierOf})`,
      [platform, supplier],
    );
    return {
      read: row?.read ?? 0,
      differ: row?.differ ?? 0,
      notReadable: row?.notReadable ?? 0,
      latest: row?.latest ?? undefined,
    };
  }
}
