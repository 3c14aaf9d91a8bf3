import { wholeNumber } from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const historyUsage = () =>
  new Usage('history')
    .description('List the runs, newest first, with rulings, retries, restores and upgrades')
    .example('migrate history')
    .option('--limit <n>', 'At most this many of each', wholeNumber(1), 20);

export type HistoryFlags = FlagsOf<typeof historyUsage>;
