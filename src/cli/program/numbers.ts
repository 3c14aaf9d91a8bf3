import type { NumbersFlags } from '../commands/numbers.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function numbersUsage({ shell, ended }: Action): Usage {
  return new Usage('numbers')
    .description('Write old and new account numbers as CSV, for downstream systems')
    .requiredOption('--out <file>', 'File to write')
    .option('--supplier <code>', 'Only this import supplier')
    .option('--force', 'Overwrite a file of another kind')
    .example('migrate numbers --supplier TENTACLE_ENERGY --out numbers.csv')
    .action(async (flags: NumbersFlags) => {
      const { numbersCommand } = await import('../commands/numbers.ts');
      ended(await numbersCommand(shell, flags));
    });
}
