import { Usage, type FlagsOf } from '../usage.ts';

export const journalCheckUsage = () =>
  new Usage('check')
    .description('Check the integrity and consistency of the journal')
    .example('migrate journal check', 'migrate journal check --journal backup.db');

export const journalBackupUsage = () =>
  new Usage('backup')
    .description('Copy the journal as it is now, even during a run')
    .example('migrate journal backup backup.db')
    .argument('<file>', 'The copy; only its owner can read it')
    .option('--force', 'Replace an existing file');

export type JournalBackupFlags = FlagsOf<typeof journalBackupUsage>;

export const journalRestoreUsage = () =>
  new Usage('restore')
    .description('Replace the journal with a backup; work that is unfinished in the backup counts as unknown')
    .example('migrate journal restore backup.db')
    .argument('<file>', 'The backup')
    .option('--yes', 'Do not ask before replacing a journal that contains more than the backup');

export type JournalRestoreFlags = FlagsOf<typeof journalRestoreUsage>;

export const journalUpgradeUsage = () =>
  new Usage('upgrade')
    .description('Upgrade a journal of an earlier version, and keep a copy of it')
    .example('migrate journal upgrade');

export const journalMoveUsage = () =>
  new Usage('move')
    .description('Move a journal between an SQLite file and PostgreSQL; can be interrupted and run again')
    .example(
      'migrate journal move .migrate/journal.db postgres://db.example.com/billing?schema=migrate',
      'migrate journal move postgres://db.example.com/billing .migrate/journal.db',
    )
    .argument('<from>', 'The journal: a path, or the address of a PostgreSQL database')
    .argument('<to>', 'Its new place, which has no journal yet');

export type JournalMoveFlags = FlagsOf<typeof journalMoveUsage>;

export const journalExportUsage = () =>
  new Usage('export')
    .description('Print everything in the journal as JSON lines')
    .example('migrate journal export > journal.ndjson');
