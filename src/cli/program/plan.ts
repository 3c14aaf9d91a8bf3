import type { AnyCommand } from '../commander.ts';
import type { PlanFlags } from '../commands/plan.ts';
import {
  contractOption,
  delimiterOption,
  encodingOption,
  stepList,
  strictContractOption,
  withOption,
} from '../options.ts';
import { Usage, type Action } from '../usage.ts';

export function planUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('plan')
    .description('Show what run would do now with every account of an export; send no request')
    .example('migrate plan ./export', 'migrate plan ./export --json --steps stage')
    .argument('<export>', 'Export directory, or one file')
    .addOption(withOption)
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .option('--supplier <code>', 'Only this import supplier, also for accounts whose data gives none')
    .option('--accounts <file>', 'Only the external account numbers in this file, one per line')
    .option('--steps <list>', 'Only these steps, separated by commas', stepList)
    .option('--adopt', 'As if accounts that the platform has, and this journal did not create, were adopted')
    .option('--skip-unreadable', 'Plan even if rows could not be read and may belong to any account')
    .addOption(contractOption)
    .addOption(strictContractOption)
    .option('--documents <dir>', 'Look up every document path in this directory')
    .action(async (path: string, flags: PlanFlags) => {
      const { planCommand } = await import('../commands/plan.ts');
      ended(await planCommand(shell, path, flags));
    });
}
