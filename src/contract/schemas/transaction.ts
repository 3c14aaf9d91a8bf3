import { amount, date, number, open, text } from './fields.ts';
import { array, object, optional, type ValueOf } from './schema.ts';

export const lineItem = object({
  rate_band: optional(text()),
  start_date: date,
  end_date: date,
  number_of_units: number,
  net_amount: number,
  price_per_unit: optional(number),
  units: optional(array(number)),
});

export const taxItem = object({
  amount: number,
  tax_type: open(['VAT']),
  value_taxed: number,
  rate: number,
  unit_type: open(['PROPORTION', 'CURRENCY_PER_KWH']),
});

export const transactionTypes = ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'] as const;

/** The type of a transaction. A separate rule handles other values. */
export const transactionType = open(transactionTypes);

/** Transaction object (section 2.6). transaction_id is checked by a rule of its own, for its own code. */
export const transaction = object({
  transaction_id: optional(text()),
  transaction_date: date,
  amount,
  type: transactionType,
  reason: optional(
    open([
      'IMPORTED_CHARGE',
      'IMPORTED_CREDIT',
      'ACCOUNT_CHARGE_PAYMENT',
      'FULL_CREDIT_REFUND',
      'GENERAL_CREDIT',
    ]),
  ),
  reference: optional(text(512)),
  payment_type: optional(
    open([
      'DD_REGULAR_COLLECTION',
      'DD_FINAL_COLLECTION',
      'DIRECT_CREDIT',
      'CHEQUE',
      'CREDIT_CARD',
      'DEBIT_CARD',
    ]),
  ),
  display_note: optional(text()),
  note: optional(text()),
  product_code: optional(text()),
  line_items: optional(array(lineItem)),
  tax_items: optional(array(taxItem)),
});

export type Transaction = ValueOf<typeof transaction>;
export type LineItem = ValueOf<typeof lineItem>;
