import {
  contractOption,
  delimiterOption,
  encodingOption,
  snapshotOption,
  strictContractOption,
  wholeNumber,
  withOption,
} from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const explainUsage = () =>
  new Usage('explain')
    .description("Show one account's payloads, each value with the cell it came from")
    .example(
      'migrate explain ./export EXT-000042 --mapping mapping.yaml',
      'migrate explain ./export --mapping mapping.yaml --diff old-mapping.yaml',
      'migrate explain ./export EXT-000042 --earlier ./export-of-yesterday',
    )
    .argument(
      '[export]',
      'Export directory, .zip archive, one file, s3:// address, or - for a table on standard input; not needed if the mapping names a database',
    )
    .argument('[account]', 'External account number; with --diff or --earlier, the only one to compare')
    .addOption(withOption)
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(snapshotOption)
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .addOption(contractOption)
    .addOption(strictContractOption)
    .option('--supplier <code>', 'Import supplier of accounts whose data gives none')
    .option('--diff <file>', 'Compare the payloads with those of this other mapping')
    .option('--earlier <export>', 'Compare the payloads with those of this earlier export')
    .option(
      '--limit <n>',
      'With --diff or --earlier: compare this many accounts; default: 1000',
      wholeNumber(1),
    );

export type ExplainFlags = FlagsOf<typeof explainUsage>;
