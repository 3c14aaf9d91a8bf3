import type { Config } from '../config/load-config.ts';
import { cellRecord, place } from '../domain/cell.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../domain/exit-codes.ts';
import { doubledOnPlatform } from '../domain/shared-codes.ts';
import { actorOf } from '../host/actor.ts';
import { CannotStart } from '../host/cannot-start.ts';
import { bootOf } from '../host/process-identity.ts';
import type { Journal } from '../journal/journal.ts';
import { codeOfSeen } from '../pipeline/account/ask-by-reading.ts';
import { knownAccount } from '../pipeline/account/known-account.ts';
import { QuietPeriod } from '../pipeline/request/quiet-period.ts';
import { waitAfter } from '../pipeline/request/retry.ts';
import { clockGrainMs } from '../pipeline/run/run-migration.ts';
import { RunClock } from '../pipeline/run/run-clock.ts';
import type { CommandResult, Printer } from '../report/printer.ts';
import { settledText } from '../report/settled-text.ts';
import { cuttingOf, patienceOf } from '../run/pipeline-settings.ts';
import { findByReading } from '../run/read-back/by-reading-of.ts';
import type { FindByReading } from '../run/read-back/find-by-reading.ts';
import { settleAccounts, type HearSettled, type SettleResult } from '../run/read-back/settle-accounts.ts';
import type { PlatformConnection } from '../run/session/connect.ts';
import { stopDetail } from '../report/advice/stop-detail.ts';
import { addressOf } from '../source/places/address.ts';
import { askAccount, type Recorded } from './connect-recorded.ts';
import { holdingSupplier } from './holding-supplier.ts';
import { openRecordedPlans } from './open-recorded-plans.ts';
import type { Shell } from './shell.ts';

export interface SettleWork {
  readonly shell: Shell;
  readonly printer: Printer;
  readonly config: Config;
  readonly journal: Journal;
  readonly path: string;
  readonly name: string | undefined;
  readonly fixes: readonly string[];
  readonly recorded: Recorded;
  /** Only these accounts. */
  readonly chosen: ReadonlySet<string> | undefined;
  readonly isDryRun: boolean;
}

/** Asks by reading what became of everything that is uncertain, supplier by supplier, and records it. */
export async function settleUncertain(work: SettleWork): Promise<CommandResult> {
  const { shell, config, journal, recorded, isDryRun } = work;
  const stop = new AbortController();
  const forget = shell.onInterrupt(() => stop.abort(new Error('Interrupted.')));
  const reader = findByReading(shell, config, recorded.connection, journal);
  const total = { accounts: 0, done: 0, doubled: 0, repeat: 0, uncertain: 0 };
  try {
    for (const { platform, supplier } of recorded.suppliers) {
      const settled = await holdingSupplier(work, { platform, supplier }, () =>
        settleSupplier(work, { platform, supplier, reader, signal: stop.signal }),
      );
      for (const name of Object.keys(total) as (keyof SettleResult)[]) total[name] += settled[name];
    }
  } finally {
    forget();
  }
  const left = await uncertainIn(journal, recorded);
  const stopped = stop.signal.aborted ? 'interrupted' : reader.isSpent ? 'budget' : undefined;
  if (stopped === undefined) refuseUnreadable(reader.trouble);
  const exit: ExitCode = exitCodeOf([
    ...(stopped === undefined ? [] : [exitCodes.stoppedEarly]),
    ...(left > 0 || total.doubled > 0 ? [exitCodes.uncertain] : []),
  ]);
  return {
    exit,
    summary: { ...total, left, dryRun: isDryRun, ...(stopped === undefined ? {} : { stopped }) },
    text: (page) => settledText(page, { ...total, left, isDryRun, stopped }),
  };
}

