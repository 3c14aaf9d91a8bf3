import type { CommonFlags } from '../common-flags.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function initUsage({ shell, ended }: Action): Usage {
  return new Usage('init')
    .description("Write a first mapping and .migraterc, guessed from an export's files")
    .argument('[dir]', 'Export directory, or one file', '.')
    .example('migrate init ./export')
    .action(async (directory: string, flags: CommonFlags) => {
      const { initCommand } = await import('../commands/init.ts');
      ended(await initCommand(shell, directory, flags));
    });
}
