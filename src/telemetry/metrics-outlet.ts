import { once } from 'node:events';
import { constants } from 'node:fs';
import { lstat, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../domain/clock.ts';
import { whyUnwritten } from '../domain/unwritten.ts';
import type { RunMetrics } from './run-metrics.ts';
import type { RunObserver } from './run-observer.ts';
import { renameOver } from '../domain/rename-over.ts';

/** Time between two writes of the metrics file, in ms. */
const writeEveryMs = 15_000;

export interface MetricsOutletOptions {
  readonly metrics: RunMetrics;
  /** Serves them during the run. */
  readonly server?: MetricsServer | undefined;
  /** Absolute path of the file that they are written to, at the start, at intervals, and at the end. */
  readonly file?: string | undefined;
  readonly clock: Clock;
  /** Called once with the reason if the file cannot be written. */
  readonly warn: (message: string) => void;
}

/** Publishes the metrics of a run. */
export function metricsOutlet({ metrics, server, file, clock, warn }: MetricsOutletOptions): RunObserver {
  const ended = new AbortController();
  let told: string | undefined;
  const write = async (): Promise<void> => {
    if (file === undefined) return;
    const fault = await writeMetrics(metrics, file);
    if (fault !== undefined && fault !== told) warn(`--metrics-file: ${fault}`);
    told = fault;
  };
  const writeNowAndThen = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await write();
      await clock.sleep(writeEveryMs, ended.signal).catch(() => undefined);
    }
  };
  let writing: Promise<void> | undefined;
  return {
    name: file === undefined ? 'the metrics' : `the metrics file ${file}`,
    hear(event) {
      metrics.hear(event);
      if (event.type === 'begun' && file !== undefined) writing ??= writeNowAndThen();
    },
    async end(end) {
      metrics.end(end);
      server?.close();
      ended.abort();
      await writing;
      await write();
    },
  };
}

/**
 * A pipe without a reader is an error at once: otherwise nothing would end that wait, not even the end of the
 * process.
 */
const flag = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK;

/**
 * Writes the metrics for a node exporter's textfile collector (absolute path, `.prom`), completely or not at all,
 * readable by all because the exporter is another user; a device, a pipe or a link is written to directly. Returns
 * why it failed.
 */
export async function writeMetrics(
  metrics: Pick<RunMetrics, 'text'>,
  file: string,
): Promise<string | undefined> {
  const draft = `${file}.partial`;
  const isFile = (await lstat(file).catch(() => undefined))?.isFile() ?? true;
  try {
    await writeFile(isFile ? draft : file, await metrics.text(), { mode: 0o644, flag });
    if (isFile) renameOver(draft, file);
    return undefined;
  } catch (error) {
    if (isFile) await rm(draft, { force: true }).catch(() => undefined);
    return `${file} cannot be written: ${whyUnwritten(error)}`;
  }
}

export interface MetricsServer {
  readonly url: string;
  close(): void;
}

/**
 * Serves the metrics of a run at /metrics on the loopback interface; 0 picks a free port. Rejects if it cannot
 * listen.
 */
export async function serveMetrics(metrics: RunMetrics, port: number): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // A scrape must not keep the run from ending.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
