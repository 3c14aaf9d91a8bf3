import type { AnyCommand } from '../commander.ts';
import { Usage, type Action, type CommonFlags } from '../usage.ts';

export function initUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('init')
    .description("Write a first mapping and .migraterc, guessed from an export's files")
    .example('migrate init ./export')
    .argument('[dir]', 'Export directory, or one file', '.')
    .action(async (directory: string, flags: CommonFlags) => {
      const { initCommand } = await import('../commands/init.ts');
      ended(await initCommand(shell, directory, flags));
    });
}
