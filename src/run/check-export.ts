import { definedFields } from '../domain/defined-fields.ts';
import { exitCodeOf, exitCodes } from '../domain/exit-codes.ts';
import type { Problem } from '../domain/problem.ts';
import type { CheckEnding } from '../report/ending.ts';
import { startComparison } from './compare-accounts.ts';
import { MetSuppliers, noneTaken } from './unknown-supplier.ts';
import { IgnoredRows } from './reading/ignored-rows.ts';
import { readAddedSteps } from './reading/read-items.ts';
import { wouldRefuse } from './reading/unreadable-rows.ts';
import { guardOutputs } from './session/output-files.ts';
import { outputKinds } from './session/output-kinds.ts';
import { keptIndexes } from './reading/open-plans.ts';
import { openPlansWith } from './reading/open-plans-with.ts';
import { cuttingOf } from './pipeline-settings.ts';
import { ProblemSink } from './reading/problem-sink.ts';
import type { ExportRequest } from './run-request.ts';
import { Rejects } from './rejects.ts';
import { RemoteCheck } from './remote-check.ts';
import { effectiveRules } from './effective-rules.ts';
import { accountSettings } from './threads/account-settings.ts';
import { checkAccount } from './threads/check-account.ts';
import { eachAccount, oneThread, threadsOf } from './threads/each-account.ts';
import type { Environment, Reporter } from '../host/environment.ts';

/** What is checked. */
export interface CheckRequest extends ExportRequest {
  /** Also ask the platform about each account that passes the local checks. */
  readonly remote?: boolean | undefined;
}

/**
 * Maps every account of an export and checks it, without a request unless `remote` is set: the work of
 * `migrate validate`. Calls `tell` with every problem. Throws CannotStart if the export cannot be read.
 */
export async function checkExport(
  environment: Environment,
  request: CheckRequest,
  { reporter, tell }: { readonly reporter: Reporter; readonly tell: (problem: Problem) => void },
): Promise<CheckEnding> {
  const { config, path, documents, problems } = request;
  await guardOutputs(
    environment,
    config,
    [
      { name: '--problems', path: problems, kind: outputKinds.problems },
      { name: '--rejects', path: request.rejects },
    ],
    { inputs: { export: path, with: request.with, documents }, force: request.force },
  );
  const rejects = await Rejects.open(environment, request);
  const outlet = new ProblemSink(environment, request, tell);
  try {
    const checked = await check(environment, request, { reporter, outlet, rejects });
    const { accounts, invalid, heldBack, ignoredRows, requests } = checked;
    const { totals, errors: unlisted } = outlet.complete();
    const errors = [...unlisted, ...checked.errors];
    return definedFields({
      accounts,
      valid: accounts - invalid,
      ignoredRows,
      problems: totals,
      requests,
      heldBack,
      rejectedRows: checked.errors.length === 0 ? rejects?.accounts : undefined,
      exit: exitCodeOf([
        ...(errors.length > 0 ? [exitCodes.usage] : []),
        ...(totals.problems > totals.warnings ? [exitCodes.accountsRejected] : []),
      ]),
      errors,
    });
  } finally {
    outlet.close();
    rejects?.close();
  }
}

interface Checked {
  readonly accounts: number;
  readonly invalid: number;
  readonly heldBack: string | undefined;
  readonly ignoredRows: number;
  /** Requests to the platform; absent if it was not asked. */
  readonly requests: number | undefined;
  /** Why the rejects could not be written. */
  readonly errors: readonly string[];
}

async function check(
  environment: Environment,
  { config, path, with: fixes, withNew, documents, remote: isRemote = false }: CheckRequest,
  {
    reporter,
    outlet,
    rejects,
  }: { readonly reporter: Reporter; readonly outlet: ProblemSink; readonly rejects: Rejects | undefined },
): Promise<Checked> {
  const { supplier } = config;
  const cutting = cuttingOf(config);
  const rules = await effectiveRules(environment, reporter, config, documents);
  const opened = await openPlansWith(environment, reporter, path, {
    ...config,
    with: fixes,
    refusesNew: withNew !== true,
    tenancy: rules.contract,
    kept: keptIndexes(config),
  });
  rejects?.expect(opened);
  const comparison = startComparison(rules);
  const { across } = comparison;
  const met = new MetSuppliers(supplier);
  let accounts = 0;
  let invalid = 0;
  const ignored = new IgnoredRows(supplier, opened.ignoredRows);
  /** Accounts that the platform refuses: only kept where they may be refused a second time. */
  const refusedThere = new Set<string>();
  let remote: RemoteCheck | undefined;
  /** Whether there is an error among an account's problems. */
  const told = (account: string, problems: readonly Problem[]): boolean => {
    for (const problem of problems) outlet.add(problem);
    const isRefused = problems.some(({ severity }) => severity === 'error');
    if (isRefused) rejects?.add(account, problems);
    return isRefused;
  };
  try {
    for (const fault of opened.faults) outlet.add(fault);
    for (const { faults, items } of await readAddedSteps(environment, path, config, () =>
      Promise.resolve(rules.contract),
    )) {
      for (const fault of faults) outlet.add(fault);
      for await (const { problems } of items()) problems.forEach((problem) => outlet.add(problem));
    }
    if (isRemote) remote = await RemoteCheck.open(environment, config);
    reporter.progress.begin(opened.total, 'account');
    const { bytesPerRequest } = config;
    const how = { rules, supplier, cutting, bytesPerRequest };
    const checked = eachAccount(
      opened.partsOf(() => true),
      {
        job: 'check',
        here: (plan) => checkAccount(plan, how),
        // The platform is asked about plans, which are in this thread.
        threads: isRemote ? oneThread : threadsOf(config),
        settings: accountSettings(environment, config, { documents, cutting }),
        reporter,
      },
    );
    for await (const { key, problems, values, plan } of ignored.counting(checked)) {
      reporter.progress.advance(1);
      met.meet(key.supplier);
      if (supplier !== undefined && key.supplier !== supplier) continue;
      accounts += 1;
      const { account } = key;
      if (told(account, problems)) invalid += 1;
      else if (remote !== undefined && plan !== undefined)
        await remote.check(plan, (problems) => {
          if (!told(account, problems)) return;
          invalid += 1;
          if (across.refuses) refusedThere.add(account);
        });
      across.add(account, values);
    }
    await remote?.finish();
    met.refuseOthersAlone();
    if (accounts === 0 && opened.total > 0) reporter.warn(noneTaken);
    await across.settle((isWanted) => opened.plansOf(isWanted));
    for (const { account, problems, isSound } of across.all())
      if (told(account, problems) && isSound && !refusedThere.has(account)) invalid += 1;
    return {
      accounts,
      invalid,
      ignoredRows: ignored.count,
      requests: remote?.requests,
      heldBack: wouldRefuse(opened),
      errors: (await rejects?.write(opened, reporter)) ?? [],
    };
  } finally {
    await remote?.close();
    comparison.close();
    opened.close();
  }
}
