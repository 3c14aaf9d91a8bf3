import { CannotStart } from '../../host/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { AnyCommand } from '../commander.ts';
import { limitHeap } from '../heap-limits.ts';
import { contractOption, snapshotOption, withOption } from '../options.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('reconcile')
    .description(
      'Compare export, journal and platform, and list every difference of accounts, numbers and money',
    )
    .example(
      'migrate reconcile --supplier TENTACLE_ENERGY ./export',
      'migrate reconcile --supplier TENTACLE_ENERGY --json > differences.ndjson',
    )
    .argument(
      '[export]',
      'Export directory, .zip archive, one file, s3:// address, or - for a table on standard input; default: compare journal and platform only',
    )
    .option('--supplier <code>', 'Import supplier; not needed if the journal has only one')
    .addOption(withOption)
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(snapshotOption)
    .addOption(contractOption);

type Flags = FlagsOf<typeof usage>;

export function reconcileCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (path, flags) => ended(await reconcile(shell, path, flags)));
}

/** `migrate reconcile`: compares export, journal and platform, account by account, to the last penny. */
async function reconcile(shell: Shell, named: string | undefined, flags: Flags): Promise<ExitCode> {
  const { placeExport } = await import('../../run/reading/place-export.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  const { compare } = await import('../reconcile-accounts.ts');
  const { connectRecorded } = await import('../connect-recorded.ts');
  const { openToRead } = await import('../open-to-read.ts');
  limitHeap();
  return conclude(shell, 'reconcile', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const choice = { path: named, snapshot: flags.snapshot, config, purpose: 'proof' } as const;
    const placed = await placeExport(shell, printer, choice);
    try {
      const { path, name } = placed ?? {};
      if (path === undefined && flags.with !== undefined)
        throw new CannotStart(
          exitCodes.usage,
          '--with replaces accounts of an export, but no export was named. Name one, or remove --with.',
        );
      const journal = await openToRead(shell, config, printer);
      try {
        const recorded = await connectRecorded(shell, config, journal);
        try {
          return await compare({
            shell,
            printer,
            config,
            journal,
            path,
            name,
            fixes: flags.with ?? [],
            recorded,
          });
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
