import type { ValidateFlags } from '../commands/validate.ts';
import type { Action } from './action.ts';
import { delimiterOption, encodingOption } from './format-options.ts';
import { Usage } from './usage.ts';
import { withOption } from './with-option.ts';

export function validateUsage({ shell, ended }: Action): Usage {
  return new Usage('validate')
    .description('map and check every account locally; no request is sent')
    .argument('<export>', 'export directory, or one file')
    .addOption(withOption())
    .option('--mapping <file>', 'mapping file; not needed for the two built-in shapes')
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .option('--supplier <code>', 'take this import supplier alone, and name it where the data gives none')
    .option('--contract <file>', 'also check payloads against this OpenAPI contract')
    .option('--documents <dir>', 'look every document path up in this directory')
    .option('--problems <file>', 'write every problem to this file, .csv or .ndjson')
    .option(
      '--rejects <dir>',
      'copy the rows of rejected accounts to this directory, new or empty, to be fixed and fed back',
    )
    .option('--values', 'with --problems and --rejects: also write what the cells hold')
    .option('--force', 'overwrite output files that are there and of another kind')
    .example('migrate validate ./export', 'migrate validate ./export --mapping mapping.yaml --json')
    .action(async (path: string, flags: ValidateFlags) => {
      const { validateCommand } = await import('../commands/validate.ts');
      ended(await validateCommand(shell, path, flags));
    });
}
