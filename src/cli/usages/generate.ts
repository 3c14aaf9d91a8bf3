import { Option } from '../commander.ts';
import { contractOption, wholeNumber } from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const generateUsage = () =>
  new Usage('generate')
    .description('Write a synthetic export with every field and step; the same seed gives the same export')
    .example('migrate generate ./export --accounts 1000 --seed 7 --shape flat')
    .argument('<dir>', 'A new or empty directory')
    .option('--accounts <n>', 'Number of accounts', wholeNumber(1), 50)
    .option('--seed <n>', 'Seed of the random data', wholeNumber(0), 1)
    .addOption(
      new Option('--shape <shape>', "The interface's own records, or flat CSV")
        .choices(['interface', 'flat'])
        .default('interface'),
    )
    .option(
      '--supplier <code>',
      'Import supplier of the accounts; default: that of the profile, the first of the contract, or TENTACLE_ENERGY',
    )
    .addOption(contractOption);

export type GenerateFlags = FlagsOf<typeof generateUsage>;