async function settleSupplier(
  work: SettleWork,
  {
    platform,
    supplier,
    reader,
    signal,
  }: {
    readonly platform: string;
    readonly supplier: string;
    readonly reader: FindByReading;
    readonly signal: AbortSignal;
  },
): Promise<SettleResult> {
  const { shell, printer, config, journal, path, name = path, recorded, chosen } = work;
  const { connection } = recorded;
  const { client } = connection;
  const opened = await openRecordedPlans(work, platform);
  try {
    return await settleAccounts(
      {
        ...{ platform, supplier, journal, plans: opened.plans, reader, client, signal },
        isDryRun: work.isDryRun,
        supplierOf: async ({ key, fix }) =>
          key.supplier !== ''
            ? key.supplier
            : (await knownAccount(journal, platform, key.account, fix?.place ?? addressOf(shell.cwd, name)))
                ?.key.supplier,
        isChosen: (account) => chosen?.has(account) ?? true,
        cutting: cuttingOf(config),
        numberOf: async ({ key }) =>
          (await askAccount({ shell, config, client }, { ...key, supplier }))?.krakenAccountNumber,
        waitMs: (tries, askedMs) => waitAfter(askedMs, tries, config.retry, shell.random),
        quiet: await quietPeriodOf(shell, config, journal, connection),
        clock: shell.clock,
        concurrency: config.readBack.concurrency,
        ruler: { by: actorOf(shell), at: shell.clock.now() },
      },
      hearing(printer),
    );
  } finally {
    opened.close();
  }
}

/** The clock of this command counts as that of the journal's runs only while the machine was not restarted. */
async function quietPeriodOf(
  shell: Shell,
  config: Config,
  journal: Journal,
  connection: Pick<PlatformConnection, 'isEmbedded'>,
): Promise<QuietPeriod> {
  let next = 1;
  for await (const { id } of journal.runs(1)) next = id + 1;
  const since = await journal.sameBootSince(next, bootOf(shell.clock), clockGrainMs);
  return new QuietPeriod(patienceOf(config, connection.isEmbedded), new RunClock(shell.clock), next, since);
}

const words = {
  done: 'is on the platform: done',
  doubled: 'is on the platform, once too often: done',
  absent: 'is not on the platform: the next run sends it again',
  missing: 'is not on the platform; absence does not settle here',
  unclear: 'is there in part, or something like it is',
  unread: 'could not be read',
} as const;

function hearing(printer: Printer): HearSettled {
  return (plan, found, sentBy) => {
    const { part, decision, seen } = found;
    const { account } = plan.key;
    const { step } = part;
    const at = sentBy.placeOf(part);
    const cell = at && plan.locate(step, at.path, at.request);
    const code =
      decision === 'doubled' ? doubledOnPlatform : decision === 'unknown' ? codeOfSeen(found) : undefined;
    const ruling = { done: 'done', doubled: 'done', absent: 'repeat', unknown: null }[decision];
    const said = words[decision === 'unknown' ? (seen ?? 'unread') : decision];
    printer.line(
      // From 1, as for people.
      {
        ...{ type: 'settled', account, step, part: part.part + 1, ruling },
        ...{ code: code ?? (ruling === null ? (part.code ?? null) : null) },
        ...cellRecord(cell),
      },
      `${account}  ${step} ${part.part + 1}  ${said}${cell === undefined ? '' : `  ${place(cell)}`}`,
    );
  };
}

/** Accounts that stay uncertain. */
async function uncertainIn(journal: Journal, { suppliers }: Recorded): Promise<number> {
  const overview = await journal.overview();
  const isMeant = (one: { readonly platform: string; readonly supplier: string }) =>
    suppliers.some(({ platform, supplier }) => platform === one.platform && supplier === one.supplier);
  return overview.filter(isMeant).reduce((sum, { accounts }) => sum + accounts.uncertain, 0);
}

function refuseUnreadable(trouble: FindByReading['trouble']): void {
  if (trouble === undefined) return;
  const isKey = trouble.reason === 'credentials';
  throw new CannotStart(
    isKey ? exitCodes.credentialsRefused : exitCodes.unavailable,
    isKey
      ? stopDetail('credentials', trouble.detail)
      : `Accounts could not be read back (${trouble.detail}). \`migrate doctor --read-back\` says why. What was found before is recorded; run the same command again.`,
  );
}
