import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { StepName } from '../../domain/steps.ts';
import { putBackInLine } from '../../pipeline/rulings.ts';
import { counted } from '../../report/format.ts';
import { accountList } from '../account-list.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { recordedSuppliers } from '../recorded-suppliers.ts';
import { holdingSupplier } from '../holding-supplier.ts';
import { actorOf } from '../../app/system/actor.ts';
import { openToChange } from '../../app/open-to-change.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';
import { warnOfUnrecorded } from '../unrecorded-accounts.ts';

export interface RetryFlags extends CommonFlags {
  readonly supplier?: string;
  readonly state: 'rejected' | 'failed' | 'both';
  readonly code?: string;
  readonly step?: StepName;
  readonly accounts?: string;
}

/** `migrate retry`: lets the next run send rejected and failed accounts again, unchanged. */
export function retryCommand(shell: Shell, flags: RetryFlags): Promise<ExitCode> {
  return conclude(shell, 'retry', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { code, step } = flags;
    const choice = { ...(code === undefined ? {} : { code }), ...(step === undefined ? {} : { step }) };
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
