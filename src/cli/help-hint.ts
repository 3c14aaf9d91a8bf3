/** What to do about a wrong command line. */
export const helpHint = 'Add --help to see what can be given.';
