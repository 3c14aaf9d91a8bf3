import { Option } from 'commander';
import { accountStates } from '../../domain/account-state.ts';
import type { ListFlags } from '../commands/list.ts';
import { stepName, wholeNumber } from '../flag-values.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function listUsage({ shell, ended }: Action): Usage {
  return new Usage('list')
    .description('accounts by state, code or step, with the cells at fault and what the platform said')
    .addOption(new Option('--state <state>', 'accounts in this state alone').choices(accountStates))
    .option('--code <code>', 'with this code alone')
    .option('--step <step>', 'what is not done in this step alone', stepName)
    .option('--supplier <code>', 'of this import supplier alone')
    .option('--limit <n>', 'accounts at most', wholeNumber(1))
    .option('--csv <file>', 'write them to this file for a spreadsheet; `migrate resolve --from` reads it')
    .option('--force', 'overwrite a file of another kind')
    .example('migrate list --state uncertain --csv rulings.csv', 'migrate list --code invalid --limit 20')
    .action(async (flags: ListFlags) => {
      const { listCommand } = await import('../commands/list.ts');
      ended(await listCommand(shell, flags));
    });
}
