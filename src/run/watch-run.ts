import { readTrustedText, whyUnread } from '../domain/trusted-file.ts';
import { resolve } from 'node:path';
import { postWebhook } from '../client/post-webhook.ts';
import type { Config } from '../config/load-config.ts';
import { whyNotListening } from '../domain/not-listening.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import type { RunEvent } from '../pipeline/run/run-events.ts';
import type { MetricsServer } from '../telemetry/metrics-outlet.ts';
import type { Deliver } from '../telemetry/notifier.ts';
import type { RunMetrics } from '../telemetry/run-metrics.ts';
import {
  endObservers,
  type NightTold,
  type ObservedEnd,
  type RunObserver,
} from '../telemetry/run-observer.ts';
import { asCannotStart, CannotStart } from '../host/cannot-start.ts';
import { placeOf, proxiesTo } from './session/connect.ts';
import { inTime } from './in-time.ts';
import { nightAfter } from './night-verdict.ts';
import { noteNotBegun, type NotBegun } from './session/note-not-begun.ts';
import { standingOf } from './standing.ts';
import type { Environment, Reporter } from '../host/environment.ts';
import { runNotifyCommand } from '../host/user-commands.ts';

/** The observers of a run, besides the terminal. */
export interface RunWatch {
  /** Whether a run has begun: the journal has it. */
  readonly hasBegun: () => boolean;
  hear(event: RunEvent): void;
  /**
   * Reports the end to all, for ten seconds at most, or one after `hurry` is aborted. `night` judges the night from the journal,
   * which only observers need; `run`: the id of this run, if it has begun.
   */
  end(
    end: ObservedEnd,
    hurry: AbortSignal,
    night?: (run: number | undefined) => Promise<NightTold | undefined>,
  ): Promise<void>;
}

/**
 * Starts the observers that configuration and environment select: notifications, log file, metrics, traces. Each is
 * loaded only if it is needed. Throws CannotStart if one of them cannot start, after notifying the others.
 */
export async function watchRun(
  environment: Environment,
  reporter: Reporter,
  config: Config,
): Promise<RunWatch> {
  const watching: RunObserver[] = [];
  const watch = watchOf(environment, reporter, watching);
  try {
    watching.push(...(await notifiers(environment, reporter, config)));
    watching.push(...(await logObserver(environment, reporter, config)));
    watching.push(...(await metricsObserver(environment, reporter, config)));
    watching.push(...(await traceObserver(environment, reporter)));
  } catch (error) {
    await watch.end(brokenBy(error, false), new AbortController().signal);
    throw error;
  }
  return watch;
}

/**
 * Runs preparations before a run is observed; if they throw, all observers that the run would have had are
 * notified.
 */
export async function orTell<T>(
  environment: Environment,
  reporter: Reporter,
  config: Config,
  work: () => T | Promise<T>,
  notBegun?: Omit<NotBegun, 'config'>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const hurry = new AbortController();
    const ignoreInterrupts = environment.onInterrupt(() => hurry.abort());
    const { port: _port, ...metrics } = config.metrics;
    try {
      const watch = await watchRun(environment, reporter, { ...config, metrics });
      const end = brokenBy(error, false);
      if (notBegun !== undefined)
        await inTime(environment.clock, hurry.signal.aborted, () =>
          noteNotBegun(environment, { ...notBegun, config }, end),
        );
      await watch.end(end, hurry.signal, (run) =>
        inTime(environment.clock, hurry.signal.aborted, () => nightAfter(environment, config, run)),
      );
    } catch (unwatched) {
      if (asCannotStart(unwatched) === undefined) throw unwatched;
    } finally {
      ignoreInterrupts();
    }
    throw error;
  }
}

/** The report of a run that an error has ended, or kept from starting. */
export function brokenBy(error: unknown, hasBegun: boolean): ObservedEnd {
  const kind = hasBegun ? 'broke-off' : 'not-begun';
  const refusal = asCannotStart(error);
  if (refusal !== undefined)
    return { kind, reason: refusal.reason ?? kind, exit: refusal.exit, detail: refusal.lines[0] ?? '' };
  // An exception's message may quote a customer's data.
  const name = error instanceof Error ? error.name : typeof error;
  return { kind, reason: kind, exit: exitCodes.bug, detail: `a bug in migrate (${name}).` };
}

function watchOf({ clock }: Environment, reporter: Reporter, watching: readonly RunObserver[]): RunWatch {
  let run: number | undefined;
  return {
    hasBegun: () => run !== undefined,
    hear(event) {
      if (event.type === 'begun') run = event.run;
      for (const observer of watching) observer.hear(event);
    },
    async end(end, hurry, night) {
      if (watching.length === 0) return;
      const warn = (message: string): void => reporter.warn(message);
      await endObservers(watching, { ...end, night: await night?.(run) }, { clock, hurry, warn });
    },
  };
}

