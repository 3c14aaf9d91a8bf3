import { z } from 'zod';
import { amount, date, json, number, open, ruled, text } from './fields.ts';

export const lineItem = z.strictObject({
  rate_band: text().optional(),
  start_date: date,
  end_date: date,
  number_of_units: number,
  net_amount: number,
  price_per_unit: number.optional(),
  units: z.array(number).optional(),
});

export const taxItem = z.strictObject({
  amount: number,
  tax_type: open(['VAT']),
  value_taxed: number,
  rate: number,
  unit_type: open(['PROPORTION', 'CURRENCY_PER_KWH']),
});

export const transactionTypes = ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'] as const;

/** Transaction object (section 2.6). transaction_id is checked by a rule of its own, for its own code. */
export const transaction = z.strictObject({
  transaction_id: text().optional(),
  transaction_date: date,
  amount,
  type: ruled([...transactionTypes]),
  reason: open([
    'IMPORTED_CHARGE',
    'IMPORTED_CREDIT',
    'ACCOUNT_CHARGE_PAYMENT',
    'FULL_CREDIT_REFUND',
    'GENERAL_CREDIT',
  ]).optional(),
  reference: text(512).optional(),
  payment_type: open([
    'DD_REGULAR_COLLECTION',
    'DD_FINAL_COLLECTION',
    'DIRECT_CREDIT',
    'CHEQUE',
    'CREDIT_CARD',
    'DEBIT_CARD',
  ]).optional(),
  display_note: text().optional(),
  note: text().optional(),
  product_code: text().optional(),
  line_items: z.array(lineItem).optional(),
  tax_items: z.array(taxItem).optional(),
});

export type Transaction = z.infer<typeof transaction>;
export type LineItem = z.infer<typeof lineItem>;

export const transactionResultStatuses = [
  'TRANSACTION_ADDED_TO_ACCOUNT',
  'TRANSACTION_ALREADY_EXISTS',
  'TRANSACTION_IMPORT_ERROR',
] as const;

/** Answer to endpoint 9 (section 4). The echoed transaction is the platform's own, so it is not held to 2.6. */
export const transactionsAnswer = z.looseObject({
  results: z.array(
    z.looseObject({
      status: z.string(),
      transaction_data: json.optional(),
      error_detail: z.string().optional(),
    }),
  ),
});

/** 400 of endpoint 9: the first failing transaction only (section 4, rule 6). */
export const transactionImportError = z.looseObject({
  status: z.literal('TRANSACTION_IMPORT_ERROR'),
  error_detail: z.string(),
  transaction_data: json.optional(),
});
