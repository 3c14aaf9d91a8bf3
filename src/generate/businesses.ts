import type { JsonObject } from '../domain/json.ts';

/** One business for each ten accounts; its are the first three of them. */
const accountsForEach = 10;
const accountsOfEach = 3;

/** The files of businesses and of their payment instructions, without the extension. */
export const itemFiles = ['businesses', 'business_payment_instructions'] as const;
export type ItemFileName = (typeof itemFiles)[number];

/** Its place among the businesses, from zero; undefined for an account of none. */
export function businessOf(position: number): number | undefined {
  return position % accountsForEach < accountsOfEach ? Math.floor(position / accountsForEach) : undefined;
}

export function contractOf(business: number): string {
  return `CON-${numbered(business)}`;
}

/** Whether a business has all of its accounts with this one, of so many in all. */
export function isLastOf(position: number, accounts: number): boolean {
  return position % accountsForEach === accountsOfEach - 1 || position === accounts - 1;
}

/** The record of a business, or of its payment instruction, in the form that published contracts show. */
export function businessRecord(
  file: ItemFileName,
  business: number,
  { supplier, accounts }: { readonly supplier: string; readonly accounts: readonly string[] },
): JsonObject {
  const identity = {
    import_supplier_code: supplier,
    external_business_identifier: `BUS-${numbered(business)}`,
  };
  if (file === 'business_payment_instructions')
    return {
      ...identity,
      ...{ vendor: 'STRIPE', reference: `BUS-REF-${numbered(business)}`, type: 'CARD' },
      accounts: accounts.map((account) => ({ external_account_number: account })),
    };
  const contract = {
    identifier: contractOf(business),
    signed_at_date: '2023-12-01',
    valid_from_date: '2024-01-01',
  };
  return {
    ...identity,
    business: { company_name: `Company ${business + 1} Ltd`, business_contracts: [contract] },
  };
}

function numbered(business: number): string {
  return String(business + 1).padStart(6, '0');
}
