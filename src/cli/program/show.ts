import type { AnyCommand } from '../commander.ts';
import { delimiterOption, encodingOption, withOption } from '../options.ts';
import type { ShowFlags } from '../commands/show.ts';
import { Usage, type Action } from '../usage.ts';

export function showUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('show')
    .description("Show one account's whole history: steps, attempts, answers, source cells")
    .example('migrate show EXT-000042 --supplier TENTACLE_ENERGY')
    .example('migrate show EXT-000042 --export ./export --mapping mapping.yaml')
    .argument('<account>', 'External account number')
    .option('--supplier <code>', 'Its import supplier; needed if the journal has several')
    .option('--export <path>', 'Read the export too, and show the cells of every part that was sent')
    .addOption(withOption)
    .option('--mapping <file>', 'Mapping file of the export; not needed for the two built-in shapes')
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .action(async (account: string, flags: ShowFlags) => {
      const { showCommand } = await import('../commands/show.ts');
      ended(await showCommand(shell, account, flags));
    });
}
