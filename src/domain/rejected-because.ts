/** The column (CSV) or member (JSON) that contains the reason in rejected rows; in an export it is ignored. */
export const rejectedBecause = 'rejected_because';
