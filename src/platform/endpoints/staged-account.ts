import { parseJson, stringifyJson, type JsonObject } from '../../domain/json.ts';
import type { AccountPayload } from '../../contract/schemas/account.ts';

/** What endpoint 9 needs to know of the payload an account was created from. */
export interface StagedAccount {
  /** Transactions of its ledgers by their id, as JSON. */
  readonly transactions: ReadonlyMap<string, string>;
  /** The latest date on which a ledger's statement was closed. */
  readonly lastClosed: string | undefined;
}

export function stagedAccount(payload: string): StagedAccount {
  const transactions = new Map<string, string>();
  let lastClosed: string | undefined;
  // It passed the contract's check when it was staged.
  for (const ledger of (parseJson(payload) as AccountPayload).ledgers ?? []) {
    const closed = ledger.last_statement_closing_date;
    if (typeof closed === 'string' && (lastClosed === undefined || closed > lastClosed)) lastClosed = closed;
    for (const transaction of [
      ...(ledger.historical_statement_transactions ?? []),
      ...(ledger.current_statement_transactions ?? []),
    ])
      if (transaction.transaction_id !== undefined)
        transactions.set(transaction.transaction_id, stringifyJson(transaction as JsonObject));
  }
  return { transactions, lastClosed };
}
