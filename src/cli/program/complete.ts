import { Command, type AnyCommand } from '../commander.ts';
import type { Action } from '../usage.ts';

/** The hidden command that the scripts of `migrate completion` call. */
export function completeUsage({ shell, ended }: Action): AnyCommand {
  return new Command('complete')
    .argument('[words...]')
    .action(async (words: readonly string[], _flags: object, { parent }: AnyCommand) => {
      const { completeCommand } = await import('../commands/complete.ts');
      if (parent !== null) ended(await completeCommand(shell, parent, words));
    });
}
