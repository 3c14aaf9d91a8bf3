import { compareFirst, startComparison, type AccountsComparison } from '../run/compare-accounts.ts';
import { effectiveRules } from '../run/effective-rules.ts';
import { keptIndexes } from '../run/reading/open-plans.ts';
import { placesOf, openPlansWith } from '../run/reading/open-plans-with.ts';
import { IgnoredRows } from '../run/reading/ignored-rows.ts';
import { journalSpellings, storedSpellings } from '../run/session/journal-spellings.ts';
import { ListedAccounts } from '../run/listed-accounts.ts';
import { importKindOf } from '../run/import-kind.ts';
import { cuttingOf, pipelineSettings } from '../run/pipeline-settings.ts';
import type { RunRequest } from '../run/run-request.ts';
import { sameRows } from './same-rows.ts';
import { accountSettings } from '../run/threads/account-settings.ts';
import { sharedValues } from '../run/threads/check-account.ts';
import { eachAccount, threadsOf } from '../run/threads/each-account.ts';
import { aheadPlan, plannedAccount, type PlannedAccount } from '../run/threads/planned-account.ts';
import { MetSuppliers, noneTaken } from '../run/unknown-supplier.ts';
import { refuseUnreadable } from '../run/reading/unreadable-rows.ts';
import { exportPlace } from '../run/reading/export-place.ts';
import type { Fix } from '../domain/fix.ts';
import { stepNames } from '../domain/steps.ts';
import type { BookEntry } from '../journal/journal.ts';
import type { AccountPlan } from '../mapping/plan.ts';
import { planMigration, type ForecastAccount } from '../pipeline/run/plan-migration.ts';
import { readAddedSteps } from '../run/reading/read-items.ts';
import { planItems } from './plan-items.ts';
import { StopControl } from '../pipeline/run/stop-control.ts';
import { PlanTally, type PlanView } from '../report/plan-table.ts';
import type { Printer } from '../report/printer.ts';
import { openRecorded } from './open-to-read.ts';
import { platformAhead } from './recorded-suppliers.ts';
import type { Shell } from './shell.ts';

/** What is planned: the options of a run. */
type PlanRequest = Omit<RunRequest, 'hours'>;

export interface PlanParties {
  /** Called first, with the platform's address, or 'embedded'. */
  readonly platform: (label: string) => void;
  /** Called with each account that a run would take, in the order of the export. */
  readonly account: (planned: ForecastAccount) => void | Promise<void>;
  /** Called with accounts that a run read from the export and that it no longer contains. */
  readonly absent?: (account: BookEntry) => void;
}

/** Plans what a run would do now with an export, using only its files and the journal. Throws CannotStart. */
export async function planExport(
  shell: Shell,
  printer: Printer,
  request: PlanRequest,
  { platform: tellPlatform, account: tellAccount, absent: tellAbsent }: PlanParties,
): Promise<PlanView> {
  const { path, config, documents, accounts } = request;
  const rules = await effectiveRules(shell, printer, config, documents);
  const { contract } = rules;
  const spellings = await storedSpellings(journalSpellings(shell, config));
  const plans = await openPlansWith(shell, printer, path, {
    ...config,
    with: request.with,
    refusesNew: request.withNew !== true,
    tenancy: contract,
    kept: keptIndexes(config),
    spellings: spellings?.of,
  });
  const comparison = startComparison(rules);
  try {
    const journal = await openRecorded(shell, config, printer);
    try {
      if (request.skipUnreadable !== true) refuseUnreadable(plans);
      const { platform, label, isEmbedded } = await platformAhead(journal, config);
      tellPlatform(label);
      const { supplier } = config;
      const tally = new PlanTally(stepNames.filter((step) => contract?.offers(step) === false));
      const met = new MetSuppliers(supplier);
      const listed = new ListedAccounts(accounts);
      const ignored = new IgnoredRows(supplier, plans.ignoredRows);
      const place = await exportPlace(shell, request);
      const recorded = journal === undefined || platform === undefined ? undefined : { journal, platform };
      const how = { rules, supplier, accounts, cutting: cuttingOf(config) };
      const { cutting } = how;
      const reading = {
        threads: threadsOf(config),
        settings: accountSettings(shell, config, { documents, accounts, cutting }),
        reporter: printer,
      };
      const here = (plan: AccountPlan) => sharedValues(plan, how);
      await compareFirst(plans, comparison, { ...reading, here, stop: new StopControl() });
      printer.progress.begin(plans.total, 'account');
      const found = eachAccount(
        plans.partsOf(() => true),
        {
          ...reading,
          job: 'plan',
          here: (plan) => plannedAccount(plan, how),
          recognise:
            recorded === undefined || comparison.across.refuses
              ? undefined
              : await sameRows(request, { ...recorded, place }),
        },
      );
      const faults = plans.faults.filter(({ severity }) => severity === 'error').length;
      const steps = await readAddedSteps(shell, path, config, () => Promise.resolve(contract));
      const { before, needed } = await planItems(steps, recorded);
      for await (const planned of planMigration({
        plans: aheadPlans(listed.met(met.meeting(ignored.counting(found))), comparison),
        place,
        fixes: placesOf(shell, request.with),
        faults,
        absent: (account) => {
          tally.addAbsent(account);
          tellAbsent?.(account);
        },
        settings: pipelineSettings(request, { team: '', isEmbedded, importKind: await importKindOf(config) }),
        recorded,
        needed,
        supplier,
        accounts,
      })) {
        tally.add(planned);
        printer.progress.advance(1);
        await tellAccount(planned);
      }
      met.refuseOthersAlone();
      if (tally.total === 0 && plans.total > 0) printer.warn(noneTaken);
      for (const warning of listed.warnings('the export')) printer.warn(warning);
      return {
        platformLabel: label,
        tally,
        ignoredRows: ignored.count,
        faults,
        supplier,
        before,
      };
    } finally {
      await journal?.close();
    }
  } finally {
    comparison.close();
    plans.close();
    spellings?.close();
  }
}

async function* aheadPlans(
  planned: AsyncIterable<PlannedAccount & { readonly fix?: Fix }>,
  { across }: AccountsComparison,
): AsyncGenerator<ReturnType<typeof aheadPlan>> {
  for await (const one of planned) yield aheadPlan(one, across.of(one.key.account));
}
