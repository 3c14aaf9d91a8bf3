import type { RunEntry, SupplierOverview } from '../journal/journal.ts';

/** Whether a run went to the embedded platform. */
export function isRehearsal({ facts, platformLabel }: Pick<RunEntry, 'facts' | 'platformLabel'>): boolean {
  return facts?.rehearsal ?? platformLabel === 'embedded';
}

/** The books without those of rehearsals, where there are others: a rehearsal adds nothing to the figures of a platform. */
export function withoutRehearsals<Book extends Pick<SupplierOverview, 'platformLabel'>>(
  books: readonly Book[],
): readonly Book[] {
  const real = books.filter(({ platformLabel }) => platformLabel !== 'embedded');
  return real.length === 0 ? books : real;
}
