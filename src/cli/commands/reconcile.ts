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
    .addOption(contractOption)
    .option(
      '--read-back <what...>',
      "Also compare with the platform's own ledger: all, sample N, or accounts FILE",
    )
    .option('--seed <text>', 'With --read-back sample: draws another sample', '1')
    .option('--values', 'With --read-back: show both values of each difference; they are customer data');

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
  const { openToChange } = await import('../../run/session/open-to-change.ts');
  const { selectionWords } = await import('../../run/read-back/selection.ts');
  limitHeap();
  return conclude(shell, 'reconcile', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const chosen = flags.readBack && selectionWords(flags.readBack);
    const [behind = named, ...more] = chosen?.rest ?? [];
    if (more.length > 0 || (named !== undefined && behind !== named))
      throw new CannotStart(exitCodes.usage, 'Name one export.');
    const choice = { path: behind, snapshot: flags.snapshot, config, purpose: 'proof' } as const;
    const placed = await placeExport(shell, printer, choice);
    try {
      const { path, name } = placed ?? {};
      if (path === undefined && flags.with !== undefined)
        throw new CannotStart(
          exitCodes.usage,
          '--with replaces accounts of an export, but no export was named. Name one, or remove --with.',
        );
      if (path === undefined && chosen !== undefined)
        throw new CannotStart(
          exitCodes.usage,
          '--read-back compares the platform with the export, but no export was named. Name it.',
        );
      const journal =
        chosen === undefined
          ? await openToRead(shell, config, printer)
          : await openToChange(shell, config, printer, { create: false });
      try {
        const recorded = await connectRecorded(shell, config, journal);
        try {
          const work = { shell, printer, config, journal, name, fixes: flags.with ?? [], recorded };
          const compared = await compare({ ...work, path });
          if (chosen === undefined || path === undefined) return compared;
          const { readBack } = await import('../read-back.ts');
          const { seed, values: withValues = false } = flags;
          return await readBack({ ...work, path, chosen, seed, withValues }, compared);
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
