import { contractOption, delimiterOption, encodingOption, snapshotOption, wholeNumber } from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const mappingCheckUsage = () =>
  new Usage('check')
    .description('List parts of a mapping that have no effect, and columns that it does not read')
    .example('migrate mapping check mapping.yaml ./export')
    .argument('[mapping]', 'Mapping file; default: the configured one')
    .argument('[export]', 'Export directory, .zip archive, one file, or s3:// address')
    .addOption(snapshotOption)
    .option('--limit <n>', 'Map only this many accounts', wholeNumber(1))
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .addOption(contractOption)
    .option('--supplier <code>', 'Import supplier of accounts whose data gives none');

export type MappingCheckFlags = FlagsOf<typeof mappingCheckUsage>;

export const mappingTestUsage = () =>
  new Usage('test')
    .description('Map the rows of test cases and compare the payloads field by field')
    .example('migrate mapping test mapping.yaml')
    .argument('[mapping]', 'Mapping file; default: the configured one')
    .option('--cases <file>', 'File of cases; default: NAME.cases.yaml beside the mapping NAME.yaml')
    .addOption(contractOption);

export type MappingTestFlags = FlagsOf<typeof mappingTestUsage>;
