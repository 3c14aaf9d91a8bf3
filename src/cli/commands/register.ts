import { aboutStop } from '../../domain/stop-reason.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { unregistered } from '../../domain/registration.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { Config } from '../../config/load-config.ts';
import type { Journal, SupplierOverview } from '../../journal/journal.ts';
import { registerAccounts, type HearRegistration } from '../../pipeline/registration/register-accounts.ts';
import { Leases } from '../../pipeline/run/leases.ts';
import type { StopControl } from '../../pipeline/run/stop-control.ts';
import { counted } from '../../report/format.ts';
import type { CommandResult, Printer } from '../../report/printer.ts';
import { registrationText, statusesText, type RegistrationView } from '../../report/registration-text.ts';
import { stopDetail } from '../../report/advice/stop-detail.ts';
import { accountList } from '../../run/listed-accounts.ts';
import { pipelineSettings } from '../../run/pipeline-settings.ts';
import { runStops } from '../../run/run-stops.ts';
import type { PlatformConnection } from '../../run/session/connect.ts';
import { leaseSettings } from '../../run/session/lease-settings.ts';
import { openToChange } from '../../run/session/open-to-change.ts';
import { conclude, resolveSettings } from '../conclude.ts';
import { connectRecorded } from '../connect-recorded.ts';
import {
  completedAccounts,
  lastRestore,
  lastRun,
  portsOf,
  requireRegistration,
  StatusTally,
  stoppedText,
  warnOfOthers,
} from '../meter-points.ts';
import type { Shell } from '../shell.ts';
import type { RegisterFlags } from '../usages/register.ts';

/** `migrate register`: marks the meter points of completed accounts for registration. */
export async function register(shell: Shell, flags: RegisterFlags): Promise<ExitCode> {
  return conclude(shell, 'register', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    await requireRegistration(config);
    const chosen = flags.accounts === undefined ? undefined : await accountList(shell, flags.accounts);
    const journal = await openToChange(shell, config, printer, { create: false });
    try {
      const { connection, suppliers } = await connectRecorded(shell, config, journal);
      try {
        const work = { shell, printer, config, flags, journal, connection, chosen };
        await askFirst(work, suppliers);
        return await registerSuppliers(work, suppliers);
      } finally {
        await connection.close();
      }
    } finally {
      await journal.close();
    }
  });
}

interface Work {
  readonly shell: Shell;
  readonly printer: Printer;
  readonly config: Config;
  readonly flags: RegisterFlags;
  readonly journal: Journal;
  readonly connection: PlatformConnection;
  readonly chosen: ReadonlySet<string> | undefined;
}

/** The statuses that accounts are marked from. */
function fromOf({ status }: RegisterFlags): readonly string[] {
  return status ?? [unregistered];
}

/** Asks a person, with what is known before anything is read, on any platform that is not embedded. */
async function askFirst(work: Work, suppliers: readonly SupplierOverview[]): Promise<void> {
  const { shell, config, flags, journal, connection, chosen } = work;
  if (config.baseUrl === undefined || flags.dryRun === true || flags.yes === true) return;
  let accounts = 0;
  for (const of of suppliers) for await (const _key of completedAccounts(journal, of, chosen)) accounts += 1;
  const most = flags.limit === undefined ? '' : `, at most ${counted(flags.limit, 'account')}`;
  const facts = `${counted(accounts, 'completed account')}${most}; only those that are not marked yet, and where all meter points are ${fromOf(flags).join(' or ')}`;
  if (!shell.interactive)
    throw new CannotStart(
      exitCodes.usage,
      `This marks accounts for registration on ${connection.label} (${facts}), and there is no terminal for a confirmation. Add --yes or --dry-run.`,
    );
  if (!(await shell.confirm(`Mark accounts for registration on ${connection.label} (${facts})?`)))
    throw new CannotStart(exitCodes.stoppedEarly, 'Nothing was sent.');
}

