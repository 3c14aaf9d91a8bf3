import { actorOf } from '../../host/actor.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { counted } from '../../report/format.ts';
import { Option, type AnyCommand } from '../commander.ts';
import { stepName } from '../options.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('retry')
    .description('Send rejected and failed accounts again with the next run, unchanged')
    .example('migrate retry --supplier TENTACLE_ENERGY --step payment-instruction')
    .option('--supplier <code>', 'Only this import supplier')
    .addOption(
      new Option('--state <state>', 'Only accounts in this state')
        .choices(['rejected', 'failed', 'both'])
        .default('both'),
    )
    .option('--code <code>', 'Only accounts with this code')
    .option('--step <step>', 'Only what was refused or failed in this step', stepName)
    .option('--accounts <file>', 'Only the external account numbers in this file, one per line');

type Flags = FlagsOf<typeof usage>;

export function retryCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (flags) => ended(await retry(shell, flags)));
}

/** `migrate retry`: lets the next run send rejected and failed accounts again, unchanged. */
async function retry(shell: Shell, flags: Flags): Promise<ExitCode> {
  const { putBackInLine } = await import('../../pipeline/account/rulings.ts');
  const { accountList, warnOfUnrecorded } = await import('../../run/listed-accounts.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  const { recordedSuppliers } = await import('../recorded-suppliers.ts');
  const { holdingSupplier } = await import('../holding-supplier.ts');
  const { openToChange } = await import('../../run/session/open-to-change.ts');
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
