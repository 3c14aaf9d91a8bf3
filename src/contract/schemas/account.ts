import { z } from 'zod';
import { boolean, country, date, decimalString, jsonObject, number, open, text } from './fields.ts';
import { transaction } from './transaction.ts';

/** Longest external account number, in characters. */
export const longestAccountNumber = 128;

export const identification = {
  import_supplier: text(),
  external_account_number: text(longestAccountNumber),
};

/** Address object (section 2.3). */
export const address = z.strictObject({
  street_address: text(512).optional(),
  locality: text(512).optional(),
  administrative_area: text(512).optional(),
  postal_code: text(512).optional(),
  country,
});

export const customer = z.strictObject({
  email: text(254).optional(),
  family_name: text().optional(),
  given_name: text().optional(),
  landline: text().optional(),
  portfolio_roles: z.array(open(['ADMIN'])).optional(),
  title: text().optional(),
  unable_to_read_meters: boolean.optional(),
});

/** A ledger's code; sections 2.3 and 2.8 show one each. */
export const ledgerCode = open(['ENERGY', 'ELECTRICITY']);

export const ledger = z.strictObject({
  ledger_code: ledgerCode,
  last_statement_balance: number.optional(),
  last_statement_closing_date: date.optional(),
  ledger_balance: number.optional(),
  current_statement_transactions: z.array(transaction).optional(),
  historical_statement_transactions: z.array(transaction).optional(),
});

/** Agreement object of a supply point (section 2.3). */
export const agreement = z.strictObject({ effective_from: date, tariff_code: text() });

export const supplyPoint = z.strictObject({
  agreements: z.array(agreement).optional(),
  last_billed_to_date: date.optional(),
  supply_start_date: date.optional(),
  identifier: text(),
  supply_type: open(['ELECTRICITY']),
  load_zone: text().optional(),
});

export const supplyAddress = z.strictObject({
  customer_at_supply_address_from_date: date.optional(),
  supply_address: address,
  supply_points: z.array(supplyPoint).optional(),
});

export const metadataEntry = z.strictObject({ key: text(1024), value: jsonObject });

export const accountTypes = [
  'DOMESTIC',
  'BUSINESS',
  'MANAGED',
  'PORTFOLIO_LEAD',
  'DOMESTIC_VACANT',
  'BUSINESS_VACANT',
  'DOMESTIC_OCCUPIER',
  'BUSINESS_OCCUPIER',
  'SYSTEM',
  'DOMESTIC_THIRD_PARTY_BILLED',
  'BUSINESS_THIRD_PARTY_BILLED',
] as const;

/** Account payload of endpoints 1 and 2 (section 2.3). */
export const accountPayload = z.strictObject({
  account_billing_options: z.strictObject({ use_industry_billing: boolean.optional() }).optional(),
  account_type: open([...accountTypes]).optional(),
  billing_address: address.optional(),
  communication_preference: open(['ONLINE', 'PRINT']).optional(),
  customers: z.array(customer).optional(),
  ...identification,
  ledgers: z.array(ledger).optional(),
  metadata: z.array(metadataEntry).optional(),
  sales_channel: open(['EVENTS']).optional(),
  sales_subchannel: open(['MIGRATION']).optional(),
  supply_addresses: z.array(supplyAddress).optional(),
  transfer_balance: decimalString.optional(),
  unknown_occupier: boolean.optional(),
});

const anyAddress = address.extend({ country: country.optional() });

/** What the rules read: a tenancy may have a mobile number beside the landline, and addresses without a country. */
export const accountSubject = accountPayload.extend({
  billing_address: anyAddress.optional(),
  customers: z.array(customer.extend({ mobile: text().optional() })).optional(),
  supply_addresses: z.array(supplyAddress.extend({ supply_address: anyAddress })).optional(),
});

export type AccountPayload = z.infer<typeof accountSubject>;
export type Address = z.infer<typeof anyAddress>;
export type Ledger = z.infer<typeof ledger>;
export type SupplyPoint = z.infer<typeof supplyPoint>;
export type Customer = NonNullable<AccountPayload['customers']>[number];

/** Answer to endpoint 2: 201 on first staging, 200 on update (section 4). */
export const stageAnswer = z.looseObject({
  import_supplier: z.string().optional(),
  import_supplier_code: z.string().optional(),
  external_account_number: z.string(),
});
