import { addedStepsOf, addedStepsRecord, withAddedSteps } from '../report/added-steps.ts';
import type { Config } from '../config/load-config.ts';
import { definedFields } from '../domain/defined-fields.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import type { Problem } from '../domain/problem.ts';
import type { Journal } from '../journal/journal.ts';
import type { AccountKey } from '../domain/account-key.ts';
import { knownAccount } from '../pipeline/account/known-account.ts';
import { sharedNumbers } from '../pipeline/numbers/shared-numbers.ts';
import { supersededData } from '../pipeline/account/superseded-data.ts';
import type { CommandResult, Printer } from '../report/printer.ts';
import type { PlatformListing, SourceAccount } from '../report/reconciliation/joined.ts';
import { reconcile, type ReconcileListener } from '../report/reconciliation/reconcile.ts';
import {
  absentRecord,
  dateMovedRecord,
  differenceLine,
  differenceRecord,
  notCountedLine,
  notCountedRecord,
  reconcileSummary,
  reconcileText,
  unreadableLine,
  unreadableRecord,
} from '../report/reconciliation/reconcile-page.ts';
import { SortedRecords } from '../sqlite/sorted-records.ts';
import { changedPlaces } from './changed-places.ts';
import { askAccount, readList, type Recorded } from './connect-recorded.ts';
import { listedAs } from './platform-listings.ts';
import { holdingSupplier } from './holding-supplier.ts';
import { onlySupplier } from './recorded-suppliers.ts';
import { IgnoredRows } from '../run/reading/ignored-rows.ts';
import { readContract } from '../run/effective-rules.ts';
import { sameRows } from './same-rows.ts';
import { MetSuppliers } from '../run/unknown-supplier.ts';
import { cuttingOf } from '../run/pipeline-settings.ts';
import { accountSettings } from '../run/threads/account-settings.ts';
import { eachAccount, threadsOf } from '../run/threads/each-account.ts';
import { exportedAccount, type ExportedAccount } from '../run/threads/exported-account.ts';
import { keepReconciled } from '../run/session/reconciled-file.ts';
import { lastReconciled } from '../report/reconciliation/last-reconciled.ts';
import { keptIndexes } from '../run/reading/open-plans.ts';
import { storedSpellings } from '../run/session/journal-spellings.ts';
import { placesOf, openPlansWith } from '../run/reading/open-plans-with.ts';
import type { Plans } from '../run/reading/plans.ts';
import { exportPlace } from '../run/reading/export-place.ts';
import type { Shell } from './shell.ts';

/** A comparison to make. */
export interface ReconcileWork {
  readonly shell: Shell;
  readonly printer: Printer;
  readonly config: Config;
  readonly journal: Journal;
  readonly path: string | undefined;
  /** What the export is called in the journal, if not by its path. */
  readonly name: string | undefined;
  /** The `--with` directories. */
  readonly fixes: readonly string[];
  readonly recorded: Recorded;
}

