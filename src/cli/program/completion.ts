import { Argument } from 'commander';
import type { CommonFlags } from '../common-flags.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function completionUsage({ shell, ended }: Action): Usage {
  return new Usage('completion')
    .description("Print a completion script for a shell; it also completes the journal's import suppliers")
    .addArgument(new Argument('<shell>', 'Your shell').choices(['bash', 'zsh', 'fish']))
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
