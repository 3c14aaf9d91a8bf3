import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { openJournal } from '../../journal/sqlite/open-journal.ts';
import { statusSummary, statusText } from '../../report/status-table.ts';
import type { CommonFlags } from '../common-flags.ts';
import { conclude } from '../conclude.ts';
import { findAccount } from '../find-account.ts';
import { recordedPlatforms } from '../recorded-platform.ts';
import { settingsInForce } from '../settings-in-force.ts';
import type { Shell } from '../shell.ts';
import { told } from './show.ts';

export interface StatusFlags extends CommonFlags {
  readonly supplier?: string;
  readonly account?: string;
}

/** `migrate status`: progress from the journal alone, also while a run is under way. */
export function statusCommand(shell: Shell, flags: StatusFlags): Promise<ExitCode> {
  return conclude(shell, 'status', flags, async () => {
    const config = await settingsInForce(shell, flags);
    const journal = openJournal(config.journal, { synchronous: config.synchronous, create: false });
    try {
      if (flags.account !== undefined)
        return await told(journal, await findAccount(journal, config, flags.account));
      const platforms = new Set((await recordedPlatforms(journal, config)).map(({ platform }) => platform));
      const suppliers = (await journal.overview()).filter(
        ({ platform, supplier }) =>
          platforms.has(platform) && (config.supplier === undefined || supplier === config.supplier),
      );
      return {
        exit: exitCodes.done,
        summary: statusSummary(suppliers),
        text: (page) => statusText(page, suppliers),
      };
    } finally {
      await journal.close();
    }
  });
}
