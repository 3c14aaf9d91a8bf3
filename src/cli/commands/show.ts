import { CannotStart } from '../../host/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { Shell } from '../shell.ts';
import { findAccount } from '../recorded-suppliers.ts';
import { told } from '../account-history.ts';
import { concludeReading } from '../open-to-read.ts';
import type { ShowFlags } from '../usages/show.ts';

/** `migrate show`: shows everything that the journal knows of one account. */
export async function show(shell: Shell, account: string, flags: ShowFlags): Promise<ExitCode> {
  return concludeReading(shell, 'show', flags, async ({ printer, config, journal }) => {
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
  });
}
