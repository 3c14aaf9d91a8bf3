import {
  contractOption,
  delimiterOption,
  encodingOption,
  stepList,
  snapshotOption,
  strictContractOption,
  withNewOption,
  threadsOption,
  withOption,
} from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const planUsage = () =>
  new Usage('plan')
    .description('Show what run would do now with every account of an export; send no request')
    .example('migrate plan ./export', 'migrate plan ./export --json --steps stage')
    .argument(
      '[export]',
      'Export directory, .zip archive, one file, s3:// address, or - for a table on standard input; not needed if the mapping names a database',
    )
    .addOption(withOption)
    .addOption(withNewOption)
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(snapshotOption)
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .option('--supplier <code>', 'Only this import supplier; also used for accounts whose data gives none')
    .addOption(threadsOption)
    .option('--accounts <file>', 'Only the external account numbers in this file, one per line')
    .option('--steps <list>', 'Only these steps, separated by commas', stepList)
    .option(
      '--adopt',
      'Plan a run with --adopt: it adopts accounts that the platform has and this journal did not create',
    )
    .option('--skip-unreadable', 'Plan even if rows could not be read and may belong to any account')
    .addOption(contractOption)
    .addOption(strictContractOption)
    .option('--documents <dir>', 'Look up every document path in this directory')
    .option('--out <file>', 'Write the plan to this file, for run --plan')
    .option('--force', 'Overwrite a file of another kind');

export type PlanFlags = FlagsOf<typeof planUsage>;
