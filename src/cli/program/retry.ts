import { Option } from 'commander';
import type { RetryFlags } from '../commands/retry.ts';
import { stepName } from '../flag-values.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function retryUsage({ shell, ended }: Action): Usage {
  return new Usage('retry')
    .description('Send rejected and failed accounts again with the next run, unchanged')
    .option('--supplier <code>', 'Only this import supplier')
    .addOption(
      new Option('--state <state>', 'Only accounts in this state')
        .choices(['rejected', 'failed', 'both'])
        .default('both'),
    )
    .option('--code <code>', 'Only accounts with this code')
    .option('--step <step>', 'Only what was refused or failed in this step', stepName)
    .option('--accounts <file>', 'Only the external account numbers in this file, one per line')
    .example('migrate retry --supplier TENTACLE_ENERGY --step payment-instruction')
    .action(async (flags: RetryFlags) => {
      const { retryCommand } = await import('../commands/retry.ts');
      ended(await retryCommand(shell, flags));
    });
}
