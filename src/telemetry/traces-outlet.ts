import type { Clock } from '../domain/clock.ts';
import type { Telemetry } from './open-telemetry.ts';
import type { RunObserver } from './run-observer.ts';
import { RunTraces } from './run-traces.ts';

/** How long the end of a run waits for the collector, in ms. */
const shutdownMs = 2_000;

/** Sends a run to OpenTelemetry; `warn` is called if the collector did not accept everything. */
export function tracesOutlet(
  telemetry: Telemetry,
  { clock, warn }: { readonly clock: Clock; readonly warn: (message: string) => void },
): RunObserver {
  const traces = new RunTraces();
  return {
    name: 'the traces',
    hear: (event) => traces.hear(event),
    async end(end, givenUp) {
      traces.end(end);
      const done = new AbortController();
      const isOut = await Promise.race([
        telemetry.shutdown().then(() => true),
        clock.sleep(shutdownMs, AbortSignal.any([done.signal, givenUp])).then(
          () => false,
          () => false,
        ),
      ]);
      done.abort();
      if (isOut && !telemetry.hasFailed()) return;
      const what = isOut ? 'did not accept everything' : `did not answer within ${shutdownMs / 1000} s`;
      warn(
        `The OpenTelemetry collector ${what}: check OTEL_EXPORTER_OTLP_ENDPOINT. The run itself is recorded.`,
      );
    },
  };
}
