/** A transaction's date lay outside the open statement period, and the platform moved it (interface, section 4, rule 6). */
export const dateMovedCode = 'transaction_date_moved';
