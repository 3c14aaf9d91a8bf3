import type { Config } from '../config/load-config.ts';
import type { Clock } from '../domain/clock.ts';
import type { Journal, MarkFinding } from '../journal/journal.ts';
import { openJournal } from '../journal/sqlite/open-journal.ts';
import type { Reporter } from './reporter.ts';

/**
 * Opens the journal for a command that changes it or sends anything, and takes its mark: warns where it is not the
 * newest that was used here. Throws DatabaseRefused.
 */
export async function openToChange(
  { journal: file, synchronous }: Pick<Config, 'journal' | 'synchronous'>,
  { reporter, clock }: { readonly reporter: Pick<Reporter, 'warn'>; readonly clock: Pick<Clock, 'now'> },
  options: { readonly create: boolean; readonly checkAfterCrash?: boolean },
): Promise<Journal> {
  const journal = openJournal(file, { synchronous, ...options });
  try {
    const warning = markWarning(file, await journal.takeMark(clock.now()));
    if (warning !== undefined) reporter.warn(warning);
    return journal;
  } catch (error) {
    await journal.close();
    throw error;
  }
}

const asRestored =
  'Requests may have been sent that it does not know of, so it counts as restored from a backup: a run asks the platform ' +
  'about each account before it sends anything, and leaves what it cannot find out as uncertain.';

/** What a journal's standing against its mark means for people; undefined where all is as it should be. */
export function markWarning(file: string, finding: MarkFinding): string | undefined {
  switch (finding) {
    case 'current':
    case 'new':
      return undefined;
    case 'missing':
      return (
        `The journal ${file} has no mark beside it (${file}-mark): it was copied here, or an earlier version wrote it. ` +
        'A new mark is made. Whether a newer journal of these accounts exists cannot be told: if one does, use that one.'
      );
    case 'began-anew':
      return (
        `The journal that was used at ${file} is gone; its mark is still there. A new journal is made, which knows ` +
        'nothing of what that one recorded. If that was not intended, put it back, or restore a backup with ' +
        '`migrate journal restore FILE`.'
      );
    case 'went-back':
      return (
        `The journal ${file} is older than when it was used last: an older copy was put in its place, or a power loss ` +
        `took its last records. ${asRestored}`
      );
    case 'replaced':
      return `The journal ${file} is not the one that was used here last. ${asRestored}`;
  }
}
