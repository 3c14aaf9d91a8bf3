import { parseDecimal, zero, type Decimal } from '../../domain/decimal.ts';
import { numberText } from '../../domain/json.ts';
import type { Amount } from '../schemas/fields.ts';
import type { Transaction } from '../schemas/transaction.ts';

/** The exact value of an amount that its schema has accepted. */
export function exact(amount: Amount): Decimal {
  return parseDecimal(numberText(amount) ?? '') ?? zero;
}

/** The effect of a transaction on a balance: credit balances are positive, debit balances negative. */
const signs: ReadonlyMap<string, 1 | -1> = new Map([
  ['PAYMENT', 1],
  ['CREDIT', 1],
  ['CHARGE', -1],
  ['SUPPLY_CHARGE', -1],
  ['REPAYMENT', -1],
]);

/** `start` plus the signed transactions; undefined if the sign of a type is not known. */
export function balanceAfter(start: Decimal, transactions: readonly Transaction[]): Decimal | undefined {
  let balance = start;
  for (const { type, amount } of transactions) {
    const sign = signs.get(type);
    if (sign === undefined) return undefined;
    balance = sign === 1 ? balance.plus(exact(amount)) : balance.minus(exact(amount));
  }
  return balance;
}
