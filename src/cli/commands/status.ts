import type { Config } from '../../config/load-config.ts';
import { withTotal } from '../../domain/account-state.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Printer } from '../../report/printer.ts';
import type { SupplierStatus } from '../../report/status-table.ts';
import type { AnyCommand } from '../commander.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('status')
    .description('Show progress from the journal and, with --remote, what the platform lists')
    .example('migrate status --supplier TENTACLE_ENERGY', 'migrate status --remote')
    .option('--supplier <code>', 'Only this import supplier')
    .option('--account <number>', 'Only this account')
    .option('--remote', "Also ask the platform, and show its counts beside the journal's")
    .option('--watch', 'Update the display until interrupted');

type Flags = FlagsOf<typeof usage>;

export function statusCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (flags) => ended(await status(shell, flags)));
}

/**
 * `migrate status`: shows progress from the journal, even during a run; asks the platform only with --remote.
 */
async function status(shell: Shell, flags: Flags): Promise<ExitCode> {
  const { statusSummary, statusText, withAccountsOfNone, withRunners } =
    await import('../../report/status-table.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  const { findAccount, livingRunners, recordedSuppliers, recordedWithoutSupplier, whyEmpty } =
    await import('../recorded-suppliers.ts');
  const { judgedNight } = await import('../judged-night.ts');
  const { readingsOf, readingsRecord, withReadings } = await import('../../report/readings.ts');
  const { morningText, statusEnd } = await import('../../report/morning/morning-text.ts');
  const { openToRead } = await import('../open-to-read.ts');
  const { watchStatus, watchSuppliers } = await import('../watch-suppliers.ts');
  const { told } = await import('../account-history.ts');
  return conclude(shell, 'status', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    printer.showTimesIn(config.timeZone);
    // Read once, even for a watch.
    const { stepsNotOffered } = await import('../../run/effective-rules.ts');
    const notOffered = config.contract === undefined ? undefined : await stepsNotOffered(config);
    const offered = (suppliers: readonly SupplierStatus[]): readonly SupplierStatus[] =>
      notOffered === undefined ? suppliers : suppliers.map((one) => ({ ...one, notOffered }));
    const journal = await openToRead(shell, config, printer);
    try {
      if (flags.account !== undefined)
        return await told(journal, await findAccount(journal, config, flags.account));
      if (flags.watch === true) {
        const look = watchSuppliers(shell, config);
        const last = await watchStatus(shell, printer, {
          suppliers: async () => offered(await look(journal)),
          runners: () => livingRunners(shell, journal),
          whyEmpty: () => whyEmpty(journal),
          asked: config.supplier,
        });
        return { exit: exitCodes.done, summary: statusSummary(last.suppliers, last.runners) };
      }
      const suppliers = offered(
        flags.remote === true
          ? await besideRemote({ shell, printer, config, journal })
          : await recordedSuppliers(journal, config),
      );
      const empty = suppliers.length === 0 ? await whyEmpty(journal) : 'new';
      const runners = await livingRunners(shell, journal);
      const unnamed = await recordedWithoutSupplier(journal, suppliers);
      const night = await judgedNight(shell, config, journal);
      const readings = await readingsOf(journal, suppliers);
      return {
        exit: exitCodes.done,
        summary: { ...statusSummary(suppliers, runners, unnamed), ...readingsRecord(readings) },
        text: (page) => {
          const books = withAccountsOfNone(
            page,
            statusText(page, suppliers, empty, config.supplier),
            unnamed,
          );
          const text = withReadings(page, withRunners(page, books, runners), readings);
          return night.run === undefined
            ? text
            : [morningText(page, night, flags), '', text, '', ...statusEnd(page, night, flags)].join('\n');
        },
        evenIfQuiet: true,
      };
    } finally {
      await journal.close();
    }
  });
}

/** The suppliers on the platform, each with what it lists. */
async function besideRemote(work: {
  readonly shell: Shell;
  readonly printer: Printer;
  readonly config: Config;
  readonly journal: Journal;
}): Promise<readonly SupplierStatus[]> {
  const { shell, printer, config, journal } = work;
  // Loaded on demand: the client is slow to load, and seldom needed here.
  const { connectRecorded, readList } = await import('../connect-recorded.ts');
  const { connection, suppliers } = await connectRecorded(shell, config, journal);
  try {
    const found: SupplierStatus[] = [];
    for (const overview of suppliers) {
      let remote = { accounts: 0, pending: 0, imported: 0 };
      await readList({ shell, config, client: connection.client }, overview.supplier, () => {
        printer.progress.begin(withTotal(overview.accounts).total, 'listed account');
        remote = { accounts: 0, pending: 0, imported: 0 };
        return ({ kraken_account_number: number }) => {
          remote.accounts += 1;
          remote[number ? 'imported' : 'pending'] += 1;
          printer.progress.advance(1);
        };
      });
      found.push({ ...overview, remote });
    }
    return found;
  } finally {
    await connection.close();
  }
}
