import { Option, type AnyCommand } from '../commander.ts';
import { accountStates } from '../../domain/account-state.ts';
import type { ListFlags } from '../commands/list.ts';
import { stepName, wholeNumber } from '../options.ts';
import { Usage, type Action } from '../usage.ts';

export function listUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('list')
    .description("List accounts by state, code or step, with the faulty cells and the platform's messages")
    .example('migrate list --state uncertain --csv rulings.csv', 'migrate list --code invalid --limit 20')
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
    .action(async (flags: ListFlags) => {
      const { listCommand } = await import('../commands/list.ts');
      ended(await listCommand(shell, flags));
    });
}