async function logObserver(
  { cwd }: Environment,
  reporter: Reporter,
  { log }: Config,
): Promise<RunObserver[]> {
  const { file } = log;
  if (file === undefined) return [];
  const { logFile } = await import('../telemetry/log-file.ts');
  const failed = (reason: string): void =>
    reporter.warn(`The log ${file} cannot be written: ${reason} The run continues without it.`);
  return [logFile({ ...log, file: resolve(cwd, file) }, failed)];
}

async function metricsObserver(
  environment: Environment,
  reporter: Reporter,
  config: Config,
): Promise<RunObserver[]> {
  const { cwd, clock } = environment;
  const { port } = config.metrics;
  const file = config.metrics.file === undefined ? undefined : resolve(cwd, config.metrics.file);
  if (port === undefined && file === undefined) return [];
  const { RunMetrics } = await import('../telemetry/run-metrics.ts');
  const { metricsOutlet } = await import('../telemetry/metrics-outlet.ts');
  const metrics = new RunMetrics({
    now: () => clock.now(),
    place: placeOf(config),
    standing: () => standingOf(environment, config, file),
  });
  const server = port === undefined ? undefined : await served(metrics, port);
  if (server !== undefined) reporter.info(`Metrics are at ${server.url}.`);
  return [metricsOutlet({ metrics, server, file, clock, warn: (message) => reporter.warn(message) })];
}

async function served(metrics: RunMetrics, port: number): Promise<MetricsServer> {
  const { serveMetrics } = await import('../telemetry/metrics-outlet.ts');
  try {
    return await serveMetrics(metrics, port);
  } catch (error) {
    throw new CannotStart(
      exitCodes.usage,
      `--metrics-port: cannot listen on port ${port}: ${whyNotListening(error)}`,
    );
  }
}

async function traceObserver({ env, clock }: Environment, reporter: Reporter): Promise<RunObserver[]> {
  const { asksForTelemetry, startTelemetry } = await import('../telemetry/open-telemetry.ts');
  if (!asksForTelemetry(env)) return [];
  const telemetry = await startTelemetry();
  if (telemetry === undefined) {
    reporter.warn(
      'The environment configures OpenTelemetry, but its SDK is not installed: run npm install @opentelemetry/sdk-node beside migrate. The run continues without it.',
    );
    return [];
  }
  const { tracesOutlet } = await import('../telemetry/run-traces.ts');
  return [tracesOutlet(telemetry, { clock, warn: (message) => reporter.warn(message) })];
}

async function notifiers(
  environment: Environment,
  reporter: Reporter,
  config: Config,
): Promise<RunObserver[]> {
  const { env, clock } = environment;
  const { webhookFile, command, form, on, stallMs } = config.notify;
  const address = await webhookAddress(environment, webhookFile);
  if (address === undefined && command === undefined) return [];
  const { webhookBody } = await import('../telemetry/notice.ts');
  const { Notifier } = await import('../telemetry/notifier.ts');
  const { supplier } = config;
  const { platform, profile, rehearsal } = placeOf(config);
  const subject = { platform, profile: profile ?? undefined, rehearsal, supplier };
  const notifier = (name: string, deliver: Deliver): RunObserver =>
    new Notifier({
      ...{ name, deliver, on: new Set(on), stallMs, subject, clock },
      warn: (text) => reporter.warn(text),
    });
  const proxies = address === undefined ? undefined : proxiesTo(address, env);
  return [
    ...(address === undefined
      ? []
      : [
          notifier('the webhook', (notice, signal) =>
            postWebhook(address, webhookBody(notice, form), { proxies, signal }),
          ),
        ]),
    ...(command === undefined
      ? []
      : [
          notifier('the command of notify.command', (notice, signal) =>
            runNotifyCommand(command, JSON.stringify(notice), signal),
          ),
        ]),
  ];
}

/** Anybody who knows such an address can post to it, so it is treated as a secret. */
async function webhookAddress(
  environment: Environment,
  file: string | undefined,
): Promise<string | undefined> {
  const variable = environment.env['MIGRATE_NOTIFY_WEBHOOK'] ?? '';
  const text = variable === '' && file !== undefined ? await addressIn(file) : variable;
  const address = text.trim();
  if (address === '' && file === undefined) return undefined;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  const where = variable === '' ? `notify.webhookFile (${file})` : 'MIGRATE_NOTIFY_WEBHOOK';
  throw new CannotStart(
    exitCodes.usage,
    `${where} does not contain the address of a webhook. It must begin with https://.`,
  );
}

async function addressIn(file: string): Promise<string> {
  try {
    return await readTrustedText(file);
  } catch (error) {
    throw new CannotStart(exitCodes.usage, `notify.webhookFile: ${file} ${whyUnread(error)}`);
  }
}
