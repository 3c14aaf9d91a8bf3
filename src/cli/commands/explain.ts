import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plans } from '../../run/reading/plans.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { extraStepNames } from '../../domain/steps.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import type { ExplainedRequest } from '../../report/explain-page.ts';
import { problemRecord } from '../../report/json-records.ts';
import type { Page } from '../../report/terminal.ts';
import type { AnyCommand } from '../commander.ts';
import {
  contractOption,
  delimiterOption,
  encodingOption,
  snapshotOption,
  strictContractOption,
  wholeNumber,
  withOption,
} from '../options.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('explain')
    .description("Show one account's payloads, each value with the cell it came from")
    .example(
      'migrate explain ./export EXT-000042 --mapping mapping.yaml',
      'migrate explain ./export --mapping mapping.yaml --diff old-mapping.yaml',
      'migrate explain ./export EXT-000042 --earlier ./export-of-yesterday',
    )
    .argument(
      '[export]',
      'Export directory, .zip archive, one file, s3:// address, or - for a table on standard input; not needed if the mapping names a database',
    )
    .argument('[account]', 'External account number; with --diff or --earlier, the only one to compare')
    .addOption(withOption)
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(snapshotOption)
    .addOption(encodingOption)
    .addOption(delimiterOption)
    .addOption(contractOption)
    .addOption(strictContractOption)
    .option('--supplier <code>', 'Import supplier of accounts whose data gives none')
    .option('--diff <file>', 'Compare the payloads with those of this other mapping')
    .option('--earlier <export>', 'Compare the payloads with those of this earlier export')
    .option(
      '--limit <n>',
      'With --diff or --earlier: compare this many accounts; default: 1000',
      wholeNumber(1),
    );

type Flags = FlagsOf<typeof usage>;

export function explainCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (first, second, flags, command) => {
    if (flags.diff !== undefined || flags.earlier !== undefined) {
      const { explainDiff } = await import('../explain-diff.ts');
      ended(await explainDiff(shell, first, second, flags));
      return;
    }
    if (first === undefined) return command.error('error: Name an export and an account.');
    if (second === undefined && (first === '-' || existsSync(resolve(shell.cwd, first))))
      command.error(
        'error: Name an account, another mapping with --diff, or an earlier export with --earlier.',
      );
    // The account comes last; it is the only argument if the mapping names a database.
    const [path, account] = second === undefined ? [undefined, first] : [first, second];
    ended(await explain(shell, path, account, flags));
  });
}

/** `migrate explain`: shows one account's payloads, each value with the cell that it came from. */
async function explain(
  shell: Shell,
  named: string | undefined,
  account: string,
  flags: Flags,
): Promise<ExitCode> {
  const { preflight } = await import('../../pipeline/check/preflight.ts');
  const { explainSummary, explainText, valueRecords } = await import('../../report/explain-page.ts');
  const { ProblemTally } = await import('../../report/problem-tally.ts');
  const { RowCache } = await import('../../source/row-cache.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  const { placeExport } = await import('../../run/reading/place-export.ts');
  const { openPlansWith } = await import('../../run/reading/open-plans-with.ts');
  const { effectiveRules } = await import('../../run/effective-rules.ts');
  const { usingExport } = await import('../using-export.ts');
  const { sinceSent } = await import('../since-sent.ts');
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
