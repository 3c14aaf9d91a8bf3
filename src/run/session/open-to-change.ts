import type { Config } from '../../config/load-config.ts';
import type { Journal, MarkFinding } from '../../journal/journal.ts';
import type { JournalOptions } from '../../journal/store.ts';
import { concludeAnew } from '../conclude-anew.ts';
import type { Environment, Reporter } from '../../host/environment.ts';
import { journalOf } from './journal-of.ts';
import { upgradeOptions } from './upgrade-options.ts';

/**
 * Opens the journal for a command that changes it or sends anything, and takes its mark: warns if it is not the
 * newest that was used here. Throws DatabaseRefused.
 */
export async function openToChange(
  environment: Environment,
  config: Config,
  reporter: Pick<Reporter, 'info' | 'warn' | 'progress'>,
  options: JournalOptions,
): Promise<Journal> {
  const journal = await journalOf(environment, config).open({
    ...options,
    upgrade: upgradeOptions(environment, reporter),
    warn: (message) => reporter.warn(message),
  });
  try {
    const warning = markWarning(config.journal, await journal.takeMark(environment.clock.now()));
    if (warning !== undefined) reporter.warn(warning);
    await concludeAnew(environment, config, reporter, journal);
    return journal;
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/** Upgrades a journal of an earlier version before anything is read that depends on what it says. Throws DatabaseRefused. */
export async function upgradeFirst(
  environment: Environment,
  config: Config,
  reporter: Pick<Reporter, 'info' | 'progress'>,
): Promise<void> {
  const store = journalOf(environment, config);
  if (!(await store.exists())) return;
  await store.upgrade(upgradeOptions(environment, reporter));
}

/** The same for a command that only reads, and leaves the rest to the next run; undefined if nothing is missing. */
export function readingWarning(file: string, finding: MarkFinding): string | undefined {
  if (finding !== 'went-back' && finding !== 'replaced' && finding !== 'elsewhere') return undefined;
  if (finding === 'elsewhere')
    return `The journal ${file} is ${movedBecause} What it lost is not shown here: the next run asks the platform about each account.`;
  const what =
    finding === 'went-back'
      ? `The journal ${file} is older than at its last use: ${olderBecause}`
      : `The journal ${file} is not the one that was last used here.`;
  return (
    `${what} What was done since then is not shown here. Put the newer journal back if there is one; ` +
    'otherwise the next run asks the platform about each account.'
  );
}

const olderBecause = 'an older copy was put in its place, or a power loss removed its last records.';

const movedBecause =
  'on another server, timeline or database than at its last use: a standby took over, or a copy was restored.';

const asRestored =
  'Requests may have been sent that it does not contain, so it counts as restored from a backup: a run asks the platform ' +
  'about each account before it sends anything, and marks what stays unknown as uncertain.';

/** What a journal's standing against its mark means for people; undefined if nothing is wrong. */
export function markWarning(file: string, finding: MarkFinding): string | undefined {
  switch (finding) {
    case 'current':
    case 'new':
      return undefined;
    case 'unmarked':
      return (
        `The journal ${file} has no mark beside it (${file}-mark): an earlier version wrote it. A new mark is made. ` +
        'The tool cannot know whether a newer journal of these accounts exists: if one does, use that one.'
      );
    case 'missing':
      return (
        `The journal ${file} has no mark beside it (${file}-mark): it is a copy, or the mark was deleted. ` +
        `If there is a newer journal, put it here with its mark. ${asRestored}`
      );
    case 'began-anew':
      return (
        `The journal that was used at ${file} is missing, but its mark is there. A new journal is made, without the ` +
        'records of that one. If that is not intended, put it back, or restore a backup with ' +
        '`migrate journal restore FILE`.'
      );
    case 'went-back':
      return `The journal ${file} is older than at its last use: ${olderBecause} ${asRestored}`;
    case 'replaced':
      return `The journal ${file} is not the one that was last used here. ${asRestored}`;
    case 'elsewhere':
      return `The journal ${file} is ${movedBecause} ${asRestored}`;
  }
}
