import { Option } from 'commander';
import { accountStates } from '../../domain/account-state.ts';
import type { ListFlags } from '../commands/list.ts';
import { stepName, wholeNumber } from '../flag-values.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function listUsage({ shell, ended }: Action): Usage {
  return new Usage('list')
    .description("List accounts by state, code or step, with the faulty cells and the platform's messages")
    .addOption(new Option('--state <state>', 'Only accounts in this state').choices(accountStates))
    .option('--code <code>', 'Only accounts with this code')
    .option('--step <step>', 'Only accounts whose work in this step is not done', stepName)
    .option('--supplier <code>', 'Only this import supplier')
    .option('--limit <n>', 'At most this many accounts', wholeNumber(1))
    .option(
      '--csv <file>',
      'Write the accounts to this file for a spreadsheet; `migrate resolve --from` reads it',
    )
    .option('--force', 'Overwrite a file of another kind')
    .example('migrate list --state uncertain --csv rulings.csv', 'migrate list --code invalid --limit 20')
    .action(async (flags: ListFlags) => {
      const { listCommand } = await import('../commands/list.ts');
      ended(await listCommand(shell, flags));
    });
}
