/** Exit codes of every command; frozen once released. */
export const exitCodes = {
  done: 0,
  bug: 1,
  usage: 2,
  accountsRejected: 3,
  credentialsRefused: 4,
  unavailable: 5,
  stoppedEarly: 6,
  supplierHeld: 7,
  uncertain: 8,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What each code means, for help and documentation. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'everything requested is done',
  1: 'a bug in the tool',
  2: 'usage or configuration error',
  3: 'finished, but some accounts or rows were rejected, failed, or skipped as not ours',
  4: 'the platform refused the credentials',
  5: 'the platform is unavailable, or the supplier is not Ongoing; run again later',
  6: 'stopped early with work left; run again',
  7: 'another run holds this supplier',
  8: 'uncertain accounts, or reconciliation found differences',
};

/** If several apply, the exit code is the first of these. */
export const exitPrecedence: readonly ExitCode[] = [1, 2, 7, 4, 5, 8, 6, 3];

/** The exit code of a command to which all of these apply. */
export function exitCodeOf(holding: Iterable<ExitCode>): ExitCode {
  const codes = new Set(holding);
  return exitPrecedence.find((code) => codes.has(code)) ?? exitCodes.done;
}
