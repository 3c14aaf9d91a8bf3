import type { AccountCounts } from '../domain/account-state.ts';
import { exitCodes, type ExitCode } from '../domain/exit-codes.ts';
import type { StopReason } from './run-events.ts';

const stopExits: Readonly<Record<StopReason, ExitCode>> = {
  interrupt: exitCodes.stoppedEarly,
  hours: exitCodes.stoppedEarly,
  limit: exitCodes.stoppedEarly,
  'max-failures': exitCodes.stoppedEarly,
  'run-timeout': exitCodes.stoppedEarly,
  'same-refusal': exitCodes.stoppedEarly,
  'unrecognised-answers': exitCodes.stoppedEarly,
  credentials: exitCodes.credentialsRefused,
  unavailable: exitCodes.unavailable,
  'supplier-not-ongoing': exitCodes.unavailable,
  held: exitCodes.supplierHeld,
  'lease-lost': exitCodes.supplierHeld,
  'journal-gone': exitCodes.usage,
  'created-meanwhile': exitCodes.supplierHeld,
  'dry-run-ignored': exitCodes.uncertain,
};

/** The exit codes that apply to a run; `faults`: rows of the export that belong to no account, and refused data. */
export function* exitCodesHolding(
  counts: AccountCounts,
  reasons: Iterable<StopReason>,
  faults: number,
): Iterable<ExitCode> {
  for (const reason of reasons) yield stopExits[reason];
  if (counts.uncertain > 0) yield exitCodes.uncertain;
  if (counts.rejected + counts.failed + counts.skipped + faults > 0) yield exitCodes.accountsRejected;
}
