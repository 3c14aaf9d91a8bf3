import type { AccountPayload } from '../schemas/account.ts';
import type { BillingDocumentsPayload } from '../schemas/billing-documents.ts';
import { transactionTypes, type Transaction } from '../schemas/transaction.ts';
import type { TransactionsPayload } from '../schemas/transactions.ts';
import { numberText } from '../../domain/json.ts';
import { attempt, each } from './guarded.ts';
import type { Rule } from './rule.ts';

/** An array of transactions of a payload, with its path. Rules on transactions check all of them. */
export interface TransactionList {
  readonly at: string;
  readonly transactions: readonly Transaction[];
}

export function transactionsOfAccount(account: AccountPayload): TransactionList[] {
  const lists: TransactionList[] = [];
  attempt(() =>
    each(account.ledgers, (ledger, index) => {
      const at = `ledgers.${index}`;
      add(lists, `${at}.current_statement_transactions`, () => ledger.current_statement_transactions);
      add(lists, `${at}.historical_statement_transactions`, () => ledger.historical_statement_transactions);
    }),
  );
  return lists;
}

export function transactionsOfRequest(payload: TransactionsPayload): TransactionList[] {
  const lists: TransactionList[] = [];
  add(lists, 'transactions', () => payload.transactions);
  return lists;
}

export function transactionsOfDocuments(payload: BillingDocumentsPayload): TransactionList[] {
  const lists: TransactionList[] = [];
  attempt(() =>
    each(payload.historical_billing_documents, (document, index) =>
      add(lists, `historical_billing_documents.${index}.transactions`, () => document.transactions),
    ),
  );
  add(lists, 'additional_historical_transactions', () => payload.additional_historical_transactions);
  return lists;
}

/**
 * An unreadable list is left out: rules on transactions check each one separately, or look for two with the same id.
 */
function add(lists: TransactionList[], at: string, read: () => readonly Transaction[] | undefined): void {
  attempt(() => {
    const transactions = read();
    if (transactions !== undefined) lists.push({ at, transactions });
  });
}

const idsPresent: Rule<readonly TransactionList[]> = {
  code: 'missing_transaction_id',
  check(lists, report) {
    for (const { at, transactions } of lists)
      each(transactions, ({ transaction_id }, index) => {
        if (transaction_id === undefined)
          report(`${at}.${index}.transaction_id`, 'A transaction needs an id.');
      });
  },
};

/** Within one payload; `account-rules.ts` compares the account's payloads with one another. */
const idsUnique: Rule<readonly TransactionList[]> = {
  code: 'duplicate_transaction_ids',
  check(lists, report) {
    const seen = new Set<string>();
    for (const { at, transactions } of lists)
      each(transactions, ({ transaction_id }, index) => {
        if (transaction_id === undefined) return;
        if (seen.has(transaction_id))
          report(`${at}.${index}.transaction_id`, 'Another transaction of this account has the same id.');
        seen.add(transaction_id);
      });
  },
};

const notInFuture: Rule<readonly TransactionList[]> = {
  code: 'transaction_in_future',
  check(lists, report, { today }) {
    for (const { at, transactions } of lists)
      each(transactions, ({ transaction_date: dated }, index) => {
        if (dated > today)
          report(`${at}.${index}.transaction_date`, `${dated} is later than today, ${today}.`);
      });
  },
};

/** Whether such a transaction adds to a balance or subtracts is not known, so no sum of the account can be checked. */
const typesKnown: Rule<readonly TransactionList[]> = {
  code: 'unknown_transaction_type',
  check(lists, report) {
    for (const { at, transactions } of lists)
      each(transactions, ({ type }, index) => {
        if (!knownTypes.has(type))
          report(
            `${at}.${index}.type`,
            `It is not known whether this type adds to the balance or subtracts. Use one of ${transactionTypes.join(', ')}.`,
          );
      });
  },
};

const knownTypes: ReadonlySet<string> = new Set(transactionTypes);

/** No currency of a utility's customers has more; those of some countries of the Middle East have three, and turn the rule off. */
const mostPlaces = 2;

const amountsInMinorUnits: Rule<readonly TransactionList[]> = {
  code: 'amount_below_minor_unit',
  check(lists, report) {
    for (const { at, transactions } of lists)
      each(transactions, ({ amount }, index) => {
        const places = placesOf(amount);
        if (places > mostPlaces)
          report(
            `${at}.${index}.amount`,
            `It has ${places} decimal places, and most currencies have ${mostPlaces}. Correct it in the old system, or round it on purpose: with round in the mapping, or in the query.`,
          );
      });
  },
};

/** Decimal places without the zeros at the end. */
function placesOf(amount: Transaction['amount']): number {
  const [, fraction = ''] = (numberText(amount) ?? '').split('.');
  return fraction.replace(/0+$/, '').length;
}

const paymentsPositive: Rule<readonly TransactionList[]> = {
  code: 'negative_payment',
  check(lists, report) {
    for (const { at, transactions } of lists)
      each(transactions, ({ amount, type }, index) => {
        if (type === 'PAYMENT' && (numberText(amount) ?? '').startsWith('-'))
          report(
            `${at}.${index}.amount`,
            'A payment is positive. If the old system writes payments as negative amounts, change the sign in the mapping, such as calc: "-{AMOUNT}"; a payment that was given back is a REPAYMENT.',
          );
      });
  },
};

export const transactionRules = [
  idsPresent,
  idsUnique,
  notInFuture,
  typesKnown,
  amountsInMinorUnits,
  paymentsPositive,
];
