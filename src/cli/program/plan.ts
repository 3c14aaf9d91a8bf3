import type { PlanFlags } from '../commands/plan.ts';
import { stepList } from '../flag-values.ts';
import type { Action } from './action.ts';
import { delimiterOption, encodingOption } from './format-options.ts';
import { Usage } from './usage.ts';
import { withOption } from './with-option.ts';

export function planUsage({ shell, ended }: Action): Usage {
  return new Usage('plan')
    .description('what run would do now with every account of an export; no request is sent')
    .argument('<export>', 'export directory, or one file')
    .addOption(withOption())
    .option('--mapping <file>', 'mapping file; not needed for the two built-in shapes')
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .option('--supplier <code>', 'take this import supplier alone, and name it where the data gives none')
    .option('--accounts <file>', 'take the external account numbers of this file alone, one a line')
    .option('--steps <list>', 'as if these steps alone were driven, separated by commas', stepList)
    .option(
      '--adopt',
      'as if accounts that the platform has, and this journal did not create, were gone on with',
    )
    .option('--skip-unreadable', 'plan although rows could not be read and may belong to any account')
    .option('--contract <file>', 'also check payloads against this OpenAPI contract')
    .option('--documents <dir>', 'look every document path up in this directory')
    .example('migrate plan ./export', 'migrate plan ./export --json --steps stage')
    .action(async (path: string, flags: PlanFlags) => {
      const { planCommand } = await import('../commands/plan.ts');
      ended(await planCommand(shell, path, flags));
    });
}
