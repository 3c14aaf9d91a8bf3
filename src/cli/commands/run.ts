import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RunRequest } from '../../run/run-request.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { outage } from '../../report/advice/unavailability.ts';
import type { Config } from '../../config/load-config.ts';
import { typedOptions } from '../../domain/typed-options.ts';
import { definedFields } from '../../domain/defined-fields.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { RunEvent } from '../../pipeline/run/run-events.ts';
import { itemCounts } from '../../report/added-steps.ts';
import { flowNote } from '../../report/flow-note.ts';
import { counted, formatCount, formatDuration } from '../../report/format.ts';
import { accountRecord, problemRecord } from '../../report/json-records.ts';
import type { CommandResult, Printer } from '../../report/printer.ts';
import type { Page } from '../../report/terminal.ts';
import { limitHeap } from '../heap-limits.ts';
import type { Shell } from '../shell.ts';
import { runSummary, runText } from '../../report/run-summary.ts';
import { placeExport } from '../../run/reading/place-export.ts';
import { runExport } from '../../run/run-export.ts';
import { hoursToRunIn } from '../../run/run-hours.ts';
import { orTell } from '../../run/watch-run.ts';
import { accountList } from '../../run/listed-accounts.ts';
import { conclude } from '../conclude.ts';
import { settingsOrTell } from '../settings-or-tell.ts';
import { untriedSystem } from '../untried-system.ts';
import { placeOf } from '../../run/session/connect.ts';
import { LiveStatus } from '../watch-suppliers.ts';
import { usingExport } from '../using-export.ts';
import { ApprovedPlan } from '../../run/approved-plan.ts';
import { planExport } from '../plan-export.ts';
import { readContract } from '../../run/effective-rules.ts';
import { importKindOf } from '../../run/import-kind.ts';
import type { RunFlags } from '../usages/run.ts';

/** `migrate run`: migrates every account that has work left; can be stopped and run again. */
export async function run(shell: Shell, named: string | undefined, flags: RunFlags): Promise<ExitCode> {
  limitHeap();
  let hasBegun = false;
  let place: object = {};
  const work = async (printer: Printer): Promise<CommandResult> => {
    const unattended = flags.yes === true && !shell.interactive;
    const notBegun = { export: named ?? '', unattended };
    const config = await settingsOrTell(shell, printer, flags, (own) => watched(own, flags), notBegun);
    printer.showTimesIn(config.timeZone);
    place = placeOf(config);
    const { accounts: file, plan, ...choices } = flags;
    const typed = typedOptions(flags);
    const prepared = <T>(work: () => T | Promise<T>): Promise<T> =>
      orTell(shell, printer, config, work, notBegun);
    const { hours, accounts } = await prepared(async () => ({
      hours: hoursToRunIn(config, shell.clock.now()),
      accounts: file === undefined ? undefined : await accountList(shell, file),
    }));
    if (flags.dryRun === true) await prepared(() => requireDryRun(config));
    announce(printer, config, flags);
    const choice = { path: named, snapshot: flags.snapshot, config, purpose: 'run' } as const;
    const placed = await prepared(() => placeExport(shell, printer, choice));
    return usingExport(placed, async () => {
      const request = {
        ...choices,
        path: placed.path,
        name: placed.name,
        config,
        accounts,
        accountsFile: file,
        unattended,
        typed,
      };
      const approved = await prepared(() => approvedPlan(shell, printer, plan, request));
      const beside = new LiveStatus(shell, printer, config);
      const listen = listener(printer);
      const hear = (event: RunEvent): void => {
        if (event.type === 'begun') {
          hasBegun = true;
          if (flags.dryRun !== true) placed.begin();
          beside.begin(event.platform);
        }
        listen(event);
      };
      const ending = await runExport(
        shell,
        { ...request, approved, hours },
        {
          reporter: printer,
          hear,
          approve: (count) => askFirst(shell, config, flags, count),
          approveRehearsal: shell.interactive ? (question) => shell.confirm(question) : undefined,
          workIsOver: () => printer.progress.end(),
        },
      ).finally(() => beside.end());
      if (ending.stopped === undefined && !ending.dryRun && !ending.workLeft) await placed.finish();
      const { exit, errors, problems, requests } = ending;
      const result = {
        exit,
        errors,
        summary: runSummary(ending),
        text: (page: Page) => runText(page, ending, { ...flags, typed, source: named }),
        evenIfQuiet: problems.problems > 0,
      };
      return { result, hasProblems: problems.problems > 0, requests };
    });
  };
  return conclude(shell, 'run', flags, work, (refusal) => notRun(refusal, hasBegun, { ...flags, place }));
}

