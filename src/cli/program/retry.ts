import { Option } from 'commander';
import type { RetryFlags } from '../commands/retry.ts';
import { stepName } from '../flag-values.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function retryUsage({ shell, ended }: Action): Usage {
  return new Usage('retry')
    .description('put rejected and failed accounts back in line; the next run sends them as they are')
    .option('--supplier <code>', 'of this import supplier alone')
    .addOption(
      new Option('--state <state>', 'of accounts in this state alone')
        .choices(['rejected', 'failed', 'both'])
        .default('both'),
    )
    .option('--code <code>', 'of accounts with this code alone')
    .option('--step <step>', 'what was refused or failed in this step alone', stepName)
    .option('--accounts <file>', 'of the external account numbers of this file alone, one a line')
    .example('migrate retry --supplier TENTACLE_ENERGY --step payment-instruction')
    .action(async (flags: RetryFlags) => {
      const { retryCommand } = await import('../commands/retry.ts');
      ended(await retryCommand(shell, flags));
    });
}
