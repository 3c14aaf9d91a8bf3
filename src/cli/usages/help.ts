import { Usage, type FlagsOf } from '../usage.ts';

export const helpUsage = () =>
  new Usage('help')
    .description('Print help for a command or a topic')
    .example('migrate help run', 'migrate help guarantees')
    .argument('[words...]', 'A command or a topic; default: list all');

export type HelpFlags = FlagsOf<typeof helpUsage>;
