import {
  bomOption,
  contractOption,
  delimiterOption,
  encodingOption,
  snapshotOption,
  strictContractOption,
  withNewOption,
  threadsOption,
  withOption,
} from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const validateUsage = () =>
  new Usage('validate')
    .description('Map and check every account locally; send no request, except with --remote')
    .example('migrate validate ./export', 'migrate validate ./export --mapping mapping.yaml --json')
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
    .option('--remote', 'Also let the platform validate each account that passes; it stores nothing')
    .addOption(contractOption)
    .addOption(strictContractOption)
    .option('--documents <dir>', 'Look up every document path in this directory')
    .option('--problems <file>', 'Write every problem to this file, .csv or .ndjson')
    .addOption(bomOption)
    .option(
      '--rejects <path>',
      'Copy the rows of rejected accounts to this new or empty directory, or new workbook (.xlsx), to fix them for --with',
    )
    .option('--values', 'With --problems and --rejects: also write the faulty values')
    .option('--force', 'Overwrite output files of another kind');

export type ValidateFlags = FlagsOf<typeof validateUsage>;
