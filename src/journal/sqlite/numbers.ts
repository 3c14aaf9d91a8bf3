import type { Sqlite } from '../../sqlite/open-database.ts';

const pageSize = 200;

export type Numbers = ReturnType<typeof numbersOf>;

/** Platform account numbers by their index, which includes each account's supplier: no account's row is read. */
export function numbersOf(db: Sqlite) {
  const shared = db
    .prepare<[string, string], string>(
      `SELECT account.kraken_account_number
      FROM account INDEXED BY account_of_number CROSS JOIN supplier ON supplier.id = account.supplier
      WHERE account.kraken_account_number > ? AND supplier.platform = (SELECT id FROM platform WHERE identity = ?)
      GROUP BY account.kraken_account_number HAVING count(*) > 1 LIMIT ${pageSize}`,
    )
    .pluck();

  return {
    /** The next numbers after this one that several accounts of a platform have; fewer than a page only at the end. */
    sharedPage(
      platform: string,
      after: string,
    ): { readonly numbers: readonly string[]; readonly isLast: boolean } {
      const numbers = shared.all(after, platform);
      return { numbers, isLast: numbers.length < pageSize };
    },
  };
}
