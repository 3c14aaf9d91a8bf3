import { boolean, country, date, decimalString, jsonObject, number, open, text } from './fields.ts';
import { array, object, optional, type ValueOf } from './schema.ts';
import { transaction } from './transaction.ts';

/** Longest external account number, in characters. */
export const longestAccountNumber = 128;

export const identification = {
  import_supplier: text(),
  external_account_number: text(longestAccountNumber),
};

const addressFields = {
  street_address: optional(text(512)),
  locality: optional(text(512)),
  administrative_area: optional(text(512)),
  postal_code: optional(text(512)),
};

/** Address object (section 2.3). */
export const address = object({ ...addressFields, country });

const customerFields = {
  email: optional(text(254)),
  family_name: optional(text()),
  given_name: optional(text()),
  landline: optional(text()),
  portfolio_roles: optional(array(open(['ADMIN']))),
  title: optional(text()),
  unable_to_read_meters: optional(boolean),
};

export const customer = object(customerFields);

/** A ledger's code; sections 2.3 and 2.8 show one each. */
export const ledgerCode = open(['ENERGY', 'ELECTRICITY']);

export const ledger = object({
  ledger_code: ledgerCode,
  last_statement_balance: optional(number),
  last_statement_closing_date: optional(date),
  ledger_balance: optional(number),
  current_statement_transactions: optional(array(transaction)),
  historical_statement_transactions: optional(array(transaction)),
});

export const agreementFields = { effective_from: date, tariff_code: text() };

/** Agreement object of a supply point (section 2.3). */
export const agreement = object(agreementFields);

export const supplyPoint = object({
  agreements: optional(array(agreement)),
  last_billed_to_date: optional(date),
  supply_start_date: optional(date),
  identifier: text(),
  supply_type: open(['ELECTRICITY']),
  load_zone: optional(text()),
});

const supplyAddressFields = {
  customer_at_supply_address_from_date: optional(date),
  supply_address: address,
  supply_points: optional(array(supplyPoint)),
};

export const supplyAddress = object(supplyAddressFields);

export const metadataEntry = object({ key: text(1024), value: jsonObject });

const accountFields = {
  account_billing_options: optional(object({ use_industry_billing: optional(boolean) })),
  account_type: optional(
    open([
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
    ]),
  ),
  billing_address: optional(address),
  communication_preference: optional(open(['ONLINE', 'PRINT'])),
  customers: optional(array(customer)),
  ...identification,
  ledgers: optional(array(ledger)),
  metadata: optional(array(metadataEntry)),
  sales_channel: optional(open(['EVENTS'])),
  sales_subchannel: optional(open(['MIGRATION'])),
  supply_addresses: optional(array(supplyAddress)),
  transfer_balance: optional(decimalString),
  unknown_occupier: optional(boolean),
};

/** Account payload of endpoints 1 and 2 (section 2.3). */
export const accountPayload = object(accountFields);

const anyAddress = object({ ...addressFields, country: optional(country) });
const reachableCustomer = object({ ...customerFields, mobile: optional(text()) });

/** What the rules read: a tenancy may have a mobile number beside the landline, and addresses without a country. */
export const accountSubject = object({
  ...accountFields,
  billing_address: optional(anyAddress),
  customers: optional(array(reachableCustomer)),
  supply_addresses: optional(array(object({ ...supplyAddressFields, supply_address: anyAddress }))),
});

export type AccountPayload = ValueOf<typeof accountSubject>;
export type Address = ValueOf<typeof anyAddress>;
export type Ledger = ValueOf<typeof ledger>;
export type SupplyPoint = ValueOf<typeof supplyPoint>;
export type Customer = ValueOf<typeof reachableCustomer>;
