import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { AnyCommand } from '../commander.ts';
import { limitHeap } from '../heap-limits.ts';
import { contractOption, snapshotOption, withOption } from '../options.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('settle')
    .description(
      'Read accounts back from the platform to find out what became of each request that is uncertain, and record it',
    )
    .example('migrate settle ./export --dry-run', 'migrate settle ./export --accounts accounts.txt')
    .argument(
      '<export>',
      'Export directory, .zip archive, one file, s3:// address, or - for a table on standard input',
    )
    .option('--supplier <code>', 'Only this import supplier')
    .option('--accounts <file>', 'Only the external account numbers in this file, one per line')
    .addOption(withOption)
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(snapshotOption)
    .addOption(contractOption)
    .option('--dry-run', 'Read the accounts, and record nothing');

type Flags = FlagsOf<typeof usage>;

export function settleCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (path, flags) => ended(await settle(shell, path, flags)));
}

/** `migrate settle`: asks by reading what became of everything that is uncertain. */
async function settle(shell: Shell, named: string, flags: Flags): Promise<ExitCode> {
  const { placeExport } = await import('../../run/reading/place-export.ts');
  const { accountList } = await import('../../run/listed-accounts.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  const { connectRecorded } = await import('../connect-recorded.ts');
  const { openToChange } = await import('../../run/session/open-to-change.ts');
  const { settleUncertain } = await import('../settle-uncertain.ts');
  limitHeap();
  return conclude(shell, 'settle', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const chosen = flags.accounts === undefined ? undefined : await accountList(shell, flags.accounts);
    const choice = { path: named, snapshot: flags.snapshot, config, purpose: 'proof' } as const;
    const placed = await placeExport(shell, printer, choice);
    try {
      if (placed?.path === undefined)
        throw new CannotStart(
          exitCodes.usage,
          'Name the export: its data says what the platform should hold.',
        );
      const { path, name } = placed;
      const journal = await openToChange(shell, config, printer, { create: false });
      try {
        const recorded = await connectRecorded(shell, config, journal);
        try {
          const work = { shell, printer, config, journal, path, name, fixes: flags.with ?? [], recorded };
          return await settleUncertain({ ...work, chosen, isDryRun: flags.dryRun ?? false });
        } finally {
          await recorded.connection.close();
        }
      } finally {
        await journal.close();
      }
    } finally {
      await placed?.close();
    }
  });
}
