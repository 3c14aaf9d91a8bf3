import { Argument, Command } from '../commander.ts';
import { Usage } from '../usage.ts';

export const completionUsage = () =>
  new Usage('completion')
    .description("Print a completion script for a shell; it also completes the journal's import suppliers")
    .example(
      'eval "$(migrate completion bash)"',
      'eval "$(migrate completion zsh)"',
      'migrate completion fish | source',
    )
    .addArgument(new Argument('<shell>', 'Your shell').choices(['bash', 'zsh', 'fish']));

/** The hidden command that the scripts of `migrate completion` call. */
export const completeUsage = () => new Command('complete').argument('[words...]');