/** The plan that the run has to follow, if it is what a run would do now. */
async function approvedPlan(
  shell: Shell,
  printer: Printer,
  file: string | undefined,
  request: Omit<RunRequest, 'hours'>,
): Promise<ApprovedPlan | undefined> {
  if (file === undefined) return undefined;
  if (request.dryRun === true)
    throw new CannotStart(
      exitCodes.usage,
      '--plan is for a run that creates accounts. Remove it, or --dry-run.',
    );
  const approved = await ApprovedPlan.open(resolve(shell.cwd, file));
  const comparison = approved.startComparison();
  await planExport(shell, printer, request, {
    platform: (label) => approved.requirePlace(label, request.config.supplier),
    account: (planned) => comparison.add(planned),
  });
  await comparison.finish();
  return approved;
}

/** The configuration with the log and metrics flags. */
function watched(config: Config, { log, logLevel, metricsPort, metricsFile }: RunFlags): Config {
  return {
    ...config,
    log: {
      ...config.log,
      ...definedFields({ file: log, level: logLevel }),
    },
    metrics: {
      ...config.metrics,
      ...definedFields({ port: metricsPort, file: metricsFile }),
    },
  };
}

/** The summary of a run without an end. Nothing was examined, so nothing is known to be done. */
function notRun(
  { reason, lines }: CannotStart,
  hasBegun: boolean,
  { supplier, dryRun, place }: RunFlags & { readonly place: object },
): Partial<CommandResult> {
  if (reason === undefined)
    return { summary: { ...place, stopReason: hasBegun ? 'broke-off' : 'not-begun', workLeft: true } };
  const detail = lines.join(' ');
  return {
    // A start outside the allowed hours is not an error.
    errors: [],
    summary: {
      ...place,
      ...{ supplier: supplier ?? null, dryRun: dryRun === true, requests: 0, stopped: reason, detail },
      ...{ stopReason: reason, workLeft: true },
    },
    text: () => detail,
  };
}

function listener(printer: Printer): (event: RunEvent) => void {
  return (event) => {
    switch (event.type) {
      case 'account':
        // A stopping run gives back the accounts that it has not begun.
        if (event.driven || event.state !== 'pending') printer.progress.advance(event.state);
        // Without a supplier it is in no journal, and so always new.
        if (event.driven || event.supplier === '') printer.line(accountRecord(event));
        return;
      case 'changed':
        printer.line({ type: 'changed', supplier: event.supplier, account: event.account });
        return;
      case 'unchanged':
        printer.progress.pass(event.accounts);
        return;
      case 'book':
        printer.progress.reach(event.passed);
        return;
      case 'restated':
        printer.line(accountRecord(event));
        return;
      case 'problem':
        printer.line(problemRecord(event.problem));
        return;
      case 'retry': {
        const wait = `in ${event.waitMs} ms`;
        printer.detail(`Account ${event.account}: ${event.step} is tried again ${wait} (${event.cause}).`);
        return;
      }
      case 'flow':
        printer.progress.note(flowNote(event, printer.page.timeZone));
        return;
      case 'outage':
        printer.info(
          `${outage(event.cause)} (${event.cause}). All accounts wait, and the run checks it ` +
            (event.givesUpInMs === undefined
              ? 'a few times, because no request has succeeded yet.'
              : `at intervals, for up to ${formatDuration(event.givesUpInMs)}.`),
        );
        return;
      case 'unknown-status':
        printer.detail(`Account ${event.account} has a status that no contract names. The run waits for it.`);
        return;
      case 'items': {
        const { type: _type, step, ...items } = event;
        printer.info(`${step}: ${itemCounts(items) || 'no items'}.`);
        printer.line({ ...event });
        return;
      }
      case 'held':
        printer.warn(
          `The step ${event.step} is held for all accounts: its answers were ${event.looks}, which the interface does not define, and still were when ` +
            'it was tried again, one account at a time.',
        );
        return;
      case 'recovered':
        printer.info(`The platform answers again, after ${formatDuration(event.afterMs)}.`);
        return;
      case 'begun':
      case 'body-limit':
      case 'request':
    }
  };
}

