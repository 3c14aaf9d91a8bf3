export type RefusalReason =
  'newer' | 'outdated' | 'damaged' | 'foreign' | 'locked' | 'unwritable' | 'missing' | 'interrupted';

/** A database (the journal, the embedded platform's state) cannot be used. The message names it and the remedy. */
export class DatabaseRefused extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseRefused';
    this.reason = reason;
  }
}

/** The remedy for a database of a newer version. */
export function useThat(writer: string | undefined): string {
  return writer === undefined
    ? 'Use that version.'
    : `Use version ${writer}, which wrote it, or a later one.`;
}
