import type { PayloadProblem } from '../../domain/problem.ts';
import type { OperatorConfig } from '../operator.ts';
import { problem } from '../refusals.ts';

/** The problem of a supplier code in the payload's field `path`; undefined if the supplier exists. */
export function unknownSupplier(
  operator: OperatorConfig,
  code: string,
  path: string,
): PayloadProblem | undefined {
  return Object.hasOwn(operator.suppliers, code)
    ? undefined
    : problem('import_supplier_does_not_exist', path, 'No import supplier has this code.');
}

/** What keeps an account from being staged or created (section 4, rule 2), its import apart. */
export function notOpen(
  operator: OperatorConfig,
  supplier: string,
  account: string,
  path: string,
): PayloadProblem | undefined {
  const missing = unknownSupplier(operator, supplier, path);
  if (missing !== undefined) return missing;
  const status = operator.suppliers[supplier]?.status;
  if (status !== 'Ongoing')
    return problem(
      'import_supplier_migration_not_ongoing',
      path,
      `The migration of this import supplier is ${status === 'Paused' ? 'paused' : 'complete'}.`,
    );
  if (operator.skipped.some((skipped) => skipped.supplier === supplier && skipped.account === account))
    return problem(
      'account_import_process_skipped',
      'external_account_number',
      'The account is marked to be skipped.',
    );
  return undefined;
}
