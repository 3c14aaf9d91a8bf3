import { Option } from '../commander.ts';
import { stepName } from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const retryUsage = () =>
  new Usage('retry')
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
    .option('--accounts <file>', 'Only the external account numbers in this file, one per line');

export type RetryFlags = FlagsOf<typeof retryUsage>;
