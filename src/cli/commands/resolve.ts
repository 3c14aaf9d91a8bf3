import { CannotStart } from '../../host/cannot-start.ts';
import { actorOf } from '../../host/actor.ts';
import type { Config } from '../../config/load-config.ts';
import { registration } from '../../domain/registration.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { withPublished } from '../../domain/added-step.ts';
import { changedAfterImport, leftOnPurpose, notOurs } from '../../domain/shared-codes.ts';
import type { StepName } from '../../domain/steps.ts';
import type { AccountEntry, Journal } from '../../journal/journal.ts';
import type { Ruler, Ruling } from '../../pipeline/account/rulings.ts';
import { givenFlags, quoted } from '../../report/command-line.ts';
import { counted } from '../../report/format.ts';
import type { CommandResult, Printer } from '../../report/printer.ts';
import type { Shell } from '../shell.ts';
import { accountList, warnOfUnrecorded } from '../../run/listed-accounts.ts';
import { conclude, resolveSettings } from '../conclude.ts';
import { findAccount, recordedSuppliers } from '../recorded-suppliers.ts';
import { holdingSupplier } from '../holding-supplier.ts';
import { openToChange } from '../../run/session/open-to-change.ts';
import { rule, takeForCorrected, takeForGone } from '../../pipeline/account/rulings.ts';
import { InvalidArgumentError } from '../commander.ts';
import { stepName } from '../options.ts';
import { resolveItem, resolveItems } from '../resolve-item.ts';
import type { ResolveFlags } from '../usages/resolve.ts';

/** `migrate resolve`: records a person's ruling on a step, of one account or of a list, or the rulings of a file. */
export async function resolve(
  shell: Shell,
  account: string | undefined,
  given: ResolveFlags,
): Promise<ExitCode> {
  if (given.from !== undefined) {
    const { resolveFrom } = await import('../resolve-from.ts');
    return resolveFrom(shell, { ...given, account });
  }
  return conclude(shell, 'resolve', given, async (printer) => {
    const config = await resolveSettings(shell, given);
    if (
      [registration, ...withPublished(config.steps).map(({ name }) => name)].some(
        (name) => name === given.step,
      )
    )
      return ruleOnItems({ shell, config, printer }, account, given);
    const flags = withStep(given);
    const ruling = rulingOf(account, flags);
    const { as = '', step } = flags;
    const chosen = flags.accounts === undefined ? undefined : await accountList(shell, flags.accounts);
    const journal = await openToChange(shell, config, printer, { create: false });
    try {
      const ruler = { by: actorOf(shell), at: shell.clock.now() };
      const ports = { shell, config, journal };
      const ruleOnOne = async (named: string): Promise<Ruled> => {
        const { platform, entry } = await findAccount(journal, config, named);
        await holdingSupplier(ports, { platform, supplier: entry.key.supplier }, async () => {
          // Its current state, which cannot change in the meantime.
          const held = await journal.open(platform, entry.key);
          await ruleOn(journal, held, ruling, ruler, `migrate show ${quoted(named)}${givenFlags(flags)}`);
        });
        return { accounts: 1, left: [] };
      };
      const ruleOnList = async (list: ReadonlySet<string> | undefined): Promise<Ruled> => {
        let accounts = 0;
        const left: AccountEntry[] = [];
        const suppliers = await recordedSuppliers(journal, config);
        for (const { platform, supplier } of suppliers)
          await holdingSupplier(ports, { platform, supplier }, async () => {
            for await (const entry of journal.accounts(platform, supplier))
              // A ruling as skip is taken back for an account that is named singly.
              if (list?.has(entry.key.account) !== false && entry.code !== notOurs) {
                if (await ruleOn(journal, entry, ruling, ruler)) accounts += 1;
                else if (list !== undefined) left.push(entry);
              }
          });
        if (list !== undefined) await warnOfUnrecorded({ printer, journal }, suppliers, list);
        if (left.length > 0 && accounts > 0) printer.warn(leftText(left, flags));
        return { accounts, left };
      };
      const { accounts, left } = account === undefined ? await ruleOnList(chosen) : await ruleOnOne(account);
      const isNothing = accounts === 0 && left.length > 0;
      return {
        exit: isNothing ? exitCodes.usage : exitCodes.done,
        errors: isNothing ? [leftText(left, flags)] : [],
        summary: { accounts, left: left.length, step: step ?? null, as },
        text: () =>
          `${counted(accounts, 'account')} resolved: ${step === undefined ? '' : `${step} as `}${as}. ${consequence(as, accounts)}`,
      };
    } finally {
      await journal.close();
    }
  });
}

