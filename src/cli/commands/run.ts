import type { Config } from '../../config/load-config.ts';
import type { RuleContext } from '../../contract/rules/rule.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { StepName } from '../../domain/steps.ts';
import { openJournal } from '../../journal/sqlite/open-journal.ts';
import type { RunEvent } from '../../pipeline/run-events.ts';
import { runMigration, type RunResult } from '../../pipeline/run-migration.ts';
import type { Settings } from '../../pipeline/settings.ts';
import type { StopControl } from '../../pipeline/stop-control.ts';
import { flowNote } from '../../report/flow-note.ts';
import { formatDuration } from '../../report/format.ts';
import { accountRecord, problemRecord } from '../../report/json-records.ts';
import type { CommandResult, Printer } from '../../report/printer.ts';
import { runSummary, runText, type RunView } from '../../report/run-summary.ts';
import { accountList } from '../account-list.ts';
import { CannotStart } from '../../wiring/cannot-start.ts';
import type { CommonFlags } from '../common-flags.ts';
import { comparedPlans, startComparison, tellShared } from '../../wiring/compare-accounts.ts';
import { conclude } from '../conclude.ts';
import { connect, type Connection } from '../../wiring/connect.ts';
import { noneTaken } from '../../wiring/none-taken.ts';
import { openPlans, type Plans } from '../../wiring/open-plans.ts';
import { pipelineSettings } from '../../wiring/pipeline-settings.ts';
import { ProblemOutlet } from '../../wiring/problem-outlet.ts';
import { leaseSettings } from '../../wiring/lease-settings.ts';
import { Rejects } from '../../wiring/rejects.ts';
import { watchRun, type WatchFlags } from '../../wiring/watch-run.ts';
import { runHours } from '../../wiring/run-hours.ts';
import { runStops } from '../../wiring/run-stops.ts';
import { rulesInForce } from '../../wiring/rules-in-force.ts';
import { settingsInForce } from '../settings-in-force.ts';
import type { Shell } from '../shell.ts';
import { isError, stopDetail } from '../../wiring/stop-detail.ts';
import { refuseUnreadable } from '../../wiring/unreadable-rows.ts';

export interface RunFlags extends CommonFlags, WatchFlags {
  readonly dryRun?: boolean;
  readonly mapping?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly supplier?: string;
  readonly accounts?: string;
  readonly steps?: ReadonlySet<StepName>;
  readonly team?: string;
  readonly concurrency?: string;
  readonly until?: string;
  readonly window?: string;
  readonly timeZone?: string;
  readonly rate?: string;
  readonly limit?: number;
  readonly maxFailures?: NonNullable<Settings['maxFailures']>;
  readonly adopt?: boolean;
  readonly skipUnreadable?: boolean;
  readonly yes?: boolean;
  readonly contract?: string;
  readonly documents?: string;
  readonly problems?: string;
  readonly rejects?: string;
}

/** `migrate run`: drives every account that has work left, and can be stopped and run again. */
export function runCommand(shell: Shell, path: string, flags: RunFlags): Promise<ExitCode> {
  return conclude(shell, 'run', flags, async (printer) => {
    const config = await settingsInForce(shell, flags);
    const hours = runHours(config, shell.clock.now());
    if (!hours.isOpen) return nothingDone(hours.detail, flags);
    const accounts = flags.accounts === undefined ? undefined : await accountList(shell, flags.accounts);
    const rejects = await Rejects.open(shell, flags.rejects);
    const outlet = new ProblemOutlet(shell, flags.problems, (problem) =>
      printer.line(problemRecord(problem)),
    );
    const stops = runStops(shell, printer, config, hours);
    const { stop } = stops;
    const work = { shell, printer, config, flags, path, accounts, stop, outlet, rejects };
    try {
      announce(printer, config, flags);
      const rules = await rulesInForce(shell, config, flags.documents);
      const plans = await openPlans(shell, printer, path, { ...config, stop: stop.draining });
      try {
        if (flags.skipUnreadable !== true) refuseUnreadable(plans);
        await askFirst(shell, config, flags);
        return await migrate({ ...work, rules, plans });
      } finally {
        plans.close();
      }
    } finally {
      outlet.close();
      rejects?.close();
      stops.end();
    }
  });
}

/** Outside its hours a run does nothing, which is no fault. */
function nothingDone(detail: string, { supplier, dryRun = false }: RunFlags): CommandResult {
  return {
    exit: exitCodes.stoppedEarly,
    summary: { supplier: supplier ?? null, dryRun, requests: 0, stopped: 'hours', detail },
    text: () => detail,
  };
}

interface Work {
  readonly shell: Shell;
  readonly printer: Printer;
  readonly config: Config;
  readonly flags: RunFlags;
  readonly path: string;
  readonly plans: Plans;
  readonly accounts: ReadonlySet<string> | undefined;
  readonly stop: StopControl;
  readonly rules: RuleContext;
  readonly outlet: ProblemOutlet;
  readonly rejects: Rejects | undefined;
}

