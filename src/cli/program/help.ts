import type { Command } from 'commander';
import type { CommonFlags } from '../common-flags.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function helpUsage({ shell, ended }: Action): Usage {
  return new Usage('help')
    .description('Print help for a command or a topic')
    .argument('[words...]', 'A command or a topic; default: list all')
    .example('migrate help run', 'migrate help guarantees')
    .action(async (words: readonly string[], flags: CommonFlags, { parent }: Command) => {
      const { helpCommand } = await import('../commands/help.ts');
      if (parent !== null) ended(await helpCommand(shell, parent, words, flags));
    });
}
