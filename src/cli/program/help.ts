import type { AnyCommand } from '../commander.ts';
import { Usage, type Action, type CommonFlags } from '../usage.ts';

export function helpUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('help')
    .description('Print help for a command or a topic')
    .example('migrate help run', 'migrate help guarantees')
    .argument('[words...]', 'A command or a topic; default: list all')
    .action(async (words: readonly string[], flags: CommonFlags, { parent }: AnyCommand) => {
      const { helpCommand } = await import('../commands/help.ts');
      if (parent !== null) ended(await helpCommand(shell, parent, words, flags));
    });
}
