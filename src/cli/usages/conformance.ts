import { contractOption } from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export function conformanceUsage() {
  return new Usage('conformance')
    .description(
      'Check a platform against the interface; creates accounts that cannot be deleted, so use a sandbox',
    )
    .example('migrate conformance https://sandbox.example.com --supplier TENTACLE_ENERGY --team MIGRATIONS')
    .argument('<url>', 'Scheme, host and port of the platform')
    .addOption(contractOption)
    .option('--supplier <code>', "Import supplier that is Ongoing; default: the contract's first")
    .option('--team <name>', 'Operations team')
    .option('--paused-supplier <code>', 'Import supplier that is Paused')
    .option('--complete-supplier <code>', 'Import supplier that is Complete')
    .option(
      '--payloads <file>',
      'JSON file with values that the tenancy knows, by step; other values are made up',
    )
    .option(
      '--read-back',
      'Also measure whether an account that is read back shows at once what was added to it (readBack.absence)',
    )
    .option('--yes', 'Create the accounts without asking');
}

export type ConformanceFlags = FlagsOf<typeof conformanceUsage>;
