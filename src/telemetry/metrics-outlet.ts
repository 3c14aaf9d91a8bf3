import type { Clock } from '../domain/clock.ts';
import { writeMetrics } from './metrics-file.ts';
import type { MetricsServer } from './metrics-server.ts';
import type { RunMetrics } from './run-metrics.ts';
import type { RunObserver } from './run-observer.ts';

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
