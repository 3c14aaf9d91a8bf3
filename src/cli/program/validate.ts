import type { AnyCommand } from '../commander.ts';
import type { ValidateFlags } from '../commands/validate.ts';
import {
  contractOption,
  delimiterOption,
  encodingOption,
  strictContractOption,
  withOption,
} from '../options.ts';
import { Usage, type Action } from '../usage.ts';

export function validateUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('validate')
    .description('Map and check every account locally; send no request')
    .example('migrate validate ./export', 'migrate validate ./export --mapping mapping.yaml --json')
    .argument('<export>', 'Export directory, or one file')
    .addOption(withOption)
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .option('--supplier <code>', 'Only this import supplier, also for accounts whose data gives none')
    .addOption(contractOption)
    .addOption(strictContractOption)
    .option('--documents <dir>', 'Look up every document path in this directory')
    .option('--problems <file>', 'Write every problem to this file, .csv or .ndjson')
    .option(
      '--rejects <dir>',
      'Copy the rows of rejected accounts to this new or empty directory, to fix them for --with',
    )
    .option('--values', 'With --problems and --rejects: also write the values of the cells')
    .option('--force', 'Overwrite output files of another kind')
    .action(async (path: string, flags: ValidateFlags) => {
      const { validateCommand } = await import('../commands/validate.ts');
      ended(await validateCommand(shell, path, flags));
    });
}
