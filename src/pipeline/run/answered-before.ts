import type { Journal } from '../../journal/journal.ts';

/** Runs that are looked at, the newest first. */
const mostRuns = 100;

/**
 * Whether a run that has ended shows that the platform is where it is looked for: accounts were staged or created there. Then it
 * is awaited at the start of a run, as it is in the middle of one.
 */
export async function hasAnsweredBefore(journal: Pick<Journal, 'runs'>, platform: string): Promise<boolean> {
  for await (const { platform: of, end } of journal.runs(mostRuns)) {
    if (of !== platform || end === undefined) continue;
    const { staged, imported, completed } = end.accounts;
    if (staged + imported + completed > 0) return true;
  }
  return false;
}
