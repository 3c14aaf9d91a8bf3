import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { accountStates } from '../domain/account-state.ts';
import type { RunEvent } from '../pipeline/run-events.ts';
import type { EndedRun, RunObserver } from './run-observer.ts';

/** Upper bounds of the buckets that request times are counted in, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** A run in numbers, as Prometheus reads them. Labels have few values: no account is ever one. */
export class RunMetrics implements RunObserver {
  readonly #registry = new Registry();
  readonly #requests = this.#counter('migrate_requests_total', 'Requests by step and what came of them.', [
    'step',
    'outcome',
  ]);
  readonly #retries = this.#counter(
    'migrate_retries_total',
    'Requests that are sent again, by step and cause.',
    ['step', 'cause'],
  );
  readonly #accounts = this.#counter('migrate_accounts_total', 'Accounts that this run has finished with.', [
    'state',
  ]);
  readonly #problems = this.#counter('migrate_problems_total', 'Problems that were told, by severity.', [
    'severity',
  ]);
  readonly #times = new Histogram({
    name: 'migrate_request_seconds',
    help: 'Time from sending a request to its answer.',
    labelNames: ['step'],
    buckets,
    registers: [this.#registry],
  });
  readonly #limit = new Gauge({
    name: 'migrate_concurrency_limit',
    help: 'Requests side by side at most, as the platform takes them.',
    labelNames: ['lane'],
    registers: [this.#registry],
  });
  readonly #away = this.#gauge('migrate_platform_away', '1 while the platform does not answer and all wait.');
  readonly #begun = this.#gauge('migrate_run_start_time_seconds', 'When the run began, since the epoch.');
  readonly #ended = this.#gauge('migrate_run_end_time_seconds', 'When the run ended, since the epoch.');
  readonly #exit = this.#gauge('migrate_run_exit_code', 'What the run ended with.');
  readonly #book = new Gauge({
    name: 'migrate_run_accounts',
    help: 'All accounts that the export names, by state at the end of the run.',
    labelNames: ['state'],
    registers: [this.#registry],
  });
  #beganAt = 0;

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The metrics as Prometheus text. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  hear(event: RunEvent): void {
    switch (event.type) {
      case 'begun':
        this.#beganAt = event.at;
        this.#begun.set(event.at / 1000);
        return;
      case 'request':
        this.#requests.inc({ step: event.step, outcome: event.outcome });
        this.#times.observe({ step: event.step }, event.tookMs / 1000);
        return;
      case 'retry':
        this.#retries.inc({ step: event.step, cause: event.cause });
        return;
      case 'account':
        if (event.driven) this.#accounts.inc({ state: event.state });
        return;
      case 'flow':
        this.#limit.set({ lane: 'requests' }, event.requests.limit);
        this.#limit.set({ lane: 'process' }, event.process.limit);
        this.#away.set(event.isDead ? 1 : 0);
        return;
      case 'problem':
        this.#problems.inc({ severity: event.problem.severity });
    }
  }

  end(ended: EndedRun | undefined): Promise<void> {
    if (ended !== undefined) {
      this.#ended.set((this.#beganAt + ended.durationMs) / 1000);
      this.#exit.set(ended.exit);
      for (const state of accountStates) this.#book.set({ state }, ended.accounts[state]);
    }
    return Promise.resolve();
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #gauge(name: string, help: string): Gauge {
    return new Gauge({ name, help, registers: [this.#registry] });
  }
}
