/** The platform created an account between this run's staging and its process request, and no attempt was lost. */
export const createdMeanwhile = 'created_meanwhile';

/** The platform created an account since the journal recorded something last, and no request of this journal did. */
export const createdUnrecorded = 'created_unrecorded';

/** The platform has what the journal calls never sent. */
export const alreadyThere = 'already_there';

/** Held back, because the platform has other things of the account that the journal calls never sent. */
export const journalContradicted = 'journal_contradicted';

/** What the journal keeps of answers that contradict it. */
export const contradictionCodes: readonly string[] = [createdUnrecorded, alreadyThere, journalContradicted];

/** Two accounts of one platform have the same platform number, and it is not known which of them has it. */
export const numberOfAnotherAccount = 'number_of_another_account';

/**
 * The reason for rejecting an account whose export differs from what the platform accepted: it cannot be sent again.
 */
export const changedAfterImport = 'changed_after_import';

/** The account on the platform has a statement with the id. */
export const statementExistsCode = 'historical_statement_already_exists';

/** The ledger on the platform has billing documents; it takes no others (interface, section 4, rule 7). */
export const ledgerFinalizedCode = 'ledger_has_finalized_billing_document';

/** The account on the platform has a payment instruction. */
export const activeInstructionCode = 'account_has_active_instruction';

/** Refusals because the platform has something already: whether it is what was sent, they do not say. */
export const alreadyHeldCodes: readonly string[] = [
  statementExistsCode,
  ledgerFinalizedCode,
  activeInstructionCode,
];

/** A code table of the mapping does not have a code of the export. */
export const unknownCode = 'unknown_code';

/** The platform has another transaction with the id: its amount or type differs. */
export const differsCode = 'transaction_differs';

/**
 * The platform moved a transaction's date that was outside the open statement period (interface, section 4, rule 6).
 */
export const dateMovedCode = 'transaction_date_moved';

/**
 * A person ruled that the account on the platform is somebody else's. Nothing is sent to it, even with
 * `--adopt`.
 */
export const notOurs = 'not_ours';

/** A person ruled that the account left its export on purpose, before it was created. It is sent if an export has it again. */
export const leftOnPurpose = 'left_on_purpose';

/** A record that was sent is no longer in the export as it was sent, and stays on the platform. */
export const noLongerInExport = 'no_longer_in_export';

/** The column (CSV) or member (JSON) that contains the reason in rejected rows; in an export it is ignored. */
export const rejectedBecause = 'rejected_because';

/** Creating the account outlasted the patience for IN_PROGRESS: each run asks again. */
export const stillInProgress = 'still_in_progress';

/** After the quiet period, the platform holds nothing of a request whose answer was lost. */
export const notOnPlatform = 'not_on_platform';

/** The platform holds a part of such a request, or something like it. */
export const unclearOnPlatform = 'unclear_on_platform';

/** The platform holds something once more than it was to be sent. */
export const doubledOnPlatform = 'doubled_on_platform';
