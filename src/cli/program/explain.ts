import type { AnyCommand } from '../commander.ts';
import type { ExplainFlags } from '../commands/explain.ts';
import {
  contractOption,
  delimiterOption,
  encodingOption,
  strictContractOption,
  withOption,
} from '../options.ts';
import { Usage, type Action } from '../usage.ts';

export function explainUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('explain')
    .description("Show one account's payloads, each value with the cell it came from")
    .example('migrate explain ./export EXT-000042 --mapping mapping.yaml')
    .argument('<export>', 'Export directory, or one file')
    .argument('<account>', 'External account number')
    .addOption(withOption)
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .addOption(contractOption)
    .addOption(strictContractOption)
    .option('--supplier <code>', 'Import supplier of accounts whose data gives none')
    .action(async (path: string, account: string, flags: ExplainFlags) => {
      const { explainCommand } = await import('../commands/explain.ts');
      ended(await explainCommand(shell, path, account, flags));
    });
}
