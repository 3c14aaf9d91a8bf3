import { CannotStart } from '../../host/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { delimiterOption, encodingOption, withOption } from '../options.ts';
import type { AnyCommand } from '../commander.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('show')
    .description("Show one account's whole history: steps, attempts, answers, source cells")
    .example('migrate show EXT-000042 --supplier TENTACLE_ENERGY')
    .example('migrate show EXT-000042 --export ./export --mapping mapping.yaml')
    .example('migrate show EXT-000042 --platform --export ./export')
    .argument('<account>', 'External account number')
    .option('--supplier <code>', 'Its import supplier; needed if the journal has several')
    .option('--export <path>', 'Read the export too, and show the cells of every part that was sent')
    .option(
      '--platform',
      'Read the account back from the platform too, and show export, sent and held side by side',
    )
    .addOption(withOption)
    .option('--mapping <file>', 'Mapping file of the export; not needed for the two built-in shapes')
    .addOption(encodingOption)
    .addOption(delimiterOption);

type Flags = FlagsOf<typeof usage>;

export function showCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (account, flags) => ended(await show(shell, account, flags)));
}

/** `migrate show`: shows everything that the journal knows of one account. */
async function show(shell: Shell, account: string, flags: Flags): Promise<ExitCode> {
  const { conclude, resolveSettings } = await import('../conclude.ts');
  const { findAccount } = await import('../recorded-suppliers.ts');
  const { told } = await import('../account-history.ts');
  const { openToRead } = await import('../open-to-read.ts');
  return conclude(shell, 'show', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    printer.showTimesIn(config.timeZone);
    const journal = await openToRead(shell, config, printer);
    try {
      const found = await findAccount(journal, config, account);
      if (flags.export === undefined && flags.with !== undefined)
        throw new CannotStart(
          exitCodes.usage,
          '--with replaces accounts of an export, but no export was named. Name one with --export, or remove --with.',
        );
      const { export: path } = flags;
      const sent =
        path === undefined
          ? undefined
          : await (
              await import('../sent-data.ts')
            ).sentData({ shell, printer, config }, found, { path, fixes: flags.with });
      const result = await told(journal, found, sent);
      if (flags.platform !== true) return result;
      const { platformSide } = await import('../platform-side.ts');
      const { accountSidesText } = await import('../account-sides-text.ts');
      const sides = await platformSide(shell, config, journal, found, sent?.plan);
      return {
        ...result,
        summary: { ...result.summary, sides },
        text: (page) => [result.text?.(page) ?? '', accountSidesText(page, sides)].join('\n\n'),
      };
    } finally {
      await journal.close();
    }
  });
}
