import { Option, type AnyCommand } from '../commander.ts';
import type { RetryFlags } from '../commands/retry.ts';
import { stepName } from '../options.ts';
import { Usage, type Action } from '../usage.ts';

export function retryUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('retry')
    .description('Send rejected and failed accounts again with the next run, unchanged')
    .example('migrate retry --supplier TENTACLE_ENERGY --step payment-instruction')
    .option('--supplier <code>', 'Only this import supplier')
    .addOption(
      new Option('--state <state>', 'Only accounts in this state')
        .choices(['rejected', 'failed', 'both'])
        .default('both'),
    )
    .option('--code <code>', 'Only accounts with this code')
    .option('--step <step>', 'Only what was refused or failed in this step', stepName)
    .option('--accounts <file>', 'Only the external account numbers in this file, one per line')
    .action(async (flags: RetryFlags) => {
      const { retryCommand } = await import('../commands/retry.ts');
      ended(await retryCommand(shell, flags));
    });
}
