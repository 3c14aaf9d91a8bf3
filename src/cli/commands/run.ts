import type { Config } from '../../config/load-config.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { StepName } from '../../domain/steps.ts';
import type { RunEvent } from '../../pipeline/run-events.ts';
import type { Settings } from '../../pipeline/settings.ts';
import { flowNote } from '../../report/flow-note.ts';
import { counted, formatCount, formatDuration } from '../../report/format.ts';
import { accountRecord, problemRecord } from '../../report/json-records.ts';
import type { CommandResult, Printer } from '../../report/printer.ts';
import { runSummary, runText } from '../../report/run-summary.ts';
import { CannotStart } from '../../app/cannot-start.ts';
import { runExport } from '../../app/run-export.ts';
import { hoursToRunIn } from '../../app/run-hours.ts';
import { orTell } from '../../app/watch-run.ts';
import { accountList } from '../account-list.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { LiveStatus } from '../live-status.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';
import { limitHeap } from '../heap-limits.ts';

export interface RunFlags extends CommonFlags {
  readonly with?: readonly string[];
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
  readonly checksum?: boolean;
  readonly skipUnreadable?: boolean;
  readonly yes?: boolean;
  readonly contract?: readonly string[];
  readonly strictContract?: boolean;
  readonly documents?: string;
  readonly problems?: string;
  readonly rejects?: string;
  readonly values?: boolean;
  readonly force?: boolean;
  readonly log?: string;
  readonly logLevel?: Config['log']['level'];
  readonly metricsPort?: number;
  readonly metricsFile?: string;
}

/** `migrate run`: migrates every account that has work left; can be stopped and run again. */
export function runCommand(shell: Shell, path: string, flags: RunFlags): Promise<ExitCode> {
  limitHeap();
  let hasBegun = false;
  const work = async (printer: Printer): Promise<CommandResult> => {
    const config = watched(await resolveSettings(shell, flags), flags);
    const { accounts: file, ...choices } = flags;
    const { hours, accounts } = await orTell(shell, printer, config, async () => ({
      hours: hoursToRunIn(config, shell.clock.now()),
      accounts: file === undefined ? undefined : await accountList(shell, file),
    }));
    announce(printer, config, flags);
    const beside = new LiveStatus(shell, printer, config);
    const listen = listener(printer);
    const hear = (event: RunEvent): void => {
      if (event.type === 'begun') {
        hasBegun = true;
        beside.begin(event.platform);
      }
      listen(event);
    };
    const ending = await runExport(
      shell,
      {
        ...choices,
        path,
        config,
        hours,
        ...(accounts === undefined || file === undefined ? {} : { accounts, accountsFile: file }),
      },
      { reporter: printer, hear, approve: (count) => askFirst(shell, config, flags, count) },
    ).finally(() => beside.end());
    const { exit, errors } = ending;
    return {
      exit,
      errors,
      summary: runSummary(ending),
      text: (page) => runText(page, ending, flags),
    };
  };
  return conclude(shell, 'run', flags, work, (refusal) => notRun(refusal, hasBegun, flags));
}

/** The configuration with the log and metrics flags. */
function watched(config: Config, { log, logLevel, metricsPort, metricsFile }: RunFlags): Config {
  return {
    ...config,
    log: {
      ...config.log,
      ...(log === undefined ? {} : { file: log }),
      ...(logLevel === undefined ? {} : { level: logLevel }),
    },
    metrics: {
      ...config.metrics,
      ...(metricsPort === undefined ? {} : { port: metricsPort }),
      ...(metricsFile === undefined ? {} : { file: metricsFile }),
    },
  };
}

/** The summary of a run without an end. Nothing was examined, so nothing is known to be done. */
function notRun(
  { reason, lines }: CannotStart,
  hasBegun: boolean,
  { supplier, dryRun = false }: RunFlags,
): Partial<CommandResult> {
  if (reason === undefined)
    return { summary: { stopReason: hasBegun ? 'broke-off' : 'not-begun', workLeft: true } };
  const detail = lines.join(' ');
  return {
    // A start outside the allowed hours is not an error.
    errors: [],
    summary: {
      ...{ supplier: supplier ?? null, dryRun, requests: 0, stopped: reason, detail },
      ...{ stopReason: reason, workLeft: true },
    },
    text: () => detail,
  };
}

function listener(printer: Printer): (event: RunEvent) => void {
  return (event) => {
    switch (event.type) {
      case 'account':
        printer.progress.advance(event.state);
        // Without a supplier it is in no journal, and so always new.
        if (event.driven || event.supplier === '') printer.line(accountRecord(event));
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
        printer.progress.note(flowNote(event));
        return;
      case 'outage':
        printer.info(
          `${event.cause === 'proxy_unreachable' ? 'The proxy' : 'The platform'} does not answer (${event.cause}). All accounts wait, and the run asks it ` +
            (event.givesUpInMs === undefined
              ? 'a few times, because it has not answered yet.'
              : `at intervals, for up to ${formatDuration(event.givesUpInMs)}.`),
        );
        return;
      case 'held':
        printer.warn(
          `The step ${event.step} is held for all accounts: five answers in a row were ${event.looks}, which is not an answer ` +
            'of the interface.',
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

/** Says in the first line where the accounts will go. */
function announce(printer: Printer, config: Config, flags: RunFlags): void {
  const dry = flags.dryRun === true ? ', as a dry run' : '';
  printer.info(
    config.baseUrl === undefined
      ? `No platform is configured: this is a rehearsal against the embedded platform${dry}.`
      : `The platform is ${config.baseUrl}${dry}.`,
  );
}

/** What is created where, so that a wrong profile, supplier or team is noticed in time. */
function question(config: Config, { limit, accounts: list }: RunFlags, accounts: number): string {
  const { baseUrl, profile, supplier, team } = config;
  const chosen = [
    ...(limit === undefined ? [] : [`at most ${formatCount(limit)}`]),
    ...(list === undefined ? [] : [`only those in ${list}`]),
  ];
  const facts = [
    ...(profile === undefined ? [] : [`profile ${profile}`]),
    supplier === undefined ? 'the suppliers in the export' : `supplier ${supplier}`,
    ...(team === undefined ? [] : [`team ${team}`]),
    [counted(accounts, 'account'), ...chosen].join(', '),
  ];
  return `Create accounts on ${baseUrl} (${facts.join('; ')})?`;
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
