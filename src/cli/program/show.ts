import type { ShowFlags } from '../commands/show.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function showUsage({ shell, ended }: Action): Usage {
  return new Usage('show')
    .description("Show one account's whole history: steps, attempts, answers, source cells")
    .argument('<account>', 'External account number')
    .option('--supplier <code>', 'Its import supplier; needed if the journal has several')
    .example('migrate show EXT-000042 --supplier TENTACLE_ENERGY')
    .action(async (account: string, flags: ShowFlags) => {
      const { showCommand } = await import('../commands/show.ts');
      ended(await showCommand(shell, account, flags));
    });
}
