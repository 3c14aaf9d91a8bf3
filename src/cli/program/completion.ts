import { Argument } from 'commander';
import type { CommonFlags } from '../common-flags.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function completionUsage({ shell, ended }: Action): Usage {
  return new Usage('completion')
    .description('print what completes command lines in a shell, import suppliers of the journal included')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .example(
      'eval "$(migrate completion bash)"',
      'eval "$(migrate completion zsh)"',
      'migrate completion fish | source',
    )
    .action(async (name: string, flags: CommonFlags) => {
      const { completionCommand } = await import('../commands/completion.ts');
      ended(await completionCommand(shell, name, flags));
    });
}
