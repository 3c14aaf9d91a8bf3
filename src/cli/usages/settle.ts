import { contractOption, snapshotOption, withOption } from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const settleUsage = () =>
  new Usage('settle')
    .description(
      'Read accounts back from the platform to find out what became of each request that is uncertain, and record it',
    )
    .example('migrate settle ./export --dry-run', 'migrate settle ./export --accounts accounts.txt')
    .argument(
      '<export>',
      'Export directory, .zip archive, one file, s3:// address, or - for a table on standard input',
    )
    .option('--supplier <code>', 'Only this import supplier')
    .option('--accounts <file>', 'Only the external account numbers in this file, one per line')
    .addOption(withOption)
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(snapshotOption)
    .addOption(contractOption)
    .option('--dry-run', 'Read the accounts, and record nothing');

export type SettleFlags = FlagsOf<typeof settleUsage>;
