import type { AnyCommand } from '../commander.ts';
import type { HistoryFlags } from '../commands/history.ts';
import { wholeNumber } from '../options.ts';
import { Usage, type Action } from '../usage.ts';

export function historyUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('history')
    .description('List the runs, newest first, with rulings, retries and restores')
    .example('migrate history')
    .option('--limit <n>', 'At most this many of each', wholeNumber(1), 20)
    .action(async (flags: HistoryFlags) => {
      const { historyCommand } = await import('../commands/history.ts');
      ended(await historyCommand(shell, flags));
    });
}