async function migrate(work: Work): Promise<CommandResult> {
  const { shell, printer, config, flags, path, plans, accounts, stop, rules, outlet, rejects } = work;
  const journal = openJournal(config.journal, {
    synchronous: config.synchronous,
    create: true,
    checkAfterCrash: true,
  });
  try {
    const connection = await connect(shell, config);
    try {
      const listen = listener(printer, outlet, rejects);
      const watch = await watchRun(shell, printer, config, flags);
      const emit = (event: RunEvent): void => {
        listen(event);
        watch.hear(event);
      };
      for (const problem of plans.faults) outlet.add(problem);
      const { supplier } = config;
      const settings = pipelineSettings(config, connection, flags, rules);
      const comparison = startComparison(settings.rules);
      const result = await runMigration(
        {
          plans: comparedPlans(plans, comparison, { teller: printer, supplier, stop }),
          export: path,
          faults: plans.faults.length,
          platform: connection.platform,
          platformLabel: connection.label,
          settings,
          lease: leaseSettings(shell, config),
          ...(supplier === undefined ? {} : { supplier }),
          ...(accounts === undefined ? {} : { accounts }),
        },
        { client: connection.client, journal, clock: shell.clock, random: shell.random, stop, emit },
      )
        .then(async (ended) => {
          if (ended.stop === undefined) await tellShared(plans, comparison, (problem) => outlet.add(problem));
          return ended;
        })
        .catch(async (error: unknown) => {
          await watch.end(undefined);
          throw error;
        })
        .finally(() => comparison.close());
      await watch.end({ ...result, ...(result.stop === undefined ? {} : { stopped: result.stop.reason }) });
      const unwritten = stop.aborting.aborted ? [] : await rejects?.write(plans);
      if (result.accounts.total === 0 && plans.total > 0 && result.stop === undefined)
        printer.warn(noneTaken);
      return told(result, connection, outlet, flags, unwritten);
    } finally {
      await connection.close();
    }
  } finally {
    await journal.close();
  }
}

function listener(
  printer: Printer,
  outlet: ProblemOutlet,
  rejects: Rejects | undefined,
): (event: RunEvent) => void {
  return (event) => {
    rejects?.hear(event);
    switch (event.type) {
      case 'account':
        printer.progress.advance(event.state);
        // Without a supplier it is in no journal, and so as new as ever.
        if (event.driven || event.supplier === '') printer.line(accountRecord(event));
        return;
      case 'problem':
        outlet.add(event.problem);
        return;
      case 'retry': {
        const wait = `in ${event.waitMs} ms`;
        printer.detail(`Account ${event.account}: ${event.step} is tried again ${wait} (${event.cause}).`);
        return;
      }
      case 'flow':
        printer.progress.note(flowNote(event));
        return;
      case 'outage':
        printer.info(
          `The platform does not answer (${event.cause}). All accounts wait and it is asked now and then, ` +
            `for up to ${formatDuration(event.givesUpInMs)}.`,
        );
        return;
      case 'recovered':
        printer.info(`The platform answers again, after ${formatDuration(event.afterMs)}.`);
        return;
      case 'begun':
      case 'request':
    }
  };
}

function told(
  result: RunResult,
  connection: Connection,
  outlet: ProblemOutlet,
  flags: RunFlags,
  unwritten: readonly string[] = [],
): CommandResult {
  const { total: _total, ...accounts } = result.accounts;
  const { totals, errors: unlisted } = outlet.complete();
  const errors = [...unlisted, ...unwritten];
  const { stop, heldBy } = result;
  const stopped = stop && { reason: stop.reason, detail: stopDetail(stop.reason, stop.detail, heldBy) };
  const [onlySupplier, ...others] = result.suppliers;
  const view: RunView = {
    run: result.run,
    platformLabel: connection.label,
    dryRun: flags.dryRun ?? false,
    accounts,
    wouldImport: result.wouldImport,
    requests: result.requests,
    retries: result.retries,
    durationMs: result.durationMs,
    problems: totals,
    ...(onlySupplier === undefined || others.length > 0 ? {} : { supplier: onlySupplier }),
    ...(stopped === undefined ? {} : { stopped }),
  };
  return {
    exit: exitCodeOf([result.exit, ...(errors.length > 0 ? [exitCodes.usage] : [])]),
    summary: { ...runSummary(view), suppliers: result.suppliers },
    text: (page) => runText(page, view),
    errors: [...errors, ...(stopped !== undefined && isError(stopped.reason) ? [stopped.detail] : [])],
  };
}

/** Says in the first line where the accounts will go. */
function announce(printer: Printer, config: Config, flags: RunFlags): void {
  const dry = flags.dryRun === true ? ', as a dry run' : '';
  printer.info(
    config.baseUrl === undefined
      ? `No platform is configured: this is a rehearsal against the embedded platform${dry}.`
      : `The platform is ${config.baseUrl}${dry}.`,
  );
}

/** A person is asked before accounts are created on a configured platform. */
async function askFirst(shell: Shell, config: Config, flags: RunFlags): Promise<void> {
  if (config.baseUrl === undefined || flags.dryRun === true || flags.yes === true) return;
  if (!shell.interactive)
    throw new CannotStart(
      exitCodes.usage,
      `This creates accounts on ${config.baseUrl}, and there is no terminal to ask. Add --yes, or --dry-run.`,
    );
  if (!(await shell.confirm(`Create accounts on ${config.baseUrl}?`)))
    throw new CannotStart(exitCodes.stoppedEarly, 'Nothing was sent.');
}
