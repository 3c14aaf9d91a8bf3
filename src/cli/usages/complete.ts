import { Argument, Command, Option } from '../commander.ts';
import { Usage } from '../usage.ts';

export const completionUsage = () =>
  new Usage('completion')
    .description("Print a completion script for a shell; it also completes the journal's import suppliers")
    .example(
      'eval "$(migrate completion bash)"',
      'eval "$(migrate completion zsh)"',
      'migrate completion fish | source',
      'migrate completion powershell | Out-String | Invoke-Expression',
    )
    .addArgument(new Argument('<shell>', 'Your shell').choices(['bash', 'zsh', 'fish', 'powershell']));

/** The hidden command that the scripts of `migrate completion` call. */
export const completeUsage = () =>
  new Command('complete')
    .addOption(
      new Option(
        '--new-word',
        'The cursor is after a blank: the word there is empty, and not among the words',
      ),
    )
    .argument('[words...]');
