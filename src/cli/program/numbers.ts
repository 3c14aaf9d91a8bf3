import type { AnyCommand } from '../commander.ts';
import type { NumbersFlags } from '../commands/numbers.ts';
import { Usage, type Action } from '../usage.ts';

export function numbersUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('numbers')
    .description('Write old and new account numbers as CSV, for downstream systems')
    .example('migrate numbers --supplier TENTACLE_ENERGY --out numbers.csv')
    .requiredOption('--out <file>', 'File to write')
    .option('--supplier <code>', 'Only this import supplier')
    .option('--force', 'Overwrite a file of another kind')
    .action(async (flags: NumbersFlags) => {
      const { numbersCommand } = await import('../commands/numbers.ts');
      ended(await numbersCommand(shell, flags));
    });
}
