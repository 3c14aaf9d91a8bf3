import { formatDecimal, zero } from '../../domain/decimal.ts';
import { utcDate } from '../../domain/clock.ts';
import type { LineItem, Transaction } from '../schemas/transaction.ts';
import type { RuleCode } from '../rule-codes.ts';
import { exact } from './amounts.ts';
import { each } from './guarded.ts';
import type { Report, Rule } from './rule.ts';
import type { TransactionList } from './transactions.ts';

type Lists = readonly TransactionList[];

/** A rule on the line items of each transaction that has line items; `at` is the transaction's own path. */
function itemsRule(
  code: RuleCode,
  check: (items: readonly LineItem[], at: string, report: Report, transaction: Transaction) => void,
): Rule<Lists> {
  return {
    code,
    check(lists, report) {
      for (const { at, transactions } of lists)
        each(transactions, (transaction, index) => {
          const items = transaction.line_items;
          if (items !== undefined) check(items, `${at}.${index}`, report, transaction);
        });
    },
  };
}

/** Exact, not to the minor unit: rounded parts add up to the billed total. */
const itemsMakeAmount = itemsRule(
  'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount',
  (items, at, report, { type, amount, tax_items = [] }) => {
    if (type !== 'SUPPLY_CHARGE' || items.length === 0) return;
    let sum = zero;
    for (const { net_amount } of items) sum = sum.plus(exact(net_amount));
    for (const tax of tax_items) sum = sum.plus(exact(tax.amount));
    const stated = exact(amount);
    if (!sum.eq(stated))
      report(
        `${at}.amount`,
        `Its line items and tax items add up to ${formatDecimal(sum)}, not to ${formatDecimal(stated)}.`,
      );
  },
);

const minorUnit = '0.01';

/** Equal to the minor unit: whether rounded half up, half to even or cut off, the difference is less than one unit. */
const netIsPriceTimesUnits = itemsRule('incorrect_line_item_net_amount', (items, at, report) => {
  each(items, ({ net_amount, price_per_unit, number_of_units }, index) => {
    if (price_per_unit === undefined) return;
    const product = exact(price_per_unit).times(exact(number_of_units));
    const stated = exact(net_amount);
    if (product.minus(stated).abs().gte(minorUnit))
      report(
        `${at}.line_items.${index}.net_amount`,
        `Price and number of units make ${formatDecimal(product)}, not ${formatDecimal(stated)}.`,
      );
  });
});

const unitsAreTwoReadings = itemsRule('line_item_units_must_be_two_values', (items, at, report) => {
  each(items, ({ units }, index) => {
    if (units !== undefined && units.length !== 2)
      report(
        `${at}.line_items.${index}.units`,
        `Two meter readings are expected, and ${units.length} are given.`,
      );
  });
});

const itemDatesInOrder = itemsRule('start_date_later_than_end_date', (items, at, report) => {
  each(items, ({ start_date, end_date }, index) => {
    if (start_date > end_date)
      report(`${at}.line_items.${index}.end_date`, `${end_date} is before the start, ${start_date}.`);
  });
});

/**
 * Within one transaction, and for items that name their rate band: charges of different transactions may belong to
 * different supply points, which a transaction does not name. The interface does not say whether an end date is the
 * last day or the day after it, so a period may begin on the previous one's end date or on the day after.
 */
const periodsFollow = itemsRule('gaps_or_overlaps_in_periods', (items, at, report) => {
  if (items.length < 2) return;
  const inOrder = [...items.entries()]
    .filter(([, item]) => item.rate_band !== undefined && item.start_date <= item.end_date)
    .sort(([, a], [, b]) => compare(a.start_date, b.start_date) || compare(a.end_date, b.end_date));
  const ends = new Map<string | undefined, string>();
  for (const [index, { rate_band, start_date, end_date }] of inOrder) {
    const end = ends.get(rate_band);
    if (end !== undefined && start_date !== end && start_date !== dayAfter(end))
      report(
        `${at}.line_items.${index}.start_date`,
        `The period from ${start_date} does not follow the one of its rate band that ends on ${end}.`,
      );
    if (end === undefined || end_date > end) ends.set(rate_band, end_date);
  }
});

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function dayAfter(date: string): string {
  return utcDate(Date.parse(date) + 86_400_000);
}

export const supplyChargeRules = [
  itemsMakeAmount,
  netIsPriceTimesUnits,
  unitsAreTwoReadings,
  itemDatesInOrder,
  periodsFollow,
];