/** Compares export, journal and platform, account by account. */
export async function compare(work: ReconcileWork): Promise<CommandResult> {
  const { shell, printer, config, journal, path, recorded } = work;
  const { connection, suppliers } = recorded;
  const meant = onlySupplier(suppliers);
  if (meant === undefined) throw new Error('a connection that was made for no supplier');
  const { platform, supplier, accounts, partlyRead } = meant;
  const listed = new SortedRecords<PlatformListing>();
  const source = new SortedRecords<SourceAccount>();
  /** Accounts of the export whose data names no supplier, and for which a fix was sent. */
  const unnamed = new Set<string>();
  try {
    const place = path === undefined ? undefined : await exportPlace(shell, { ...work, path });
    const read =
      path === undefined || place === undefined
        ? undefined
        : await readSource({ ...work, path, place }, { platform, supplier }, { source, unnamed });
    const unreadable = read?.faults;
    // While a run is active, its accounts would differ for a moment.
    const result = await holdingSupplier(
      { shell, config, journal },
      { platform, supplier },
      async () => {
        await readList({ shell, config, client: connection.client }, supplier, () => {
          listed.clear();
          const advance = progressUpTo(printer, total(accounts), 'listed account');
          return (record) => {
            listed.add(record.external_account_number, listedAs(record));
            advance();
          };
        });
        const advance = progressUpTo(printer, total(accounts), 'account');
        const sharesNumber = await sharedNumbers(journal, platform);
        return reconcile(
          {
            supplier,
            platform,
            partlyRead,
            sides: { listed, journal: journal.accounts(platform, supplier), source },
            isSuperseded: async (entry, source) => {
              if (unnamed.has(entry.key.account)) return true;
              return (
                place !== undefined && (await supersededData(journal, entry, source, place)) !== undefined
              );
            },
            sharesNumber,
            askedOf: async ({ key }) => askAccount({ shell, config, client: connection.client }, key),
            problemsOf: (accountId) => journal.problems(accountId),
            unreadable,
            ...(place === undefined ? {} : { places: [place, ...placesOf(shell, work.fixes)] }),
          },
          listener(printer, advance),
        );
      },
      'Nothing was compared',
    );
    const ignoredRows = read?.ignoredRows ?? null;
    await keepReconciled(
      config,
      lastReconciled(result, { platform, supplier, at: shell.clock.now(), export: place ?? null }),
    );
    const view = { supplier, platformLabel: connection.label, result, ignoredRows };
    const added = await addedStepsOf(journal, [platform]);
    return {
      exit: result.differences.size === 0 ? exitCodes.done : exitCodes.uncertain,
      summary: { ...reconcileSummary(view), ...addedStepsRecord(added) },
      text: (page) => withAddedSteps(page, reconcileText(page, view), added),
    };
  } finally {
    listed.close();
    source.close();
  }
}

/** The findings of reading an export, besides its accounts. */
interface ReadSource {
  /** Rows that cannot be attributed to an account, and accounts that cannot be attributed to a supplier. */
  readonly faults: readonly Problem[];
  readonly ignoredRows: number;
}

/** Reads the supplier's accounts in the export. */
async function readSource(
  {
    shell,
    printer,
    config,
    path,
    place,
    fixes,
    journal,
  }: Pick<ReconcileWork, 'shell' | 'printer' | 'config' | 'fixes' | 'journal'> & {
    readonly path: string;
    readonly place: string;
  },
  { platform, supplier }: { readonly platform: string; readonly supplier: string },
  { source, unnamed }: { readonly source: SortedRecords<SourceAccount>; readonly unnamed: Set<string> },
): Promise<ReadSource> {
  const tenancy = await readContract(config, printer, { checks: false });
  const spellings = await storedSpellings(journal.upgrades.spellings(platform));
  const opened = await openPlansWith(shell, printer, path, {
    ...config,
    with: fixes,
    tenancy,
    kept: keptIndexes(config),
    spellings: spellings?.of,
  });
  try {
    printer.progress.begin(opened.total, 'account');
    const met = new MetSuppliers(supplier);
    const ignored = new IgnoredRows(supplier, opened.ignoredRows);
    const recognise = await sameRows({ config, with: fixes }, { journal, platform, place });
    const strays: Problem[] = [];
    const changed = new ChangedAccounts(journal, platform, config);
    const accounts = eachAccount(
      opened.partsOf(() => true),
      {
        job: 'export',
        here: exportedAccount,
        threads: threadsOf(config),
        settings: accountSettings(shell, config, { cutting: cuttingOf(config) }),
        reporter: printer,
        recognise,
      },
    );
    for await (const read of ignored.counting(accounts)) {
      printer.progress.advance(1);
      met.meet(read.key.supplier);
      const { account } = read.key;
      const from = read.fix?.place ?? place;
      const known =
        read.key.supplier === ''
          ? await knownAccount(journal, platform, account, from)
          : { key: read.key, isFixed: false };
      if (known === undefined) strays.push(withoutSupplier(read));
      if (known?.isFixed === true && known.key.supplier === supplier) unnamed.add(account);
      if (known?.key.supplier !== supplier) continue;
      const exported = exportedAs(read);
      if (!(await changed.take(known.key, read, exported))) source.add(account, exported);
    }
    met.refuseOthersAlone();
    for await (const [account, exported] of changed.withPlaces(opened)) source.add(account, exported);
    const faults = opened.faults.filter(({ isRemark }) => isRemark !== true);
    return { faults: [...faults, ...strays], ignoredRows: ignored.count };
  } finally {
    opened.close();
    spellings?.close();
  }
}

