import { delimiterOption, encodingOption, withOption } from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const showUsage = () =>
  new Usage('show')
    .description("Show one account's whole history: steps, attempts, answers, source cells")
    .example('migrate show EXT-000042 --supplier TENTACLE_ENERGY')
    .example('migrate show EXT-000042 --export ./export --mapping mapping.yaml')
    .example('migrate show EXT-000042 --platform --export ./export')
    .argument('<account>', 'External account number')
    .option('--supplier <code>', 'Its import supplier; needed if the journal has several')
    .option('--remote', "Also ask the platform's list: its account number, and when it created the account")
    .option('--export <path>', 'Read the export too, and show the cells of every part that was sent')
    .option(
      '--platform',
      'Read the account back from the platform too, and show export, sent and held side by side',
    )
    .addOption(withOption)
    .option('--mapping <file>', 'Mapping file of the export; not needed for the two built-in shapes')
    .addOption(encodingOption)
    .addOption(delimiterOption);

export type ShowFlags = FlagsOf<typeof showUsage>;
