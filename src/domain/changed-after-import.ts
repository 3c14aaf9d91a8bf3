/**
 * The reason for rejecting an account whose export differs from what the platform accepted: it cannot be sent again.
 */
export const changedAfterImport = 'changed_after_import';
