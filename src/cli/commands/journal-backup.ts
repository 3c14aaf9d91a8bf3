import { resolve } from 'node:path';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { AnyCommand } from '../commander.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('backup')
    .description('Copy the journal as it is now, also during a run')
    .example('migrate journal backup backup.db')
    .argument('<file>', 'The copy; only its owner can read it')
    .option('--force', 'Replace an existing file');

type Flags = FlagsOf<typeof usage>;

export function journalBackupCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (target, flags) => ended(await journalBackup(shell, target, flags)));
}

/** `migrate journal backup`: copies the journal as it is at one moment, also during a run. */
async function journalBackup(shell: Shell, target: string, flags: Flags): Promise<ExitCode> {
  const { journalOf } = await import('../../app/journal-of.ts');
  const { guardOutputs } = await import('../../app/output-files.ts');
  const { conclude } = await import('../conclude.ts');
  const { resolveSettings } = await import('../resolve-settings.ts');
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
