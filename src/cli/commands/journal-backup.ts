import { resolve } from 'node:path';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { backUpJournal } from '../../journal/sqlite/backup-journal.ts';
import type { CommonFlags } from '../common-flags.ts';
import { conclude } from '../conclude.ts';
import { settingsInForce } from '../settings-in-force.ts';
import type { Shell } from '../shell.ts';

export interface JournalBackupFlags extends CommonFlags {
  readonly force?: boolean;
}

/** `migrate journal backup`: a copy of one moment, while a run goes on. */
export function journalBackupCommand(
  shell: Shell,
  target: string,
  flags: JournalBackupFlags,
): Promise<ExitCode> {
  return conclude(shell, 'journal', flags, async () => {
    const { journal } = await settingsInForce(shell, flags);
    backUpJournal(journal, resolve(shell.cwd, target), { replace: flags.force ?? false });
    return {
      exit: exitCodes.done,
      summary: { action: 'backup', journal, backup: target },
      text: () => `${journal} is copied to ${target}.`,
    };
  });
}
