import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { StepName } from '../../domain/steps.ts';
import type { AccountEntry, Journal } from '../../journal/journal.ts';
import { rule, type Ruler, type Ruling } from '../../pipeline/rulings.ts';
import { givenFlags, quoted } from '../../report/command-line.ts';
import { counted } from '../../report/format.ts';
import { accountList } from '../account-list.ts';
import { CannotStart } from '../../app/cannot-start.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { findAccount } from '../find-account.ts';
import { recordedSuppliers } from '../recorded-suppliers.ts';
import { holdingSupplier } from '../holding-supplier.ts';
import { actorOf } from '../../app/system/actor.ts';
import { openToChange } from '../../app/open-to-change.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';
import { warnOfUnrecorded } from '../unrecorded-accounts.ts';

export interface ResolveFlags extends CommonFlags {
  readonly supplier?: string;
  readonly step?: StepName;
  readonly as?: 'done' | 'repeat';
  /** From 1; absent: all of the step. */
  readonly part?: number;
  readonly number?: string;
  readonly accounts?: string;
}

/** `migrate resolve`: records a person's ruling on an uncertain step, of one account or of a list. */
export function resolveCommand(
  shell: Shell,
  account: string | undefined,
  flags: ResolveFlags,
): Promise<ExitCode> {
  return conclude(shell, 'resolve', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { step, number, part } = flags;
    if (step === undefined || flags.as === undefined)
      throw new CannotStart(
        exitCodes.usage,
        'Name the step with --step and the ruling with --as, or a file of rulings with --from.',
      );
    const as = flags.as;
    if ((account === undefined) === (flags.accounts === undefined))
      throw new CannotStart(exitCodes.usage, 'Name one account, or a list of them with --accounts.');
    if (part !== undefined && account === undefined)
      throw new CannotStart(
        exitCodes.usage,
        '--part is for one account: parts differ from account to account.',
      );
    const chosen = flags.accounts === undefined ? undefined : await accountList(shell, flags.accounts);
    const ruling: Ruling = {
      ...(as === 'repeat'
        ? { as: 'repeat' }
        : { as: 'done', ...(number === undefined ? {} : { krakenAccountNumber: number }) }),
      ...(part === undefined ? {} : { part: part - 1 }),
    };
    const journal = await openToChange(shell, config, printer, { create: false });
    try {
      const ruler = { by: actorOf(shell), at: shell.clock.now() };
      let accounts = 0;
      const ports = { shell, config, journal };
      if (account !== undefined) {
        const { platform, entry } = await findAccount(journal, config, account);
        await holdingSupplier(ports, { platform, supplier: entry.key.supplier }, async () => {
          // Its state now, which cannot change meanwhile.
          const held = await journal.open(platform, entry.key);
          await ruleOn(
            journal,
            held,
            step,
            ruling,
            ruler,
            `migrate show ${quoted(account)}${givenFlags(flags)}`,
          );
        });
        accounts = 1;
      } else {
        const suppliers = await recordedSuppliers(journal, config);
        for (const { platform, supplier } of suppliers)
          await holdingSupplier(ports, { platform, supplier }, async () => {
            for await (const entry of journal.accounts(platform, supplier, [
              'uncertain',
              'rejected',
              'failed',
            ]))
              if (chosen?.has(entry.key.account) === true)
                if (await ruleOn(journal, entry, step, ruling, ruler)) accounts += 1;
          });
        if (chosen !== undefined) await warnOfUnrecorded({ printer, journal }, suppliers, chosen);
      }
      return {
        exit: exitCodes.done,
        summary: { accounts, step, as },
        text: () => `${counted(accounts, 'account')} resolved: ${step} as ${as}. The next run continues.`,
      };
    } finally {
      await journal.close();
    }
  });
}

/**
 * `look` is the command that shows more of an account that was named alone; in a list, accounts without the uncertain
 * step are skipped.
 */
async function ruleOn(
  journal: Journal,
  entry: AccountEntry,
  step: StepName,
  ruling: Ruling,
  ruler: Ruler,
  look?: string,
): Promise<boolean> {
  const refused = await rule(journal, entry, step, ruling, ruler);
  const { account } = entry.key;
  if (refused === 'number-needed')
    throw new CannotStart(
      exitCodes.usage,
      `${account}: give the account number that the platform assigned with --number, one account at a time; or use --as repeat, which asks the platform again.`,
    );
  if (refused === 'not-uncertain' && look !== undefined)
    throw new CannotStart(
      exitCodes.usage,
      `${account}: ${ruling.part === undefined ? 'its step' : 'that part of its step'} ${step} is not uncertain. \`${look}\` shows what is.`,
    );
  return refused === undefined;
}
