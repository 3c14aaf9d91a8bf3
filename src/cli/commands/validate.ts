import type { Config } from '../../config/load-config.ts';
import { defaultRuleContext } from '../../contract/preflight.ts';
import { utcDate } from '../../domain/clock.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { Problem } from '../../domain/problem.ts';
import { preflight } from '../../pipeline/preflight.ts';
import type { Printer } from '../../report/printer.ts';
import { validateSummary, validateText } from '../../report/validate-summary.ts';
import type { CommonFlags } from '../common-flags.ts';
import { startComparison } from '../compare-accounts.ts';
import { conclude } from '../conclude.ts';
import { openPlans } from '../open-plans.ts';
import { ProblemOutlet } from '../problem-outlet.ts';
import { ruleLevels } from '../rule-levels.ts';
import { settingsInForce } from '../settings-in-force.ts';
import type { Shell } from '../shell.ts';

export interface ValidateFlags extends CommonFlags {
  readonly mapping?: string;
  readonly supplier?: string;
  readonly problems?: string;
}

/** `migrate validate`: every account mapped and checked locally, no request sent. */
export function validateCommand(shell: Shell, path: string, flags: ValidateFlags): Promise<ExitCode> {
  return conclude(shell, 'validate', flags, async (printer) => {
    const config = await settingsInForce(shell, flags);
    const outlet = new ProblemOutlet(shell, printer, flags.problems);
    try {
      const { accounts, invalid } = await check(shell, printer, path, config, outlet);
      const { totals, errors } = outlet.complete();
      const view = { accounts, valid: accounts - invalid, problems: totals };
      return {
        exit: exitCodeOf([
          ...(errors.length > 0 ? [exitCodes.usage] : []),
          ...(totals.problems > totals.warnings ? [exitCodes.accountsRejected] : []),
        ]),
        summary: validateSummary(view),
        text: (page) => validateText(page, view),
        errors,
      };
    } finally {
      outlet.close();
    }
  });
}

async function check(
  shell: Shell,
  printer: Printer,
  path: string,
  config: Config,
  outlet: ProblemOutlet,
): Promise<{ readonly accounts: number; readonly invalid: number }> {
  const { supplier } = config;
  const rules = { ...defaultRuleContext(utcDate(shell.clock.now())), levels: ruleLevels(config) };
  const opened = await openPlans(shell, printer, path, config);
  const comparison = startComparison(rules);
  const { across } = comparison;
  let accounts = 0;
  let invalid = 0;
  const tell = (problems: readonly Problem[]): boolean => {
    for (const problem of problems) outlet.add(problem);
    return problems.some(({ severity }) => severity === 'error');
  };
  try {
    for (const fault of opened.faults) outlet.add(fault);
    printer.progress.begin(opened.total, 'account');
    for await (const plan of opened.plans) {
      printer.progress.advance(1);
      if (supplier !== undefined && plan.key.supplier !== supplier) continue;
      accounts += 1;
      if (tell(preflight(plan, rules))) invalid += 1;
      across.see(plan);
    }
    await across.settle((isWanted) => opened.plansOf(isWanted));
    for (const { problems, isSound } of across.all()) if (tell(problems) && isSound) invalid += 1;
  } finally {
    comparison.close();
    opened.close();
  }
  return { accounts, invalid };
}
