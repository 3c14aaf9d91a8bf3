import type { Config } from '../../config/load-config.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { Environment } from '../../host/environment.ts';
import { journalOf } from './journal-of.ts';

/** What a journal that is gone means, and the way back. */
export function lostJournal(journal: string): string {
  return (
    `The journal ${journal} was used here and is gone: only its mark is left. Put it back, or restore a backup with ` +
    '`migrate journal restore FILE`. A new journal would not know what was sent.'
  );
}

/** Throws CannotStart if nobody attends the run, and the journal that was used here is gone: a new one would be made. */
export async function refuseLostJournal(
  environment: Environment,
  config: Config,
  isUnattended: boolean,
): Promise<void> {
  if (!isUnattended || !(await journalOf(environment, config).isGone())) return;
  throw new CannotStart(
    exitCodes.usage,
    `${lostJournal(config.journal)} To begin anew, run once at a terminal, or delete ${config.journal}-mark.`,
  );
}