/** Says in the first line where the accounts will go; before it, once, what is not known of this system. */
function announce(printer: Printer, config: Config, flags: RunFlags): void {
  const untried = untriedSystem();
  if (untried !== undefined && !existsSync(config.journal)) printer.info(untried);
  const dry = flags.dryRun === true ? ', as a dry run' : '';
  printer.info(
    config.baseUrl === undefined
      ? `No platform is configured: this is a rehearsal against the embedded platform${dry}.`
      : `The platform is ${config.baseUrl}${dry}.`,
  );
}

/** What is created where, so that a wrong profile, supplier or team is noticed in time. */
function question(config: Config, { limit, accounts: list, adopt }: RunFlags, accounts: number): string {
  const { baseUrl, profile, supplier, team } = config;
  const chosen = [
    ...(limit === undefined ? [] : [`at most ${formatCount(limit)}`]),
    ...(list === undefined ? [] : [`only those in ${list}`]),
  ];
  const facts = [
    ...(profile === undefined ? [] : [`profile ${profile}`]),
    supplier === undefined ? 'the suppliers in the export' : `supplier ${supplier}`,
    ...(team === undefined ? [] : [`team ${team}`]),
    [`export of ${counted(accounts, 'account')}`, ...chosen].join(', '),
  ];
  const doubled =
    adopt === true
      ? ' --adopt also sends what is missing in this journal to accounts that it did not create: agreements, and billing documents without an id, may then be there twice.'
      : '';
  return `Create accounts on ${baseUrl} (${facts.join('; ')})?${doubled}`;
}

/** A platform that does not know `dry_run` might create the accounts of a dry run. */
async function requireDryRun(config: Config): Promise<void> {
  const importKind = await importKindOf(config);
  const contract = await readContract(config, undefined, { checks: false });
  // A task has a dry run of its own.
  if (importKind === 'v2') return;
  const process = contract?.field('process');
  if (process === undefined || process.fields.has('dry_run')) return;
  const files = (config.contract ?? []).join(', ');
  throw new CannotStart(
    exitCodes.usage,
    `The contract ${files} has no dry_run in its process request, so this platform cannot make a dry run. ` +
      'Instead, run without --dry-run and without a baseUrl, against the embedded platform.',
  );
}

/** Asks a person before accounts are created on a configured platform. */
async function askFirst(shell: Shell, config: Config, flags: RunFlags, accounts: number): Promise<void> {
  if (config.baseUrl === undefined || flags.dryRun === true || flags.yes === true) return;
  if (!shell.interactive)
    throw new CannotStart(
      exitCodes.usage,
      `This creates accounts on ${config.baseUrl}, and there is no terminal for a confirmation. Add --yes or --dry-run.`,
    );
  if (!(await shell.confirm(question(config, flags, accounts))))
    throw new CannotStart(exitCodes.stoppedEarly, 'Nothing was sent.');
}
