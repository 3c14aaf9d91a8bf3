import { ruleCodes } from './rule-codes.ts';

/**
 * The codes that published contracts give refusals, beside those of the rules. An error of `detail` and `code` alone
 * counts only with one of them: gateways write that form too.
 */
const others = [
  '400',
  'account_failed_validation',
  'account_has_active_instruction',
  'account_import_process_already_imported',
  'account_not_found',
  'historical_statement_already_exists',
  'import_process_does_not_exist',
  'import_process_failed_validation',
  'import_supplier_does_not_exist',
  'import_supplier_migration_not_ongoing',
  'invalid',
  'ledger_has_finalized_billing_document',
  'operations_team_provided_when_using_auto_allocation',
  'payment_instruction_not_found',
  'payment_vendor_unreachable',
] as const;

export const publishedCodes: ReadonlySet<string> = new Set<string>([...ruleCodes, ...others]);
