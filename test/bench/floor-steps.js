// What is sent for an account, in order: the steps' paths, and the files whose records they carry.
const prefix = '/v1/data-import';
const creation = [
  { path: `${prefix}/validate-account/`, file: 'accounts' },
  { path: `${prefix}/account-import-process/create-or-update/`, file: 'accounts' },
  { path: `${prefix}/account-import-process/process/` },
];
const further = [
  { path: `${prefix}/notes/create/`, file: 'notes' },
  { path: `${prefix}/transactions/create/`, file: 'transactions' },
  { path: `${prefix}/historical-agreements/create/`, file: 'historical_agreements' },
  { path: `${prefix}/historical-billing-documents/create/`, file: 'historical_billing_documents' },
  { path: `${prefix}/historical-statements/create/`, file: 'historical_statements' },
  { path: `${prefix}/payment-instruction/create/`, file: 'payment_instructions' },
];

export const floorSteps = { creation, all: [...creation, ...further] };
