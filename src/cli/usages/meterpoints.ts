import { bomOption, contractOption } from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const meterpointsUsage = () =>
  new Usage('meterpoints')
    .description('Ask the platform for the statuses of the meter points of all completed accounts')
    .example('migrate meterpoints', 'migrate meterpoints --accounts accounts.txt --csv meterpoints.csv')
    .option('--supplier <code>', 'Only this import supplier')
    .option('--accounts <file>', 'Only the external account numbers in this file, one per line')
    .addOption(contractOption)
    .option('--csv <file>', 'Write each meter point with its account and status to this file')
    .addOption(bomOption)
    .option('--force', 'Overwrite a file of another kind');

export type MeterpointsFlags = FlagsOf<typeof meterpointsUsage>;