/** More accounts than these have changed for one reason, such as another mapping. */
const mostNamed = 1000;

/** Accounts that are not as they were sent: they are read again, for the places that have changed. */
class ChangedAccounts {
  readonly #journal: Journal;
  readonly #platform: string;
  readonly #config: Config;
  readonly #taken = new Map<string, { readonly key: AccountKey; readonly exported: SourceAccount }>();

  constructor(journal: Journal, platform: string, config: Config) {
    this.#journal = journal;
    this.#platform = platform;
    this.#config = config;
  }

  /** Whether `withPlaces` gives it. */
  async take(
    key: AccountKey,
    { planHash, rows }: ExportedAccount,
    exported: SourceAccount,
  ): Promise<boolean> {
    if (this.#taken.size === mostNamed || rows?.found === 'same') return false;
    const entry = await this.#journal.find(this.#platform, key);
    if (entry?.planHash === undefined || entry.planHash === planHash) return false;
    this.#taken.set(key.account, { key, exported });
    return true;
  }

  /** Those that were taken. */
  async *withPlaces(opened: Plans): AsyncGenerator<readonly [account: string, SourceAccount]> {
    if (this.#taken.size === 0) return;
    for await (const plan of opened.plansAmong(new Set(this.#taken.keys()))) {
      const { account } = plan.key;
      const taken = this.#taken.get(account);
      if (taken === undefined) continue;
      this.#taken.delete(account);
      const entry = await this.#journal.find(this.#platform, taken.key);
      const changes = entry && changedPlaces(plan, entry, this.#config);
      yield [account, { ...taken.exported, ...definedFields({ changes }) }];
    }
    for (const [account, { exported }] of this.#taken) yield [account, exported];
  }
}

/** An account that may be one of the supplier's: its data does not say. */
function withoutSupplier({ key: { account }, whyStray: why }: ExportedAccount): Problem {
  return definedFields({
    account,
    code: why?.code ?? '',
    path: why?.path ?? '',
    detail:
      `The data of account ${account} names no import supplier, so that it is not compared. ${why?.detail ?? ''}`.trimEnd(),
    severity: 'error' as const,
    cell: why?.cell,
  });
}

function exportedAs({ planHash, money, rows }: ExportedAccount): SourceAccount {
  return { planHash, money, ...(rows?.found === 'same' ? { isSame: true as const } : {}) };
}

function total(accounts: Readonly<Record<string, number>>): number {
  return Object.values(accounts).reduce((sum, count) => sum + count, 0);
}

/**
 * Starts a job, and returns the function that advances it by one, up to its total: the platform may list more than
 * the journal has.
 */
function progressUpTo(printer: Printer, most: number, what: string): () => void {
  printer.progress.begin(most, what);
  let done = 0;
  return () => {
    if (done >= most) return;
    done += 1;
    printer.progress.advance(1);
  };
}

function listener(printer: Printer, advance: () => void): ReconcileListener {
  return {
    compared: ({ entry }) => {
      // The total is the journal's; accounts of the other sides are not part of it.
      if (entry !== undefined) advance();
    },
    difference: (account, difference) =>
      printer.line(differenceRecord(account, difference), differenceLine(account, difference)),
    unreadable: (problem) => printer.line(unreadableRecord(problem), unreadableLine(problem)),
    notCounted: (read) => printer.line(notCountedRecord(read), notCountedLine(read)),
    absent: (account) => printer.line(absentRecord(account)),
    dateMoved: (account, place) => printer.line(dateMovedRecord(account, place)),
  };
}