async function registerSuppliers(work: Work, suppliers: readonly SupplierOverview[]): Promise<CommandResult> {
  const { shell, printer, config, flags } = work;
  const stops = runStops(shell, printer, { config, hours: { isOpen: true } });
  const tally = new StatusTally();
  const counts = { done: 0, earlier: 0, due: 0, none: 0, elsewhere: 0, refused: 0, failed: 0, uncertain: 0 };
  let taken = 0;
  let left = flags.limit ?? Infinity;
  const isFull = (): boolean => left <= 0;
  const hear: HearRegistration = ({ supplier, account }, { state, code, points = [] }) => {
    if (state === 'stopped') return;
    taken += 1;
    counts[state] += 1;
    tally.add(points);
    if (state === 'refused' || state === 'failed' || state === 'uncertain')
      printer.line(
        { type: 'registration', supplier, account, state, code },
        `${supplier}/${account}  ${state} (${code})`,
      );
  };
  try {
    const admit = (): boolean => (left -= 1) >= 0;
    for (const of of suppliers) await registerSupplier(work, of, { stop: stops.stop, admit, isFull, hear });
    if (!isFull() && stops.stop.reason === undefined) warnOfOthers(printer, work.chosen, taken);
  } finally {
    stops.end();
  }
  return resultOf(
    { ...counts, from: fromOf(flags), isDryRun: flags.dryRun ?? false, isLimited: isFull() },
    tally,
    stops.stop,
  );
}

interface Driving {
  readonly stop: StopControl;
  /** Whether one more account may be marked. */
  readonly admit: () => boolean;
  /** Whether none may be marked any more. */
  readonly isFull: () => boolean;
  readonly hear: HearRegistration;
}

/** Under the supplier's lease: a run of it must not be under way. */
async function registerSupplier(
  { shell, config, flags, journal, connection, chosen, printer }: Work,
  { platform, supplier }: SupplierOverview,
  { stop, admit, isFull, hear }: Driving,
): Promise<void> {
  const leases = new Leases(journal, platform, leaseSettings(shell, config), shell.clock, (of) => {
    stop.stop('lease-lost', of);
    stop.abort('lease-lost');
  });
  const held = await leases.take(supplier);
  if (held !== undefined)
    throw new CannotStart(exitCodes.supplierHeld, `Nothing is sent: ${stopDetail('held', supplier, held)}`);
  // The work itself reports a failure of the journal.
  const alive = leases.keepAlive().catch(() => undefined);
  try {
    const { dryRun: isDryRun = false } = flags;
    const ports = portsOf(shell, journal, connection, stop, printer);
    await registerAccounts(
      {
        ...{
          platform,
          isDryRun,
          run: await lastRun(journal),
          restoredAt: await lastRestore(journal),
          from: new Set(fromOf(flags)),
          admit,
        },
        accounts: completedAccounts(journal, { platform, supplier }, chosen, isFull),
        settings: pipelineSettings({ config }, connection),
      },
      { ...ports, client: leases.guard(connection.client) },
      hear,
    );
  } finally {
    await leases.release();
    await alive;
  }
}

function resultOf(
  view: Omit<RegistrationView, 'stopped'>,
  tally: StatusTally,
  stop: StopControl,
): CommandResult {
  const { from: _from, isDryRun, isLimited, ...counts } = view;
  return {
    exit: exitCodeOf([
      ...[...stop.reasons].map((reason) => aboutStop(reason).exit),
      ...(counts.uncertain > 0 ? [exitCodes.uncertain] : []),
      ...(counts.refused > 0 ? [exitCodes.accountsRejected] : []),
      ...(counts.failed > 0 ? [exitCodes.stoppedEarly] : []),
    ]),
    summary: {
      ...counts,
      limited: isLimited,
      statuses: tally.record,
      dryRun: isDryRun,
      stopReason: stop.reason ?? null,
    },
    text: (page) =>
      [
        ...(tally.rows.length === 0 ? [] : [statusesText(page, tally.rows), '']),
        registrationText(page, { ...view, stopped: stoppedText(stop) }),
      ].join('\n'),
  };
}
