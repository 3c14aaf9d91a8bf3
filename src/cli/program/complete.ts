import { Command } from 'commander';
import type { Action } from './action.ts';

/** For the scripts of `migrate completion` alone. */
export function completeUsage({ shell, ended }: Action): Command {
  return new Command('complete')
    .argument('[words...]')
    .action(async (words: readonly string[], _flags: object, { parent }: Command) => {
      const { completeCommand } = await import('../commands/complete.ts');
      if (parent !== null) ended(await completeCommand(shell, parent, words));
    });
}
