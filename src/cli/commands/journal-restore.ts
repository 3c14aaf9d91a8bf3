import { resolve } from 'node:path';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { restoreJournal } from '../../journal/sqlite/restore-journal.ts';
import { paragraph } from '../../report/paragraph.ts';
import { CannotStart } from '../../app/cannot-start.ts';
import type { CommonFlags } from '../common-flags.ts';
import { conclude } from '../conclude.ts';
import { actorOf } from '../../app/system/actor.ts';
import { isDead } from '../../app/system/process-identity.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';
import { stopDetail } from '../../app/stop-detail.ts';

/** `migrate journal restore`: a backup in the journal's place; whatever was done since it was taken is found out again. */
export function journalRestoreCommand(shell: Shell, backup: string, flags: CommonFlags): Promise<ExitCode> {
  return conclude(shell, 'journal', flags, async () => {
    const { journal } = await resolveSettings(shell, flags);
    const moment = { now: shell.clock.now(), isDead: isDead(shell), by: actorOf(shell) };
    const restored = await restoreJournal(journal, resolve(shell.cwd, backup), moment);
    if (restored.kind === 'held') {
      const { supplier, held } = restored.by;
      throw new CannotStart(
        exitCodes.supplierHeld,
        `Nothing is restored: ${stopDetail('held', supplier, held)}`,
      );
    }
    const { kept } = restored;
    return {
      exit: exitCodes.done,
      summary: { action: 'restore', journal, backup, kept: kept ?? null },
      text: (page) =>
        [
          `${journal} is as ${backup} has it.`,
          ...(kept === undefined ? [] : [`The journal that was there is ${kept}.`]),
          'What it does not hold as done may have been sent since the backup, so the next run finds that out before it ' +
            'sends anything: it asks the platform whether an account exists, repeats what is harmless to repeat, and ' +
            'leaves the rest to you as uncertain.',
        ]
          .map((line) => paragraph(page, line, ''))
          .join('\n'),
    };
  });
}
