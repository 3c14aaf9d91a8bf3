import type { HistoryFlags } from '../commands/history.ts';
import { wholeNumber } from '../flag-values.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function historyUsage({ shell, ended }: Action): Usage {
  return new Usage('history')
    .description('List the runs, newest first, with rulings, retries and restores')
    .option('--limit <n>', 'At most this many of each', wholeNumber(1), 20)
    .example('migrate history')
    .action(async (flags: HistoryFlags) => {
      const { historyCommand } = await import('../commands/history.ts');
      ended(await historyCommand(shell, flags));
    });
}
