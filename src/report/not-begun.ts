import { uncountedOf } from '../domain/account-state.ts';
import type { SupplierOverview } from '../journal/journal.ts';

type Book = Pick<SupplierOverview, 'accounts' | 'steps' | 'partlyRead'>;

/** Pending accounts that no run has begun: which steps they need is not known, and they are in no count of steps. */
export function notBegunIn({ accounts, steps: { validate } }: Book): number {
  const known = Object.values(accounts).reduce((sum, count) => sum + count, 0);
  const begun = validate.done + validate.failed + validate.uncertain + validate.pending;
  return Math.min(accounts.pending, Math.max(0, known - begun));
}

/** The same with those that no run has read from their export, as far as they are known. */
export function notBegunOrRead(book: Book): number {
  return notBegunIn(book) + (uncountedOf(book.partlyRead) ?? 0);
}
