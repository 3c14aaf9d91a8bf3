import { Command } from 'commander';
import type { HistoryFlags } from '../commands/history.ts';
import { wholeNumber } from '../flag-values.ts';
import type { Action } from './action.ts';
import { example } from './example.ts';

export function historyUsage({ shell, ended }: Action): Command {
  return new Command('history')
    .description('runs so far, newest first')
    .option('--limit <n>', 'this many', wholeNumber(1), 20)
    .addHelpText('after', example('migrate history'))
    .action(async (flags: HistoryFlags) => {
      const { historyCommand } = await import('../commands/history.ts');
      ended(await historyCommand(shell, flags));
    });
}
