import type { AnyCommand } from '../commander.ts';
import type { JournalBackupFlags } from '../commands/journal-backup.ts';
import type { JournalRestoreFlags } from '../commands/journal-restore.ts';
import { Usage, type Action, type CommonFlags } from '../usage.ts';

export function journalUsage(action: Action): AnyCommand {
  const journal = new Usage('journal')
    .description('Check, copy, restore and export the journal')
    .helpCommand(false);
  for (const usage of [checkUsage, backupUsage, restoreUsage, exportUsage]) journal.addCommand(usage(action));
  return journal;
}

function checkUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('check')
    .description('Check the integrity and consistency of the journal')
    .example('migrate journal check', 'migrate journal check --journal backup.db')
    .action(async (flags: CommonFlags) => {
      const { journalCheckCommand } = await import('../commands/journal-check.ts');
      ended(await journalCheckCommand(shell, flags));
    });
}

function backupUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('backup')
    .description('Copy the journal as it is now, also during a run')
    .example('migrate journal backup backup.db')
    .argument('<file>', 'The copy; only its owner can read it')
    .option('--force', 'Replace an existing file')
    .action(async (target: string, flags: JournalBackupFlags) => {
      const { journalBackupCommand } = await import('../commands/journal-backup.ts');
      ended(await journalBackupCommand(shell, target, flags));
    });
}

function restoreUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('restore')
    .description('Replace the journal by a backup; what is not done in the backup counts as unknown')
    .example('migrate journal restore backup.db')
    .argument('<file>', 'The backup')
    .option('--yes', 'Do not ask before replacing a journal that contains more than the backup')
    .action(async (backup: string, flags: JournalRestoreFlags) => {
      const { journalRestoreCommand } = await import('../commands/journal-restore.ts');
      ended(await journalRestoreCommand(shell, backup, flags));
    });
}

function exportUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('export')
    .description('Print everything in the journal as JSON lines')
    .example('migrate journal export > journal.ndjson')
    .action(async (flags: CommonFlags) => {
      const { journalExportCommand } = await import('../commands/journal-export.ts');
      ended(await journalExportCommand(shell, flags));
    });
}
