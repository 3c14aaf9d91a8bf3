import { Usage, type FlagsOf } from '../usage.ts';

export const numbersUsage = () =>
  new Usage('numbers')
    .description('Write old and new account numbers as CSV, for downstream systems')
    .example('migrate numbers --supplier TENTACLE_ENERGY --out numbers.csv')
    .requiredOption('--out <file>', 'File to write')
    .option('--supplier <code>', 'Only this import supplier')
    .option('--force', 'Overwrite a file of another kind');

export type NumbersFlags = FlagsOf<typeof numbersUsage>;
