import {
  context,
  metrics,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
} from '@opentelemetry/api';
import type { Clock } from '../domain/clock.ts';
import { endedWell } from '../domain/stop-reason.ts';
import type { AccountEnded, RequestEnded, RunEvent } from '../pipeline/run/run-events.ts';
import type { Telemetry } from './open-telemetry.ts';
import { reasonOf, type ObservedEnd, type RunObserver } from './run-observer.ts';

const scope = 'account-migrate';

/** An account under way, and the end of its last request, in ms since the epoch. */
interface AccountTrace {
  readonly span: Span;
  readonly within: Context;
  endsAt: number;
}

/**
 * A run as OpenTelemetry data: a span for the run; for each account a separate trace, linked to the run's, with a
 * client span for each request, so that a sampler takes or leaves whole accounts; and the number and duration of
 * requests. Sent to whatever the environment configures.
 */
export class RunTraces {
  readonly #tracer = trace.getTracer(scope);
  readonly #requests = metrics.getMeter(scope).createCounter('migrate.requests', {
    description: 'Requests by step and outcome.',
  });
  readonly #times = metrics.getMeter(scope).createHistogram('migrate.request.duration', {
    description: 'Time from sending a request to its answer.',
    unit: 's',
  });
  readonly #accounts = new Map<string, AccountTrace>();
  #run: Span | undefined;
  #beganAt = 0;

  hear(event: RunEvent): void {
    if (event.type === 'begun') {
      this.#beganAt = event.at;
      this.#run = this.#tracer.startSpan('run', {
        startTime: event.at,
        attributes: { 'migrate.run': event.run, 'migrate.dry_run': event.dryRun },
      });
    } else if (event.type === 'request') this.#request(event);
    else if (event.type === 'account') this.#accountEnded(event);
  }

  end(end: ObservedEnd): void {
    for (const { span, endsAt } of this.#accounts.values()) span.end(endsAt);
    this.#accounts.clear();
    const run = this.#run;
    if (run === undefined) return;
    const reason = reasonOf(end);
    run.setAttribute('migrate.exit', end.exit);
    if (reason !== undefined) run.setAttribute('migrate.stop_reason', reason);
    if (!endedWell(end.exit, reason)) run.setStatus({ code: SpanStatusCode.ERROR });
    if (end.kind !== 'ended') {
      run.end();
      return;
    }
    run.setAttribute('migrate.accounts', end.accounts.total);
    run.end(this.#beganAt + end.durationMs);
  }

  #request({ account, step, outcome, status, sentAt, tookMs }: RequestEnded): void {
    const attributes = { 'migrate.step': step, 'migrate.outcome': outcome };
    this.#requests.add(1, attributes);
    this.#times.record(tookMs / 1000, attributes);
    const under = this.#accountOf(account, sentAt);
    under.endsAt = Math.max(under.endsAt, sentAt + tookMs);
    const span = this.#tracer.startSpan(
      step,
      {
        kind: SpanKind.CLIENT,
        startTime: sentAt,
        // OpenTelemetry leaves out an attribute without a value.
        attributes: { ...attributes, 'http.response.status_code': status },
      },
      under.within,
    );
    if (outcome !== 'ok') span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(sentAt + tookMs);
  }

  /** Starts with the first request of an account, so an account without work has none. */
  #accountOf(account: string, sentAt: number): AccountTrace {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known;
    const run = this.#run?.spanContext();
    const span = this.#tracer.startSpan('account', {
      root: true,
      startTime: sentAt,
      links: run === undefined ? [] : [{ context: run }],
    });
    const begun = { span, within: trace.setSpan(context.active(), span), endsAt: sentAt };
    this.#accounts.set(account, begun);
    return begun;
  }

  #accountEnded({ account, state, code }: AccountEnded): void {
    const under = this.#accounts.get(account);
    if (under === undefined) return;
    this.#accounts.delete(account);
    under.span.setAttributes({ 'migrate.state': state, ...(code === '' ? {} : { 'migrate.code': code }) });
    if (state === 'rejected' || state === 'failed' || state === 'uncertain')
      under.span.setStatus({ code: SpanStatusCode.ERROR });
    under.span.end(under.endsAt);
  }
}

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
