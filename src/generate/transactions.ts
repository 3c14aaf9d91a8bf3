import type { JsonObject } from '../domain/json.ts';
import type { AccountContext } from './account-context.ts';
import { dateText, lastDay, type Day } from './calendar.ts';

/** The columns of a transaction in the flat shape. */
export const transactionColumns = [
  'transaction_id',
  'transaction_date',
  'amount',
  'type',
  'reason',
  'reference',
  'payment_type',
  'display_note',
  'note',
  'product_code',
];

export interface Posting {
  /** Transaction object (interface, section 2.6). */
  readonly transaction: JsonObject;
  /** What it adds to a balance; payments and credits add, the others subtract. */
  readonly effect: Minor;
}

const makers = [payment, supplyCharge, credit, charge, repayment] as const;

/** Transactions in order of their dates, all from `first` to `last`, both included. The five types take turns. */
export function postings(context: AccountContext, count: number, first: Day, last: Day): Posting[] {
  const turn = context.position;
  return Array.from({ length: count }, (_, index) => {
    const day = first + Math.floor(((last - first) * (index + 1)) / count);
    const make = makers[(turn + index) % makers.length] ?? payment;
    return make(context, day);
  });
}

export function totalEffect(made: readonly Posting[]): Minor {
  return made.reduce((sum, { effect }) => sum + effect, 0);
}

export function transactionsOf(made: readonly Posting[]): JsonObject[] {
  return made.map(({ transaction }) => transaction);
}

function payment(context: AccountContext, day: Day): Posting {
  const amount = context.random.between(1_000, 25_000);
  return posting(context, day, 'PAYMENT', amount, {
    reason: 'ACCOUNT_CHARGE_PAYMENT',
    reference: `PAY-${context.random.digits(8)}`,
    payment_type: context.random.pick(['DD_REGULAR_COLLECTION', 'DIRECT_CREDIT', 'CHEQUE', 'DEBIT_CARD']),
    note: 'Collected in the old system',
  });
}

function repayment(context: AccountContext, day: Day): Posting {
  const amount = context.random.between(500, 5_000);
  return posting(context, day, 'REPAYMENT', amount, {
    reason: 'FULL_CREDIT_REFUND',
    reference: `REF-${context.random.digits(8)}`,
    payment_type: context.random.pick(['DD_FINAL_COLLECTION', 'CREDIT_CARD']),
  });
}

function charge(context: AccountContext, day: Day): Posting {
  const amount = context.random.between(100, 2_500);
  return posting(context, day, 'CHARGE', amount, {
    reason: 'IMPORTED_CHARGE',
    display_note: 'Meter visit, "evening slot"',
    note: 'Fee table 3\nagreed by telephone',
  });
}

function credit(context: AccountContext, day: Day): Posting {
  const amount = context.random.between(100, 4_000);
  return posting(context, day, 'CREDIT', amount, {
    reason: context.random.pick(['IMPORTED_CREDIT', 'GENERAL_CREDIT']),
    display_note: 'Goodwill – café voucher',
  });
}

/** A month of consumption and of a daily charge: its amount is what its items and their tax add up to. */
function supplyCharge(context: AccountContext, day: Day): Posting {
  const { random } = context;
  const change = day - random.between(8, 20);
  const priced = [
    lineItem(context, 'CONSUMPTION_STANDARD', day - 30, change, random.between(1_500, 4_000)),
    lineItem(context, 'CONSUMPTION_STANDARD', change + 1, day, random.between(1_500, 4_000)),
    lineItem(context, 'STANDING_CHARGE', day - 30, day, random.between(3_000, 6_000)),
  ];
  const net = priced.reduce((sum, item) => sum + item.net, 0);
  const tax = Math.round(net / 20);
  return posting(context, day, 'SUPPLY_CHARGE', net + tax, {
    display_note: 'Electricity',
    product_code: `ELECTRICITY-${random.between(1, 4)}`,
    line_items: priced.map(({ item }) => item),
    tax_items: [
      {
        amount: amountNumber(tax),
        tax_type: 'VAT',
        value_taxed: amountNumber(net),
        rate: 0.05,
        unit_type: 'PROPORTION',
      },
    ],
  });
}

/** One price over one period, both days included; `price` is in hundredths of a minor unit. */
function lineItem({ random }: AccountContext, band: string, first: Day, last: Day, price: number) {
  const metered = band.startsWith('CONSUMPTION');
  let units = metered ? random.between(40, 400) : last - first + 1;
  // Half a minor unit could be rounded either way: no platform is asked to agree on that.
  if ((units * price) % 100 === 50) units += 1;
  const net: Minor = Math.round((units * price) / 100);
  const reading = random.between(1_000, 90_000);
  const item: JsonObject = {
    rate_band: band,
    start_date: dateText(first),
    end_date: dateText(last),
    number_of_units: units,
    net_amount: amountNumber(net),
    price_per_unit: price / 10_000,
    ...(metered && { units: [reading, reading + units] }),
  };
  return { item, net };
}

function posting(context: AccountContext, day: Day, type: string, amount: Minor, more: JsonObject): Posting {
  const adds = type === 'PAYMENT' || type === 'CREDIT';
  const transaction = {
    transaction_id: context.nextTransactionId(),
    transaction_date: dateText(day),
    amount: amountText(amount),
    type,
    ...more,
  };
  return { transaction, effect: adds ? amount : -amount };
}

interface Ledgers {
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

/** One ledger in eight was never billed: it has only current transactions, and no last statement. */
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

/** Money, as a whole number of minor units (pence, cents): exact up to 2^53. */
type Minor = number;

/** `1230` as the decimal string `12.30`. */
export function amountText(minor: Minor): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `1230` as the JSON number 12.3: a correctly rounded quotient prints as the decimal that was meant. */
export function amountNumber(minor: Minor): number {
  return minor / 100;
}
