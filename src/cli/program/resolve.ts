import { Option } from 'commander';
import type { ResolveFromFlags } from '../commands/resolve-from.ts';
import type { ResolveFlags } from '../commands/resolve.ts';
import { stepName, wholeNumber } from '../flag-values.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function resolveUsage({ shell, ended }: Action): Usage {
  return new Usage('resolve')
    .description(
      'your ruling on an uncertain step: its effect is there (done), or it is to be sent again (repeat)',
    )
    .argument('[account]', 'external account number')
    .option('--step <step>', 'the uncertain step', stepName)
    .addOption(new Option('--as <ruling>', 'the ruling').choices(['done', 'repeat']))
    .option('--part <n>', 'one part of the step alone, as `migrate show` numbers them', wholeNumber(1))
    .option('--number <number>', 'the account number that the platform gave, for process as done')
    .option('--accounts <file>', 'many at once: external account numbers, one a line')
    .option(
      '--from <file>',
      'rulings from the CSV of `migrate list`: all of them, or none where one cannot be taken',
    )
    .option('--dry-run', 'with --from: check the file and count, and change nothing')
    .option('--yes', 'with --from: do not ask before the rulings are taken')
    .option('--supplier <code>', 'of this import supplier alone')
    .example(
      'migrate resolve EXT-000042 --step agreements --as done',
      'migrate resolve --from rulings.csv --dry-run',
    )
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
