import { sharedShare } from '../../domain/account-sample.ts';
import type { ExportFacts } from '../../domain/run-facts.ts';

/** An export that shares fewer of its accounts is of another book. */
const leastShared = 0.1;

type Given = Pick<ExportFacts, 'place' | 'sample'>;

/** Whether two exports are of one book: they share accounts. */
export function isOfBook(one: Given, other: Given): boolean {
  if (sharedShare(one.sample, other.sample) >= leastShared) return true;
  // An export without accounts shares none.
  return one.place === other.place && (one.sample.length === 0 || other.sample.length === 0);
}
