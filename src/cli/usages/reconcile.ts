import { contractOption, snapshotOption, threadsOption, withOption } from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const reconcileUsage = () =>
  new Usage('reconcile')
    .description(
      'Compare export, journal and platform, and list every difference of accounts, numbers and money',
    )
    .example(
      'migrate reconcile --supplier TENTACLE_ENERGY ./export',
      'migrate reconcile --supplier TENTACLE_ENERGY --json > differences.ndjson',
    )
    .argument(
      '[export]',
      'Export directory, .zip archive, one file, s3:// address, or - for a table on standard input; default: compare journal and platform only',
    )
    .option('--supplier <code>', 'Import supplier; not needed if the journal has only one')
    .addOption(withOption)
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(threadsOption)
    .addOption(snapshotOption)
    .addOption(contractOption)
    .option(
      '--read-back <what...>',
      "Also compare with the platform's own ledger: all, sample N, or accounts FILE",
    )
    .option('--seed <text>', 'With --read-back sample: draws another sample', '1')
    .option('--values', 'With --read-back: show both values of each difference; they are customer data');

export type ReconcileFlags = FlagsOf<typeof reconcileUsage>;
