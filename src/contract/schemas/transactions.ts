import { identification } from './account.ts';
import { array, object, type ValueOf } from './schema.ts';
import { transaction } from './transaction.ts';

/** Request of endpoint 9 (section 4). */
export const transactionsPayload = object({ ...identification, transactions: array(transaction) });

export type TransactionsPayload = ValueOf<typeof transactionsPayload>;

/** Query parameters of endpoint 9, with the interface's defaults (section 4, rule 6). */
export interface TransactionsQuery {
  /** Check whether a transaction was already added. */
  readonly checkPreviouslyAdded: boolean;
  /** Move a date outside the open statement period into it, instead of failing. */
  readonly forceAddToCurrentStatement: boolean;
}

export const defaultTransactionsQuery: TransactionsQuery = {
  checkPreviouslyAdded: true,
  forceAddToCurrentStatement: true,
};
