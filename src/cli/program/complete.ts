import { Command } from 'commander';
import type { Action } from './action.ts';

/** The hidden command that the scripts of `migrate completion` call. */
export function completeUsage({ shell, ended }: Action): Command {
  return new Command('complete')
    .argument('[words...]')
    .action(async (words: readonly string[], _flags: object, { parent }: Command) => {
      const { completeCommand } = await import('../commands/complete.ts');
      if (parent !== null) ended(await completeCommand(shell, parent, words));
    });
}
