import type { AnyCommand } from '../commander.ts';
import type { ShowFlags } from '../commands/show.ts';
import { Usage, type Action } from '../usage.ts';

export function showUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('show')
    .description("Show one account's whole history: steps, attempts, answers, source cells")
    .example('migrate show EXT-000042 --supplier TENTACLE_ENERGY')
    .argument('<account>', 'External account number')
    .option('--supplier <code>', 'Its import supplier; needed if the journal has several')
    .action(async (account: string, flags: ShowFlags) => {
      const { showCommand } = await import('../commands/show.ts');
      ended(await showCommand(shell, account, flags));
    });
}
