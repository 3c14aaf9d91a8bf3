import type { AccountEntry, SharedNumber } from '../journal.ts';
import { entriesOf, selectWanted, type JoinedRow } from './rows.ts';
import type { Queries } from './queries.ts';

const mostHolders = 10;
const accountPage = 200;
// Texts and not prepared statements: a plan that was made for the first few accounts would read all of them later.
const findHolders = `
  WITH wanted AS (
    SELECT account.id, account.id AS place FROM account JOIN supplier ON supplier.id = account.supplier
      JOIN platform ON platform.id = supplier.platform
    WHERE account.kraken_account_number = $2 AND platform.identity = $1 ORDER BY account.id LIMIT ${mostHolders})
  ${selectWanted}`;
const findShared = `
  SELECT account.kraken_account_number AS number
  FROM account JOIN supplier ON supplier.id = account.supplier
  WHERE account.kraken_account_number > $1
    AND supplier.platform = (SELECT id FROM platform WHERE identity = $2)
  GROUP BY account.kraken_account_number HAVING count(*) > 1 ORDER BY 1 LIMIT ${accountPage}`;
const whoHas =
  'SELECT DISTINCT kraken_account_number AS number FROM account WHERE kraken_account_number = ANY($1)';

/** Which accounts of a PostgreSQL journal have a platform number. */
export class PostgresNumbers {
  #asked: {
    readonly number: string;
    readonly answer: (isThere: boolean) => void;
    readonly fail: (error: unknown) => void;
  }[] = [];

  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async holders(platform: string, krakenAccountNumber: string): Promise<readonly AccountEntry[]> {
    if (!(await this.#isHeld(krakenAccountNumber))) return [];
    return this.#queries.now(async (connection) =>
      entriesOf(await connection.query<JoinedRow>(findHolders, [platform, krakenAccountNumber])),
    );
  }

  /** Whether an account has a number: usually none has. The questions of one turn of the event loop are asked together. */
  #isHeld(number: string): Promise<boolean> {
    return new Promise((answer, fail) => {
      if (this.#asked.push({ number, answer, fail }) === 1) setImmediate(() => void this.#askAll());
    });
  }

  async #askAll(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    try {
      const numbers = [...new Set(asked.map(({ number }) => number))];
      const rows = await this.#queries.now((connection) =>
        connection.query<{ number: string }>(whoHas, [numbers]),
      );
      const held = new Set(rows.map(({ number }) => number));
      for (const { number, answer } of asked) answer(held.has(number));
    } catch (error) {
      for (const { fail } of asked) fail(error);
    }
  }

  async *sharedNumbers(platform: string): AsyncGenerator<SharedNumber> {
    for (let after = ''; ;) {
      const rows = await this.#queries.rows<{ number: string }>(findShared, [after, platform]);
      for (const { number } of rows) {
        after = number;
        const holders = await this.holders(platform, number);
        yield { krakenAccountNumber: number, accounts: holders.map(({ key }) => key) };
      }
      if (rows.length < accountPage) return;
    }
  }
}
