import type { ShowFlags } from '../commands/show.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function showUsage({ shell, ended }: Action): Usage {
  return new Usage('show')
    .description("one account's whole history: steps, attempts, answers, source cells")
    .argument('<account>', 'external account number')
    .option('--supplier <code>', 'its import supplier; needed where the journal knows several')
    .example('migrate show EXT-000042 --supplier TENTACLE_ENERGY')
    .action(async (account: string, flags: ShowFlags) => {
      const { showCommand } = await import('../commands/show.ts');
      ended(await showCommand(shell, account, flags));
    });
}
