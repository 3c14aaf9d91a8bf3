import { readFile } from 'node:fs/promises';
import { packaged } from '../../app/system/packaged.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { Argument, type AnyCommand } from '../commander.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type CommonFlags } from '../usage.ts';

const usage = () =>
  new Usage('completion')
    .description("Print a completion script for a shell; it also completes the journal's import suppliers")
    .example(
      'eval "$(migrate completion bash)"',
      'eval "$(migrate completion zsh)"',
      'migrate completion fish | source',
    )
    .addArgument(new Argument('<shell>', 'Your shell').choices(['bash', 'zsh', 'fish']));

export function completionCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (name, flags) => ended(await completion(shell, name, flags)));
}

/** `migrate completion`: prints the completion script of a shell. */
async function completion(shell: Shell, name: string, flags: CommonFlags): Promise<ExitCode> {
  const { conclude } = await import('../conclude.ts');
  return conclude(shell, 'completion', flags, async () => {
    const script = await readFile(packaged(`completions/migrate.${name}`), 'utf8');
    return { exit: exitCodes.done, summary: { script }, text: () => script.trimEnd() };
  });
}
