/** The smallest account that every rule accepts. */
export function accountPayload(account: string, more: Record<string, unknown> = {}) {
  return {
    import_supplier: 'TENTACLE_ENERGY',
    external_account_number: account,
    account_type: 'DOMESTIC',
    billing_address: {
      street_address: '1 Test Street',
      locality: 'Sampleton',
      postal_code: 'SW1A 1AA',
      country: 'GB',
    },
    customers: [{ given_name: 'Sample', family_name: 'Person', email: 'sample@example.com' }],
    ...more,
  };
}

export function processPayload(account: string, more: Record<string, unknown> = {}) {
  return {
    import_supplier_code: 'TENTACLE_ENERGY',
    external_account_number: account,
    operations_team_name: 'MIGRATIONS',
    ...more,
  };
}

/** The payload of an endpoint that adds to an account. */
export function extraPayload(account: string, more: Record<string, unknown>) {
  return { import_supplier: 'TENTACLE_ENERGY', external_account_number: account, ...more };
}

export const paths = {
  validate: 'validate-account/',
  stage: 'account-import-process/create-or-update/',
  process: 'account-import-process/process/',
  notes: 'notes/create/',
  transactions: 'transactions/create/',
  agreements: 'historical-agreements/create/',
  billingDocuments: 'historical-billing-documents/create/',
  statements: 'historical-statements/create/',
  paymentInstruction: 'payment-instruction/create/',
};

export function statusPath(account: string): string {
  return `account-transfer-status/TENTACLE_ENERGY/${encodeURIComponent(account)}/`;
}
