import type { NumbersFlags } from '../commands/numbers.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function numbersUsage({ shell, ended }: Action): Usage {
  return new Usage('numbers')
    .description("old account numbers beside the platform's, as CSV for the systems downstream")
    .requiredOption('--out <file>', 'the file to write')
    .option('--supplier <code>', 'of this import supplier alone')
    .option('--force', 'overwrite a file of another kind')
    .example('migrate numbers --supplier TENTACLE_ENERGY --out numbers.csv')
    .action(async (flags: NumbersFlags) => {
      const { numbersCommand } = await import('../commands/numbers.ts');
      ended(await numbersCommand(shell, flags));
    });
}
