/**
 * The platform moved a transaction's date that was outside the open statement period (interface, section 4, rule 6).
 */
export const dateMovedCode = 'transaction_date_moved';
