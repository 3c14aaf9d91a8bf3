import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { openJournal } from '../../journal/sqlite/open-journal.ts';
import { statusSummary, statusText } from '../../report/status-table.ts';
import type { CommonFlags } from '../common-flags.ts';
import { conclude } from '../conclude.ts';
import { findAccount } from '../find-account.ts';
import { recordedSuppliers } from '../recorded-suppliers.ts';
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
      const suppliers = await recordedSuppliers(journal, config);
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
