import type { Config } from '../../config/load-config.ts';
import { withTotal } from '../../domain/account-state.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Printer } from '../../report/printer.ts';
import type { SupplierStatus } from '../../report/status-table.ts';
import { livingRunners } from '../../run/running-runs.ts';
import type { Shell } from '../shell.ts';
import { statusSummary, statusText, withAccountsOfNone, withRunners } from '../../report/status-table.ts';
import {
  findAccount,
  recordedPlatforms,
  recordedSuppliers,
  recordedWithoutSupplier,
  whyEmpty,
} from '../recorded-suppliers.ts';
import { addedStepsOf, addedStepsRecord, withAddedSteps } from '../../report/added-steps.ts';
import { judgedNight } from '../judged-night.ts';
import { readingsOf, readingsRecord, withReadings } from '../../report/readings.ts';
import { morningText, statusEnd } from '../../report/morning/morning-text.ts';
import { concludeReading } from '../open-to-read.ts';
import { watchStatus, watchSuppliers } from '../watch-suppliers.ts';
import { told } from '../account-history.ts';
import type { StatusFlags } from '../usages/status.ts';

/**
 * `migrate status`: shows progress from the journal, even during a run; asks the platform only with --remote.
 */
export async function status(shell: Shell, flags: StatusFlags): Promise<ExitCode> {
  return concludeReading(shell, 'status', flags, async ({ printer, config, journal }) => {
    // Read once, even for a watch.
    const { stepsNotOffered } = await import('../../run/effective-rules.ts');
    const notOffered = config.contract === undefined ? undefined : await stepsNotOffered(config);
    const offered = (suppliers: readonly SupplierStatus[]): readonly SupplierStatus[] =>
      notOffered === undefined ? suppliers : suppliers.map((one) => ({ ...one, notOffered }));
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
    const platforms = await recordedPlatforms(journal, config);
    const added = await addedStepsOf(
      journal,
      platforms.map(({ platform }) => platform),
    );
    return {
      exit: exitCodes.done,
      summary: {
        ...statusSummary(suppliers, runners, unnamed),
        ...readingsRecord(readings),
        ...addedStepsRecord(added),
      },
      text: (page) => {
        const books = withAccountsOfNone(page, statusText(page, suppliers, empty, config.supplier), unnamed);
        const read = withReadings(page, withRunners(page, books, runners), readings);
        const text = withAddedSteps(page, read, added);
        return night.run === undefined
          ? text
          : [
              morningText(page, night, { ...flags, here: shell.cwd }),
              '',
              text,
              '',
              ...statusEnd(page, night, flags),
            ].join('\n');
      },
      evenIfQuiet: true,
    };
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
