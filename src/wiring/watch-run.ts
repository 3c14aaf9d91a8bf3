import { exec } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import type { Teller } from './teller.ts';
import type { MetricsServer } from '../telemetry/metrics-server.ts';
import type { Deliver } from '../telemetry/notifier.ts';
import type { RunMetrics } from '../telemetry/run-metrics.ts';
import type { RunObserver } from '../telemetry/run-observer.ts';
import { CannotStart } from './cannot-start.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * Everybody who watches a run beside the terminal, as configuration and environment ask for them: log file,
 * metrics, traces, notifications. Each is loaded only when it is asked for.
 */
export async function watchRun(
  surroundings: Surroundings,
  teller: Teller,
  config: Config,
): Promise<RunObserver> {
  const { observers } = await import('../telemetry/run-observer.ts');
  return observers([
    ...(await logObserver(surroundings, teller, config)),
    ...(await metricsObserver(surroundings, teller, config)),
    ...(await traceObserver(surroundings, teller)),
    ...(await notifier(surroundings, teller, config)),
  ]);
}

async function logObserver(
  surroundings: Surroundings,
  teller: Teller,
  { log }: Config,
): Promise<RunObserver[]> {
  const { file } = log;
  if (file === undefined) return [];
  const { logFile } = await import('../telemetry/log-file.ts');
  const settings = { ...log, file: resolve(surroundings.cwd, file) };
  return [
    logFile(settings, (code) =>
      teller.warn(`The log ${file} cannot be written (${code}). The run goes on without it.`),
    ),
  ];
}

async function metricsObserver(
  surroundings: Surroundings,
  teller: Teller,
  { metrics }: Config,
): Promise<RunObserver[]> {
  const { port, file } = metrics;
  if (port === undefined && file === undefined) return [];
  const { RunMetrics } = await import('../telemetry/run-metrics.ts');
  const measured = new RunMetrics();
  const server = port === undefined ? undefined : await served(measured, port);
  if (server !== undefined) teller.info(`Metrics are at ${server.url}.`);
  const finish = async (): Promise<void> => {
    server?.close();
    if (file === undefined) return;
    const { writeMetrics } = await import('../telemetry/metrics-file.ts');
    const fault = await writeMetrics(measured, resolve(surroundings.cwd, file));
    if (fault !== undefined) teller.warn(`--metrics-file: ${fault}`);
  };
  return [
    {
      hear: (event) => measured.hear(event),
      end: async (ended) => {
        await measured.end(ended);
        await finish();
      },
    },
  ];
}

async function served(metrics: RunMetrics, port: number): Promise<MetricsServer> {
  const { serveMetrics } = await import('../telemetry/metrics-server.ts');
  try {
    return await serveMetrics(metrics, port);
  } catch {
    throw new CannotStart(
      exitCodes.usage,
      `--metrics-port: nothing can listen on port ${port}: another program does, or it is not allowed. Name another, or 0 for a free one.`,
    );
  }
}

async function traceObserver(surroundings: Surroundings, teller: Teller): Promise<RunObserver[]> {
  const { asksForTelemetry, startTelemetry } = await import('../telemetry/open-telemetry.ts');
  if (!asksForTelemetry(surroundings.env)) return [];
  const shutdown = await startTelemetry();
  if (shutdown === undefined) {
    teller.warn(
      'The environment asks for OpenTelemetry, and its SDK is not installed: npm install @opentelemetry/sdk-node beside migrate. The run goes on without it.',
    );
    return [];
  }
  const { RunTraces } = await import('../telemetry/run-traces.ts');
  const traces = new RunTraces();
  return [
    {
      hear: (event) => traces.hear(event),
      end: async (ended) => {
        await traces.end(ended);
        await shutdown();
      },
    },
  ];
}

async function notifier(
  surroundings: Surroundings,
  teller: Teller,
  { notify }: Config,
): Promise<RunObserver[]> {
  const address = await webhookAddress(surroundings, notify.webhookFile);
  const { command } = notify;
  if (address === undefined && command === undefined) return [];
  const { webhookBody } = await import('../telemetry/notice.ts');
  const { Notifier } = await import('../telemetry/notifier.ts');
  const { postWebhook } = await import('../client/post-webhook.ts');
  const deliver: Deliver[] = [
    ...(address === undefined
      ? []
      : [((notice) => postWebhook(address, webhookBody(notice, notify.form))) satisfies Deliver]),
    ...(command === undefined
      ? []
      : [((notice) => runCommand(command, JSON.stringify(notice))) satisfies Deliver]),
  ];
  const { clock } = surroundings;
  const { on, stallMs } = notify;
  return [new Notifier({ on: new Set(on), stallMs, deliver, clock, warn: (text) => teller.warn(text) })];
}

/** Such an address lets anybody post who knows it, so it is kept like a secret. */
async function webhookAddress(
  surroundings: Surroundings,
  file: string | undefined,
): Promise<string | undefined> {
  const variable = surroundings.env['MIGRATE_NOTIFY_WEBHOOK'] ?? '';
  const text =
    variable === '' && file !== undefined ? await readFile(file, 'utf8').catch(() => '') : variable;
  const address = text.trim();
  if (address === '' && file === undefined) return undefined;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  const where = variable === '' ? `notify.webhookFile (${file})` : 'MIGRATE_NOTIFY_WEBHOOK';
  throw new CannotStart(
    exitCodes.usage,
    `${where} gives no address of a webhook. It must begin with https://.`,
  );
}

const commandMs = 60_000;

/** Runs the configured command with the notice as JSON on its standard input. */
function runCommand(command: string, notice: string): Promise<string | undefined> {
  return new Promise((done) => {
    const child = exec(command, { timeout: commandMs }, (error) =>
      done(error === null ? undefined : `the command ended with code ${error.code ?? 'none'}.`),
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(notice);
  });
}
