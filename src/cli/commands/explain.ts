import { join } from 'node:path';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { extraStepNames } from '../../domain/steps.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { preflight } from '../../pipeline/preflight.ts';
import {
  explainSummary,
  explainText,
  valueRecords,
  type ExplainedRequest,
} from '../../report/explain-page.ts';
import { problemRecord } from '../../report/json-records.ts';
import { ProblemTally } from '../../report/problem-tally.ts';
import { RowCache } from '../../source/row-cache.ts';
import { CannotStart } from '../../app/cannot-start.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { openPlansWith } from '../../app/open-plans-with.ts';
import { effectiveRules } from '../../app/effective-rules.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';

export interface ExplainFlags extends CommonFlags {
  readonly with?: readonly string[];
  readonly mapping?: string;
  readonly contract?: readonly string[];
  readonly strictContract?: boolean;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly supplier?: string;
}

/** `migrate explain`: shows one account's payloads, each value with the cell that it came from. */
export function explainCommand(
  shell: Shell,
  path: string,
  account: string,
  flags: ExplainFlags,
): Promise<ExitCode> {
  return conclude(shell, 'explain', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const rules = await effectiveRules(shell, printer, config);
    const only = await RowCache.open(join(config.workDirectory, 'explained.json'), account);
    const opened = await openPlansWith(shell, printer, path, {
      ...config,
      only,
      with: flags.with,
      tenancy: rules.contract,
    });
    try {
      const plan = await planOf(opened.plans, account);
      if (plan === undefined)
        throw new CannotStart(
          exitCodes.usage,
          `The export has no account ${account}. Write its number as in the export, with leading zeros.`,
        );
      const tally = new ProblemTally();
      const problems = preflight(plan, rules);
      for (const problem of problems) tally.add(problem);
      const { supplier } = plan.key;
      const { ignoredRows } = plan;
      const view = { account, supplier, requests: requestsOf(plan), problems: tally.totals(), ignoredRows };
      for (const record of valueRecords(view)) printer.line(record);
      for (const problem of problems) printer.line(problemRecord(problem));
      return {
        exit: exitCodes.done,
        summary: explainSummary(view),
        text: (page) => explainText(page, view),
      };
    } finally {
      opened.close();
    }
  });
}

function requestsOf(plan: AccountPlan): ExplainedRequest[] {
  const stage = { step: 'stage' as const, request: 0, payload: plan.payload };
  const extras = extraStepNames.flatMap((step) =>
    plan.extras[step].map((payload, request) => ({ step, request, payload })),
  );
  return [stage, ...extras].map((sent) => ({
    ...sent,
    locate: (path) => plan.locate(sent.step, path, sent.request),
  }));
}

async function planOf(plans: AsyncIterable<AccountPlan>, account: string): Promise<AccountPlan | undefined> {
  for await (const plan of plans) if (plan.key.account === account) return plan;
  return undefined;
}
