import type { Config } from '../../config/load-config.ts';
import type { RuleContext } from '../../contract/rules/rule.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { Problem } from '../../domain/problem.ts';
import { preflight } from '../../pipeline/preflight.ts';
import { problemRecord } from '../../report/json-records.ts';
import type { Printer } from '../../report/printer.ts';
import { validateSummary, validateText } from '../../report/validate-summary.ts';
import type { CommonFlags } from '../common-flags.ts';
import { startComparison } from '../../wiring/compare-accounts.ts';
import { conclude } from '../conclude.ts';
import { noneTaken } from '../../wiring/none-taken.ts';
import { openPlans } from '../../wiring/open-plans.ts';
import { ProblemOutlet } from '../../wiring/problem-outlet.ts';
import { Rejects } from '../../wiring/rejects.ts';
import { rulesInForce } from '../../wiring/rules-in-force.ts';
import { settingsInForce } from '../settings-in-force.ts';
import type { Shell } from '../shell.ts';

export interface ValidateFlags extends CommonFlags {
  readonly mapping?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly supplier?: string;
  readonly contract?: string;
  readonly documents?: string;
  readonly problems?: string;
  readonly rejects?: string;
}

/** `migrate validate`: every account mapped and checked locally, no request sent. */
export function validateCommand(shell: Shell, path: string, flags: ValidateFlags): Promise<ExitCode> {
  return conclude(shell, 'validate', flags, async (printer) => {
    const config = await settingsInForce(shell, flags);
    const rejects = await Rejects.open(shell, flags.rejects);
    const outlet = new ProblemOutlet(shell, flags.problems, (problem) =>
      printer.line(problemRecord(problem)),
    );
    try {
      const rules = await rulesInForce(shell, config, flags.documents);
      const checked = await check({ shell, printer, path, config, rules, outlet, rejects });
      const { accounts, invalid } = checked;
      const { totals, errors: unlisted } = outlet.complete();
      const errors = [...unlisted, ...checked.errors];
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
      rejects?.close();
    }
  });
}

interface Work {
  readonly shell: Shell;
  readonly printer: Printer;
  readonly path: string;
  readonly config: Config;
  readonly rules: RuleContext;
  readonly outlet: ProblemOutlet;
  readonly rejects: Rejects | undefined;
}

interface Checked {
  readonly accounts: number;
  readonly invalid: number;
  /** What kept the rejects from being written. */
  readonly errors: readonly string[];
}

async function check({ shell, printer, path, config, rules, outlet, rejects }: Work): Promise<Checked> {
  const { supplier } = config;
  const opened = await openPlans(shell, printer, path, config);
  const comparison = startComparison(rules);
  const { across } = comparison;
  let accounts = 0;
  let invalid = 0;
  /** Whether there is an error among an account's problems. */
  const tell = (account: string, problems: readonly Problem[]): boolean => {
    for (const problem of problems) outlet.add(problem);
    const isRefused = problems.some(({ severity }) => severity === 'error');
    if (isRefused) rejects?.add(account, problems);
    return isRefused;
  };
  try {
    for (const fault of opened.faults) outlet.add(fault);
    printer.progress.begin(opened.total, 'account');
    for await (const plan of opened.plans) {
      printer.progress.advance(1);
      if (supplier !== undefined && plan.key.supplier !== supplier) continue;
      accounts += 1;
      if (tell(plan.key.account, preflight(plan, rules))) invalid += 1;
      across.see(plan);
    }
    if (accounts === 0 && opened.total > 0) printer.warn(noneTaken);
    await across.settle((isWanted) => opened.plansOf(isWanted));
    for (const { account, problems, isSound } of across.all())
      if (tell(account, problems) && isSound) invalid += 1;
    return { accounts, invalid, errors: (await rejects?.write(opened)) ?? [] };
  } finally {
    comparison.close();
    opened.close();
  }
}
