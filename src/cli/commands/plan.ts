import { resolve } from 'node:path';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { stepNames, type StepName } from '../../domain/steps.ts';
import { planMigration } from '../../pipeline/plan-migration.ts';
import { StopControl } from '../../pipeline/stop-control.ts';
import { absentRecord, planRecord, planSummary, PlanTally, planText } from '../../report/plan-table.ts';
import { accountList } from '../account-list.ts';
import type { CommonFlags } from '../usage.ts';
import { comparedPlans, startComparison } from '../../app/compare-accounts.ts';
import { conclude } from '../conclude.ts';
import { IgnoredRows } from '../../app/ignored-rows.ts';
import { ListedAccounts } from '../../app/listed-accounts.ts';
import { MetSuppliers, noneTaken } from '../../app/unknown-supplier.ts';
import { placesOf } from '../../app/fix-places.ts';
import { openPlansWith } from '../../app/open-plans-with.ts';
import { pipelineSettings } from '../../app/pipeline-settings.ts';
import { platformAhead } from '../recorded-platform.ts';
import { openRecorded } from '../open-recorded.ts';
import { effectiveRules } from '../../app/effective-rules.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';
import { limitHeap } from '../heap-limits.ts';
import { refuseUnreadable } from '../../app/unreadable-rows.ts';

export interface PlanFlags extends CommonFlags {
  readonly with?: readonly string[];
  readonly mapping?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly supplier?: string;
  readonly accounts?: string;
  readonly steps?: ReadonlySet<StepName>;
  readonly adopt?: boolean;
  readonly skipUnreadable?: boolean;
  readonly contract?: readonly string[];
  readonly strictContract?: boolean;
  readonly documents?: string;
}

/** `migrate plan`: shows what `run` would do now, from the files and the journal alone. */
export function planCommand(shell: Shell, path: string, flags: PlanFlags): Promise<ExitCode> {
  limitHeap();
  return conclude(shell, 'plan', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const accounts = flags.accounts === undefined ? undefined : await accountList(shell, flags.accounts);
    const rules = await effectiveRules(shell, printer, config, flags.documents);
    const plans = await openPlansWith(shell, printer, path, {
      ...config,
      with: flags.with,
      tenancy: rules.contract,
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
        settings: pipelineSettings(config, { team: '', isEmbedded }, flags),
        rules,
        ...(journal === undefined || platform === undefined ? {} : { recorded: { journal, platform } }),
        ...(supplier === undefined ? {} : { supplier }),
        ...(accounts === undefined ? {} : { accounts }),
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
        ...(supplier === undefined ? {} : { supplier }),
      };
      return { exit: exitCodes.done, summary: planSummary(view), text: (page) => planText(page, view) };
    } finally {
      await journal?.close();
      comparison.close();
      plans.close();
    }
  });
}
