/** The remedy for a wrong command line. */
export const helpHint = 'Run the command with --help to see its options.';
