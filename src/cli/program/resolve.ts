import { Option, type AnyCommand } from '../commander.ts';
import type { ResolveFromFlags } from '../commands/resolve-from.ts';
import type { ResolveFlags } from '../commands/resolve.ts';
import { stepName, wholeNumber } from '../options.ts';
import { Usage, type Action } from '../usage.ts';

export function resolveUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('resolve')
    .description(
      'Record your ruling on an uncertain step: its effect is there (done), or send it again (repeat)',
    )
    .example(
      'migrate resolve EXT-000042 --step agreements --as done',
      'migrate resolve --from rulings.csv --dry-run',
    )
    .argument('[account]', 'External account number')
    .option('--step <step>', 'The uncertain step', stepName)
    .addOption(new Option('--as <ruling>', 'The ruling').choices(['done', 'repeat']))
    .option('--part <n>', 'Only this part of the step, by its number in `migrate show`', wholeNumber(1))
    .option('--number <number>', 'With process and done: the account number that the platform assigned')
    .option('--accounts <file>', 'Many accounts: a file of external account numbers, one per line')
    .option(
      '--from <file>',
      'Record the rulings in a CSV of `migrate list`: all of them, or none if one is not possible',
    )
    .option('--dry-run', 'With --from: check the file, and change nothing')
    .option('--yes', 'With --from: do not ask for confirmation')
    .option('--supplier <code>', 'Only this import supplier')
    .action(async (account: string | undefined, flags: ResolveFlags & ResolveFromFlags) => {
      if (flags.from !== undefined) {
        const { resolveFromCommand } = await import('../commands/resolve-from.ts');
        ended(await resolveFromCommand(shell, { ...flags, account }));
        return;
      }
      const { resolveCommand } = await import('../commands/resolve.ts');
      ended(await resolveCommand(shell, account, flags));
    });
}