/** The flags of rulings on accounts. */
type AccountFlags = Omit<ResolveFlags, 'step'> & { readonly step?: StepName };

/** Throws CannotStart where the step is none of an account's. */
function withStep({ step: name, ...flags }: ResolveFlags): AccountFlags {
  if (name === undefined) return flags;
  try {
    return { ...flags, step: stepName(name) };
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new CannotStart(exitCodes.usage, `--step: ${error.message}`);
  }
}

/** Rules on one item of a step that is not of every account, or on a list of them. */
async function ruleOnItems(
  { shell, config, printer }: { readonly shell: Shell; readonly config: Config; readonly printer: Printer },
  item: string | undefined,
  { as, step = '', accounts: file }: ResolveFlags,
): Promise<CommandResult> {
  if ((item === undefined) === (file === undefined) || (as !== 'done' && as !== 'repeat'))
    throw new CannotStart(
      exitCodes.usage,
      `Name one item of ${step}, or a list of them with --accounts, and --as done or --as repeat.`,
    );
  const list = file === undefined ? undefined : await accountList(shell, file);
  const journal = await openToChange(shell, config, printer, { create: false });
  const ports = { shell, config, journal };
  try {
    if (item !== undefined) await resolveItem(ports, { step, item }, as);
    const { items, left } =
      list === undefined ? { items: 1, left: [] } : await resolveItems(ports, { step, list }, as);
    const named = `${left.slice(0, mostNamed).join(', ')}${left.length > mostNamed ? ', ...' : ''}`;
    const unknown = `The journal has no item of ${step} that is not done for ${counted(left.length, 'name')} of the list: ${named}.`;
    if (left.length > 0 && items > 0) printer.warn(unknown);
    const isNothing = items === 0 && left.length > 0;
    return {
      exit: isNothing ? exitCodes.usage : exitCodes.done,
      errors: isNothing ? [unknown] : [],
      summary: { items, left: left.length, step, as },
      text: () =>
        `${item ?? counted(items, 'item')} resolved: ${step} as ${as}. ${step === registration ? '`migrate register`' : 'The next run'} continues.`,
    };
  } finally {
    await journal.close();
  }
}

/** What was ruled on. `left`: accounts of a list of which nothing in the step is open. */
interface Ruled {
  readonly accounts: number;
  readonly left: readonly AccountEntry[];
}

/** Throws CannotStart where the flags do not say which ruling it is, or on what. */
function rulingOf(account: string | undefined, { as, step, number, part, accounts }: AccountFlags): Given {
  const refuse = (why: string): never => {
    throw new CannotStart(exitCodes.usage, why);
  };
  const isWhole = as === 'corrected' || as === 'gone';
  if (as === undefined || (step === undefined && !isWhole))
    return refuse('Name the step with --step and the ruling with --as, or a file of rulings with --from.');
  if (isWhole && (step !== undefined || part !== undefined || number !== undefined))
    refuse(`--as ${as} is about the whole account: name no --step, --part or --number.`);
  // Without a name, all that are gone.
  const isOfAll = as === 'gone' && account === undefined && accounts === undefined;
  if (!isOfAll && (account === undefined) === (accounts === undefined))
    refuse('Name one account, or a list of them with --accounts.');
  if (part !== undefined && account === undefined)
    refuse('--part is for one account: parts differ from account to account.');
  if (as === 'gone') return 'gone';
  if (as === 'corrected' || step === undefined) return 'corrected';
  return {
    ...(as === 'done' ? { as, krakenAccountNumber: number } : { as }),
    ...{ step, part: part === undefined ? undefined : part - 1 },
  };
}

