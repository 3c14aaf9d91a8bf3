import { Argument, type AnyCommand } from '../commander.ts';
import { Usage, type Action, type CommonFlags } from '../usage.ts';

export function completionUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('completion')
    .description("Print a completion script for a shell; it also completes the journal's import suppliers")
    .example(
      'eval "$(migrate completion bash)"',
      'eval "$(migrate completion zsh)"',
      'migrate completion fish | source',
    )
    .addArgument(new Argument('<shell>', 'Your shell').choices(['bash', 'zsh', 'fish']))
    .action(async (name: string, flags: CommonFlags) => {
      const { completionCommand } = await import('../commands/completion.ts');
      ended(await completionCommand(shell, name, flags));
    });
}
