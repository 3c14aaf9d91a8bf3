import { resolve } from 'node:path';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { journalOf } from '../../app/journal-of.ts';
import { guardOutputs } from '../../app/output-files.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';

export interface JournalBackupFlags extends CommonFlags {
  readonly force?: boolean;
}

/** `migrate journal backup`: copies the journal as it is at one moment, also during a run. */
export function journalBackupCommand(
  shell: Shell,
  target: string,
  flags: JournalBackupFlags,
): Promise<ExitCode> {
  return conclude(shell, 'journal', flags, async () => {
    const config = await resolveSettings(shell, flags);
    const { journal } = config;
    await guardOutputs(shell, config, [{ name: 'FILE', path: target }], flags);
    await journalOf(shell, config).backUp(resolve(shell.cwd, target), { replace: flags.force ?? false });
    return {
      exit: exitCodes.done,
      summary: { action: 'backup', journal, backup: target },
      text: () => `${journal} is copied to ${target}.`,
    };
  });
}
