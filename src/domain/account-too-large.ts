/** An account takes more memory than all accounts may at the same time. */
export const accountTooLarge = 'account_too_large';

/** What is too large, with the remedy. `what`: its rows or its requests; `most`: bytes. */
export function tooLargeDetail(what: 'rows' | 'requests', most: number): string {
  const mb = Math.round(most / bytesPerMb);
  return `The ${what} of this account take more than ${mb} MB, the limit of memoryMb. Raise memoryMb, or remove records.`;
}

/** Of the setting `memoryMb`. */
export const bytesPerMb = 1_000_000;
