import type { JsonObject } from '../domain/json.ts';
import { dateText, lastDay } from './calendar.ts';
import { amountNumber, type Minor } from './money.ts';
import type { AccountContext } from './account-context.ts';
import { postings, totalEffect, transactionsOf } from './transactions.ts';

export interface Ledgers {
  readonly ledgers: JsonObject[];
  /** Sum of the ledgers' balances. */
  readonly transferBalance: Minor;
}

/** The codes of an account's one or two ledgers. */
export function ledgerCodesOf(context: AccountContext): string[] {
  return context.oneIn(6) ? ['ENERGY', 'ELECTRICITY'] : ['ENERGY'];
}

/** The ledgers of an account, their balances being what their transactions add up to (interface, section 2.3). */
export function ledgersOf(context: AccountContext): Ledgers {
  const made = ledgerCodesOf(context).map((code) => ledger(context, code));
  return {
    ledgers: made.map((one) => one.ledger),
    transferBalance: made.reduce((sum, one) => sum + one.balance, 0),
  };
}

/** One ledger in eight was never billed: it has current transactions alone, and no last statement. */
function ledger(context: AccountContext, code: string): { ledger: JsonObject; balance: Minor } {
  const { random, opened, closing, position } = context;
  const neverBilled = position % 8 === 3;
  const historical = neverBilled ? [] : postings(context, random.between(2, 6), opened + 31, closing);
  const current = position % 8 === 6 ? [] : postings(context, random.between(1, 5), closing + 1, lastDay);
  const lastStatement = totalEffect(historical);
  const balance = lastStatement + totalEffect(current);
  const ledger: JsonObject = {
    ledger_code: code,
    ...(!neverBilled && {
      last_statement_balance: amountNumber(lastStatement),
      last_statement_closing_date: dateText(closing),
    }),
    ledger_balance: amountNumber(balance),
    ...(current.length > 0 && { current_statement_transactions: transactionsOf(current) }),
    ...(historical.length > 0 && { historical_statement_transactions: transactionsOf(historical) }),
  };
  return { ledger, balance };
}
