import { contractOption, encodingOption } from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const initUsage = () =>
  new Usage('init')
    .description("Write a first mapping and .migraterc, guessed from an export's files or a database")
    .example('migrate init ./export')
    .example('migrate init postgres://reader@db.example.com/billing')
    .argument(
      '[dir]',
      'Export directory, .zip archive, one file, s3:// address, or a database (postgres://, mysql://, SQLite file)',
      '.',
    )
    .option('--accounts <table>', 'Table whose rows are the accounts, by its file, sheet or name')
    .addOption(encodingOption)
    .addOption(contractOption);

export type InitFlags = FlagsOf<typeof initUsage>;
