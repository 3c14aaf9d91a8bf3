import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AnyCommand } from '../commander.ts';
import type { Plans } from '../../run/reading/plans.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { extraStepNames } from '../../domain/steps.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import type { ExplainedRequest } from '../../report/explain-page.ts';
import { problemRecord } from '../../report/json-records.ts';
import type { Page } from '../../report/terminal.ts';
import type { Shell } from '../shell.ts';
import { preflight } from '../../pipeline/check/preflight.ts';
import { explainSummary, explainText, valueRecords } from '../../report/explain-page.ts';
import { ProblemTally } from '../../report/problem-tally.ts';
import { RowCache } from '../../source/row-cache.ts';
import { conclude, resolveSettings } from '../conclude.ts';
import { keptIndexes } from '../../run/reading/open-plans.ts';
import { placeExport } from '../../run/reading/place-export.ts';
import { openPlansWith } from '../../run/reading/open-plans-with.ts';
import { effectiveRules } from '../../run/effective-rules.ts';
import { usingExport } from '../using-export.ts';
import { sinceSent } from '../since-sent.ts';
import type { ExplainFlags } from '../usages/explain.ts';

/** `migrate explain`: shows one account's payloads, or what a mapping or an export changes of all. */
export async function explain(
  shell: Shell,
  first: string | undefined,
  second: string | undefined,
  flags: ExplainFlags,
  command: AnyCommand,
): Promise<ExitCode> {
  if (flags.diff !== undefined || flags.earlier !== undefined) {
    const { explainDiff } = await import('../explain-diff.ts');
    return explainDiff(shell, first, second, flags);
  }
  if (first === undefined) return command.error('error: Name an export and an account.');
  if (second === undefined && (first === '-' || existsSync(resolve(shell.cwd, first))))
    command.error(
      'error: Name an account, another mapping with --diff, or an earlier export with --earlier.',
    );
  // The account comes last; it is the only argument if the mapping names a database.
  const [path, account] = second === undefined ? [undefined, first] : [first, second];
  return explainOne(shell, path, account, flags);
}

/** One account's payloads, each value with the cell that it came from. */
async function explainOne(
  shell: Shell,
  named: string | undefined,
  account: string,
  flags: ExplainFlags,
): Promise<ExitCode> {
  return conclude(shell, 'explain', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const rules = await effectiveRules(shell, printer, config);
    const only = await RowCache.open(join(config.workDirectory, 'explained.json'), account);
    const { snapshot } = flags;
    const choice = { path: named, snapshot, config, purpose: 'read' } as const;
    const placed = await placeExport(shell, printer, choice);
    return usingExport(placed, async () => {
      let opened: Plans | undefined;
      try {
        opened = await openPlansWith(shell, printer, placed.path, {
          ...config,
          only,
          kept: keptIndexes(config),
          with: flags.with,
          tenancy: rules.contract,
        });
        const plan = await planOf(opened.plans, account);
        if (plan === undefined)
          throw new CannotStart(
            exitCodes.usage,
            only.isIgnored
              ? `The mapping leaves out the account ${account} (ignore).`
              : only.alike === undefined
                ? `The export has no account ${account}. Write its number as in the export, with leading zeros.`
                : `The export has no account ${account}. Did you mean ${only.alike}?`,
          );
        const tally = new ProblemTally();
        const problems = preflight(plan, rules);
        for (const problem of problems) tally.add(problem);
        const { supplier } = plan.key;
        const { ignoredRows } = plan;
        const since = await sinceSent({ shell, printer, config }, plan);
        const requests = requestsOf(plan);
        const view = { account, supplier, requests, problems: tally.totals(), ignoredRows, since };
        for (const record of valueRecords(view)) printer.line(record);
        for (const problem of problems) printer.line(problemRecord(problem));
        const result = {
          exit: exitCodes.done,
          summary: explainSummary(view),
          text: (page: Page) => explainText(page, view),
          evenIfQuiet: true,
        };
        return { result, hasProblems: problems.length > 0 };
      } finally {
        opened?.close();
      }
    });
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
