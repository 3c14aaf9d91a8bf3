import type { StoredEntry } from '../core/rows.ts';
import type { Queries } from './queries.ts';
import { entriesIn, selectWanted, type JoinedRow } from './rows.ts';

const mostHolders = 10;
// Texts and not prepared statements: a plan that was made for the first few accounts would read all of them later.
const findHolders = `
  WITH wanted AS (
    SELECT account.id, account.id AS place FROM account JOIN supplier ON supplier.id = account.supplier
      JOIN platform ON platform.id = supplier.platform
    WHERE account.kraken_account_number = $2 AND platform.identity = $1 ORDER BY account.id LIMIT ${mostHolders})
  ${selectWanted}`;
const whoHas =
  'SELECT DISTINCT kraken_account_number AS number FROM account WHERE kraken_account_number = ANY($1)';

/** Which accounts have a platform number. */
export class Holders {
  #asked: {
    readonly number: string;
    readonly answer: (isThere: boolean) => void;
    readonly fail: (error: unknown) => void;
  }[] = [];

  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async of(platform: string, krakenAccountNumber: string): Promise<readonly StoredEntry[]> {
    if (!(await this.#isHeld(krakenAccountNumber))) return [];
    return this.#queries.now(async (connection) =>
      entriesIn(await connection.query<JoinedRow>(findHolders, [platform, krakenAccountNumber])),
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
}
