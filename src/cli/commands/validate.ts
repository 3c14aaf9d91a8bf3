import { defaultRuleContext } from '../../contract/preflight.ts';
import { utcDate } from '../../domain/clock.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { preflight } from '../../pipeline/preflight.ts';
import { ProblemTally } from '../../report/problem-tally.ts';
import { problemRecord } from '../../report/json-records.ts';
import { validateSummary, validateText } from '../../report/validate-summary.ts';
import type { CommonFlags } from '../common-flags.ts';
import { conclude } from '../conclude.ts';
import { openPlans } from '../open-plans.ts';
import { ruleLevels } from '../rule-levels.ts';
import { settingsInForce } from '../settings-in-force.ts';
import type { Shell } from '../shell.ts';

export interface ValidateFlags extends CommonFlags {
  readonly mapping?: string;
  readonly supplier?: string;
}

/** `migrate validate`: every account mapped and checked locally, no request sent. */
export function validateCommand(shell: Shell, path: string, flags: ValidateFlags): Promise<ExitCode> {
  return conclude(shell, 'validate', flags, async (printer) => {
    const config = await settingsInForce(shell, flags);
    const { supplier } = config;
    const rules = { ...defaultRuleContext(utcDate(shell.clock.now())), levels: ruleLevels(config) };
    const tally = new ProblemTally();
    const opened = await openPlans(shell, printer, path, config);
    let accounts = 0;
    let invalid = 0;
    try {
      for (const fault of opened.faults) {
        tally.add(fault);
        printer.line(problemRecord(fault));
      }
      printer.progress.begin(opened.total, 'account');
      for await (const plan of opened.plans) {
        printer.progress.advance(1);
        if (supplier !== undefined && plan.key.supplier !== supplier) continue;
        accounts += 1;
        const problems = preflight(plan, rules);
        for (const problem of problems) {
          tally.add(problem);
          printer.line(problemRecord(problem));
        }
        if (problems.some((problem) => problem.severity === 'error')) invalid += 1;
      }
    } finally {
      opened.close();
    }
    const view = { accounts, valid: accounts - invalid, problems: tally.totals() };
    const errors = tally.totals().problems - tally.totals().warnings;
    return {
      exit: errors > 0 ? exitCodes.accountsRejected : exitCodes.done,
      summary: validateSummary(view),
      text: (page) => validateText(page, view),
    };
  });
}
