import { Usage, type FlagsOf } from '../usage.ts';

export const statusUsage = () =>
  new Usage('status')
    .description('Show progress from the journal and, with --remote, what the platform lists')
    .example('migrate status --supplier TENTACLE_ENERGY', 'migrate status --remote')
    .option('--supplier <code>', 'Only this import supplier')
    .option('--account <number>', 'Only this account')
    .option('--remote', "Also ask the platform, and show its counts beside the journal's")
    .option('--watch', 'Update the display until interrupted');

export type StatusFlags = FlagsOf<typeof statusUsage>;
