/** The column (CSV) or member (JSON) that rejected rows carry their reason in; where an export has it, it is ignored. */
export const rejectedBecause = 'rejected_because';
