/** Why an account is rejected of which the export has another form than the platform took: nothing can be sent on top. */
export const changedAfterImport = 'changed_after_import';