const mostNamed = 3;

/** Accounts of a list of which nothing in the step is open. */
function leftText(left: readonly AccountEntry[], { as, step }: AccountFlags): string {
  const named = left.slice(0, mostNamed).map(({ key, state }) => `${key.account} (${state})`);
  const more = left.length > mostNamed ? ', ...' : '';
  const why =
    step === undefined
      ? `not ${as === 'gone' ? 'gone from the export before they were created' : 'rejected as changed_after_import'}`
      : `nothing of ${step} is uncertain or was refused`;
  return `${counted(left.length, 'account')} of the list ${left.length === 1 ? 'is' : 'are'} left as before, because ${step === undefined ? 'they are ' : ''}${why}: ${named.join(', ')}${more}.`;
}

function consequence(as: string, accounts: number): string {
  const [it, is] = accounts === 1 ? ['it', 'It is'] : ['them', 'They are'];
  if (as === 'gone') return `Runs send ${it} if an export has ${it} again.`;
  if (as === 'skip') return `Runs send nothing for ${it}.`;
  return as === 'corrected' ? `${is} completed, until the export changes again.` : 'The next run continues.';
}

/** A ruling on a step, or on a whole account. */
type Given = (Ruling & { readonly step: StepName }) | 'corrected' | 'gone';

/**
 * `look` is the command that shows more about an account, if it was named singly; in a list, accounts of which
 * nothing in the step is open are skipped.
 */
async function ruleOn(
  journal: Journal,
  entry: AccountEntry,
  ruling: Given,
  ruler: Ruler,
  look?: string,
): Promise<boolean> {
  const { account } = entry.key;
  if (ruling === 'corrected') {
    const isTaken = await takeForCorrected(journal, entry, ruler);
    if (!isTaken && look !== undefined)
      throw new CannotStart(
        exitCodes.usage,
        `${account}: ${whyNotCorrected(entry)} \`${look}\` shows its state.`,
      );
    return isTaken;
  }
  if (ruling === 'gone') {
    const isTaken = await takeForGone(journal, entry, ruler);
    if (!isTaken && look !== undefined)
      throw new CannotStart(exitCodes.usage, `${account}: ${whyNotGone(entry)} \`${look}\` shows its state.`);
    return isTaken;
  }
  const { step } = ruling;
  const refused = await rule(journal, entry, step, ruling, ruler);
  if (refused === 'process-only') {
    const { skipIsOfProcess } = await import('../ruling-file.ts');
    throw new CannotStart(exitCodes.usage, `${account}: ${skipIsOfProcess}`);
  }
  if (refused === 'number-needed')
    throw new CannotStart(
      exitCodes.usage,
      `${account}: give the account number that the platform assigned with --number, one account at a time; or use --as repeat, which asks the platform again.`,
    );
  if (refused === 'not-uncertain' && look !== undefined)
    throw new CannotStart(
      exitCodes.usage,
      `${account}: ${ruling.part === undefined ? 'its step' : 'that part of its step'} ${step} is not uncertain, and nothing of it was refused. \`${look}\` shows what was.`,
    );
  return refused === undefined;
}

function whyNotGone({ state, code, isAbsent }: AccountEntry): string {
  if (code === leftOnPurpose) return 'that is recorded already.';
  return isAbsent === true
    ? `it is ${state}, and the platform may have it.`
    : 'the export that it was last read from has it.';
}

function whyNotCorrected({ state, code }: AccountEntry): string {
  return state === 'rejected' && code === changedAfterImport
    ? 'it is not rejected for changes alone: steps are still to be sent, or were refused for something else. Settle these first.'
    : 'it is not rejected as changed_after_import.';
}
