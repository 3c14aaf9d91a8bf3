import { actorOf } from '../../host/actor.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { counted } from '../../report/format.ts';
import type { Shell } from '../shell.ts';
import { putBackInLine } from '../../pipeline/account/rulings.ts';
import { accountList, warnOfUnrecorded } from '../../run/listed-accounts.ts';
import { conclude, resolveSettings } from '../conclude.ts';
import { recordedSuppliers } from '../recorded-suppliers.ts';
import { holdingSupplier } from '../holding-supplier.ts';
import { openToChange } from '../../run/session/open-to-change.ts';
import type { RetryFlags } from '../usages/retry.ts';

/** `migrate retry`: lets the next run send rejected and failed accounts again, unchanged. */
export async function retry(shell: Shell, flags: RetryFlags): Promise<ExitCode> {
  return conclude(shell, 'retry', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { code, step } = flags;
    const choice = { code, step };
    const states = flags.state === 'both' ? (['rejected', 'failed'] as const) : [flags.state];
    const chosen = flags.accounts === undefined ? undefined : await accountList(shell, flags.accounts);
    const journal = await openToChange(shell, config, printer, { create: false });
    const ruler = { by: actorOf(shell), at: shell.clock.now() };
    let accounts = 0;
    try {
      const suppliers = await recordedSuppliers(journal, config);
      for (const { platform, supplier } of suppliers)
        await holdingSupplier({ shell, config, journal }, { platform, supplier }, async () => {
          for await (const entry of journal.accounts(platform, supplier, states)) {
            if (chosen !== undefined && !chosen.has(entry.key.account)) continue;
            if (await putBackInLine(journal, entry, choice, ruler)) accounts += 1;
          }
        });
      if (chosen !== undefined) await warnOfUnrecorded({ printer, journal }, suppliers, chosen);
    } finally {
      await journal.close();
    }
    return {
      exit: exitCodes.done,
      summary: { accounts },
      text: () =>
        accounts === 0
          ? 'No account will be sent again. If a check of the files rejects an account, fix it in the files.'
          : `${counted(accounts, 'account')} will be sent again by the next run.`,
    };
  });
}
