import { context, metrics, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import type { RunEvent } from '../pipeline/run-events.ts';
import type { EndedRun, RunObserver } from './run-observer.ts';

const scope = 'account-migrate';

/**
 * A run as OpenTelemetry sees it: a span for the run, and in it one for each request, by step, with its outcome; and
 * the count and times of requests. Goes to whatever the environment has set up.
 */
export class RunTraces implements RunObserver {
  readonly #tracer = trace.getTracer(scope);
  readonly #requests = metrics.getMeter(scope).createCounter('migrate.requests', {
    description: 'Requests by step and what came of them.',
  });
  readonly #times = metrics.getMeter(scope).createHistogram('migrate.request.duration', {
    description: 'Time from sending a request to its answer.',
    unit: 's',
  });
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
  }

  end(ended: EndedRun | undefined): Promise<void> {
    if (ended === undefined) this.#run?.setStatus({ code: SpanStatusCode.ERROR });
    else this.#run?.setAttributes({ 'migrate.exit': ended.exit, 'migrate.accounts': ended.accounts.total });
    if (ended === undefined) this.#run?.end();
    else this.#run?.end(this.#beganAt + ended.durationMs);
    return Promise.resolve();
  }

  #request({ step, outcome, status, sentAt, tookMs }: Extract<RunEvent, { type: 'request' }>): void {
    const attributes = { 'migrate.step': step, 'migrate.outcome': outcome };
    this.#requests.add(1, attributes);
    this.#times.record(tookMs / 1000, attributes);
    const within = this.#run === undefined ? context.active() : trace.setSpan(context.active(), this.#run);
    const span = this.#tracer.startSpan(
      step,
      {
        startTime: sentAt,
        attributes: {
          ...attributes,
          ...(status === undefined ? {} : { 'http.response.status_code': status }),
        },
      },
      within,
    );
    if (outcome !== 'ok') span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(sentAt + tookMs);
  }
}
