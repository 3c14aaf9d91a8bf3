import { restoredIfAny, storedOrNulls, type Cell } from '../../domain/cell.ts';
import type { Superseded } from '../journal.ts';
import type { Queries } from './queries.ts';

/** What a PostgreSQL journal has of data that fixes replaced. */
export class PostgresFixes {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  supersede(accountId: number, hash: string, fix: Cell | undefined): Promise<void> {
    const { file, line, column } = storedOrNulls(fix);
    return this.#queries.write(async ({ connection }) => {
      await connection.change(
        `INSERT INTO superseded (account, hash, file, line, col) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (account, hash) DO UPDATE SET file = excluded.file, line = excluded.line, col = excluded.col, told = 0`,
        [accountId, hash, file, line, column],
      );
    }, true);
  }

  async superseded(accountId: number, hash: string): Promise<Superseded | undefined> {
    const [row] = await this.#queries.rows<{
      file: string | null;
      line: number | null;
      col: string | null;
      told: number;
    }>('SELECT file, line, col, told FROM superseded WHERE account = $1 AND hash = $2', [accountId, hash]);
    if (row === undefined) return undefined;
    const { file, line, col: column, told } = row;
    return { isTold: told === 1, fix: restoredIfAny({ file, line, column }) };
  }

  noteSupersededTold(accountId: number, hash: string): Promise<void> {
    return this.#queries.write(async ({ connection }) => {
      await connection.change('UPDATE superseded SET told = 1 WHERE account = $1 AND hash = $2', [
        accountId,
        hash,
      ]);
    }, true);
  }
}
