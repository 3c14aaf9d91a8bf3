import { Usage, type FlagsOf } from '../usage.ts';

export const morningUsage = () =>
  new Usage('morning')
    .description('Judge the last night: good or not, why, what is lost or uncertain, and the next command')
    .example('migrate morning', 'migrate morning --supplier TENTACLE_ENERGY --json')
    .option('--supplier <code>', 'Only this import supplier');

export type MorningFlags = FlagsOf<typeof morningUsage>;
