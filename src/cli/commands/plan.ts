import { resolve } from 'node:path';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { stepNames } from '../../domain/steps.ts';
import type { AnyCommand } from '../commander.ts';
import { limitHeap } from '../heap-limits.ts';
import {
  contractOption,
  delimiterOption,
  encodingOption,
  stepList,
  snapshotOption,
  strictContractOption,
  withOption,
} from '../options.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('plan')
    .description('Show what run would do now with every account of an export; send no request')
    .example('migrate plan ./export', 'migrate plan ./export --json --steps stage')
    .argument('[export]', 'Export directory, or one file; not needed if the mapping names a database')
    .addOption(withOption)
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(snapshotOption)
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .option('--supplier <code>', 'Only this import supplier, also for accounts whose data gives none')
    .option('--accounts <file>', 'Only the external account numbers in this file, one per line')
    .option('--steps <list>', 'Only these steps, separated by commas', stepList)
    .option('--adopt', 'As if accounts that the platform has, and this journal did not create, were adopted')
    .option('--skip-unreadable', 'Plan even if rows could not be read and may belong to any account')
    .addOption(contractOption)
    .addOption(strictContractOption)
    .option('--documents <dir>', 'Look up every document path in this directory');

type Flags = FlagsOf<typeof usage>;

export function planCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (path, flags) => ended(await plan(shell, path, flags)));
}

/** `migrate plan`: shows what `run` would do now, from the files and the journal alone. */
async function plan(shell: Shell, named: string | undefined, flags: Flags): Promise<ExitCode> {
  const { planMigration } = await import('../../pipeline/plan-migration.ts');
  const { StopControl } = await import('../../pipeline/stop-control.ts');
  const { absentRecord, planRecord, planSummary, PlanTally, planText } =
    await import('../../report/plan-table.ts');
  const { accountList } = await import('../account-list.ts');
  const { comparedPlans, startComparison } = await import('../../app/compare-accounts.ts');
  const { conclude } = await import('../conclude.ts');
  const { IgnoredRows } = await import('../../app/ignored-rows.ts');
  const { ListedAccounts } = await import('../../app/listed-accounts.ts');
  const { MetSuppliers, noneTaken } = await import('../../app/unknown-supplier.ts');
  const { placesOf } = await import('../../app/fix-places.ts');
  const { placeExport } = await import('../../app/place-export.ts');
  const { openPlansWith } = await import('../../app/open-plans-with.ts');
  const { pipelineSettings } = await import('../../app/pipeline-settings.ts');
  const { platformAhead } = await import('../recorded-suppliers.ts');
  const { openRecorded } = await import('../open-to-read.ts');
  const { effectiveRules } = await import('../../app/effective-rules.ts');
  const { resolveSettings } = await import('../resolve-settings.ts');
  const { refuseUnreadable } = await import('../../app/unreadable-rows.ts');
  limitHeap();
  return conclude(shell, 'plan', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const accounts = flags.accounts === undefined ? undefined : await accountList(shell, flags.accounts);
    const rules = await effectiveRules(shell, printer, config, flags.documents);
    const { snapshot } = flags;
    const choice = { path: named, snapshot, config, purpose: 'read' } as const;
    const placed = await placeExport(shell, printer, choice);
    const { path } = placed;
    const plans = await openPlansWith(shell, printer, path, {
      ...config,
      with: flags.with,
      tenancy: rules.contract,
    }).catch(async (error: unknown) => {
      await placed.close();
      throw error;
    });
    const comparison = startComparison(rules);
    const journal = await openRecorded(shell, config, printer);
    try {
      if (flags.skipUnreadable !== true) refuseUnreadable(plans);
      const { platform, label, isEmbedded } = await platformAhead(journal, config);
      const { supplier } = config;
      const { contract } = rules;
      const tally = new PlanTally(stepNames.filter((step) => contract?.offers(step) === false));
      const met = new MetSuppliers(supplier);
      const listed = new ListedAccounts(accounts);
      const ignored = new IgnoredRows(supplier);
      const compared = ignored.counting(
        comparedPlans(plans, comparison, { reporter: printer, supplier, stop: new StopControl() }),
      );
      for await (const planned of planMigration({
        plans: listed.met(met.meeting(compared)),
        place: resolve(shell.cwd, path),
        fixes: placesOf(shell, flags.with),
        faults: plans.faults.length,
        absent: (account) => {
          tally.addAbsent(account);
          printer.line(absentRecord(account));
        },
        settings: pipelineSettings({ ...flags, accounts, config }, { team: '', isEmbedded }),
        rules,
        ...(journal === undefined || platform === undefined ? {} : { recorded: { journal, platform } }),
        supplier,
        accounts,
      })) {
        tally.add(planned);
        printer.progress.advance(1);
        printer.line(planRecord(planned));
      }
      met.refuseOthersAlone();
      if (tally.total === 0 && plans.total > 0) printer.warn(noneTaken);
      for (const warning of listed.warnings('the export')) printer.warn(warning);
      const view = {
        platformLabel: label,
        tally,
        ignoredRows: ignored.count,
        supplier,
      };
      return { exit: exitCodes.done, summary: planSummary(view), text: (page) => planText(page, view) };
    } finally {
      await journal?.close();
      comparison.close();
      plans.close();
      await placed.close();
    }
  });
}
