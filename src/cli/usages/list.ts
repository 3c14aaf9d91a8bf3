import { accountState, bomOption, stepName, wholeNumber } from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const listUsage = () =>
  new Usage('list')
    .description("List accounts by state, code or step, with the faulty cells and the platform's messages")
    .example(
      'migrate list --state uncertain --csv rulings.csv',
      'migrate list --code invalid --limit 20',
      'migrate list --changed',
      'migrate list --gone',
      'migrate list --state skipped --remote',
      'migrate list --summary',
    )
    .addOption(accountState('--state <state>', 'Only accounts in this state'))
    .option('--code <code>', 'Only accounts with this code, also as a warning')
    .option('--step <step>', 'Only accounts whose work in this step is not done', stepName)
    .option(
      '--changed [run]',
      'Only accounts whose rows in the export this run found changed; default: the last run, with those that shared its book',
      wholeNumber(1),
    )
    .option('--gone', 'Only accounts that left the export before they were created')
    .option('--summary', 'Group rejected and failed accounts by what they share')
    .option('--remote', 'Also ask the platform: its account numbers, and when it created the accounts')
    .option('--supplier <code>', 'Only this import supplier')
    .option('--limit <n>', 'At most this many accounts', wholeNumber(1))
    .option(
      '--csv <file>',
      'Write the accounts to this file for a spreadsheet; `migrate resolve --from` reads it',
    )
    .addOption(bomOption)
    .option('--force', 'Overwrite a file of another kind');

export type ListFlags = FlagsOf<typeof listUsage>;
