import type { ExplainFlags } from '../commands/explain.ts';
import type { Action } from './action.ts';
import { delimiterOption, encodingOption } from './format-options.ts';
import { contractOption, strictContractOption } from './contract-option.ts';
import { Usage } from './usage.ts';
import { withOption } from './with-option.ts';

export function explainUsage({ shell, ended }: Action): Usage {
  return new Usage('explain')
    .description("Show one account's payloads, each value with the cell it came from")
    .argument('<export>', 'Export directory, or one file')
    .argument('<account>', 'External account number')
    .addOption(withOption())
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .addOption(contractOption())
    .addOption(strictContractOption())
    .option('--supplier <code>', 'Import supplier of accounts whose data gives none')
    .example('migrate explain ./export EXT-000042 --mapping mapping.yaml')
    .action(async (path: string, account: string, flags: ExplainFlags) => {
      const { explainCommand } = await import('../commands/explain.ts');
      ended(await explainCommand(shell, path, account, flags));
    });
}
