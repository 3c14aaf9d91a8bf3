import { contractOption, wholeNumber } from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const registerUsage = () =>
  new Usage('register')
    .description('Mark the meter points of completed accounts for registration, once; never part of a run')
    .example('migrate register --dry-run', 'migrate register --accounts accounts.txt --limit 100')
    .option('--supplier <code>', 'Only this import supplier')
    .option('--accounts <file>', 'Only the external account numbers in this file, one per line')
    .option(
      '--status <status...>',
      'Only accounts whose meter points all have one of these statuses (default: PRE_REGISTRATION)',
    )
    .option('--limit <n>', 'Mark at most this many accounts', wholeNumber(1))
    .addOption(contractOption)
    .option('--dry-run', 'Read the statuses, and mark and record nothing')
    .option('--yes', 'Do not ask for confirmation');

export type RegisterFlags = FlagsOf<typeof registerUsage>;
