/** An export of which nothing is taken is no error, and most likely a slip. */
export const noneTaken =
  'The export has accounts, and none of them was taken. Check --supplier, or supplier in the configuration, and --accounts.';
