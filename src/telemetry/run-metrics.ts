import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { accountStates, type AccountCounts } from '../domain/account-state.ts';
import { severities } from '../domain/problem.ts';
import { breakReasons, stopReasons } from '../domain/stop-reason.ts';
import { requestOutcomes } from '../domain/request-outcome.ts';
import { stepNames } from '../domain/steps.ts';
import type { RunEvent } from '../pipeline/run/run-events.ts';
import { goodness, reasonOf, type ObservedEnd } from './run-observer.ts';

/** Upper bounds of the buckets of the request duration histogram, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The state of the journal, in addition to the run's events. */
export interface JournalStanding {
  /** The accounts of each import supplier in the journal, by state. */
  readonly book: readonly {
    readonly supplier: string;
    readonly accounts: AccountCounts;
    /** Exports that no run has read to their end. */
    readonly partlyRead: readonly unknown[];
  }[];
  /** When a run last ended as it should, in ms since the epoch; absent if none has. */
  readonly lastSuccessAt?: number | undefined;
}

export interface RunMetricsOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Where the run goes. */
  readonly place: { readonly platform: string; readonly profile: string | null; readonly rehearsal: boolean };
  /** Reads the state of the journal; undefined if that is not possible now. */
  readonly standing: () => Promise<JournalStanding | undefined>;
}

/** A run as Prometheus metrics. Labels have few values: no account is ever one. */
export class RunMetrics {
  readonly #registry = new Registry();
  readonly #options: RunMetricsOptions;
  readonly #requests = this.#counter('migrate_requests_total', 'Requests by step and outcome.', [
    'step',
    'outcome',
  ]);
  readonly #retries = this.#counter('migrate_retries_total', 'Repeated requests, by step and cause.', [
    'step',
    'cause',
  ]);
  readonly #accounts = this.#counter(
    'migrate_accounts_total',
    'Accounts that this run has finished, by state.',
    ['state'],
  );
  readonly #problems = this.#counter('migrate_problems_total', 'Problems that were reported, by severity.', [
    'severity',
  ]);
  readonly #times = new Histogram({
    name: 'migrate_request_duration_seconds',
    help: 'Time from sending a request to its answer.',
    labelNames: ['step'],
    buckets,
    registers: [this.#registry],
  });
  readonly #limit = this.#gauge('migrate_concurrency_limit', 'Limit of concurrent requests.', ['lane']);
  readonly #away = this.#gauge(
    'migrate_platform_away',
    '1 while the platform does not answer and requests are held.',
  );
  readonly #begun = this.#gauge(
    'migrate_run_start_time_seconds',
    'Start of the run, in seconds since the epoch.',
  );
  readonly #ended = this.#gauge(
    'migrate_run_end_time_seconds',
    'End of the run, in seconds since the epoch; absent during the run.',
  );
  readonly #exit = this.#gauge('migrate_run_exit_code', 'Exit code of the run; absent during the run.');
  readonly #good = this.#gauge(
    'migrate_night_good',
    '1 if the run ended as it should and migrate morning calls its night good, else 0; absent during the run, and without a verdict on it.',
  );
  readonly #stopped = this.#gauge(
    'migrate_run_stopped',
    '1 for the reason why the run stopped early, 0 for all others.',
    ['reason'],
  );
  readonly #runAccounts = this.#gauge(
    'migrate_run_accounts',
    'Accounts in the summary of the run, by state; absent during the run.',
    ['state'],
  );
  readonly #info = this.#gauge('migrate_run_info', '1: where the run goes, in its labels.', [
    'platform',
    'profile',
    'rehearsal',
  ]);
  readonly #bookSize = this.#gauge(
    'migrate_book_size',
    'All accounts of an import supplier that the journal knows.',
    ['supplier'],
  );
  readonly #book = this.#gauge('migrate_book_accounts', 'The same, by state.', ['supplier', 'state']);
  readonly #partlyRead = this.#gauge(
    'migrate_book_partly_read',
    '1 while no run has read an export of the import supplier to its end: the book lacks accounts; else 0.',
    ['supplier'],
  );
  readonly #lastSuccess = this.#gauge(
    'migrate_last_success_timestamp_seconds',
    'Time when a run last ended as it should, in seconds since the epoch; 0 if none has.',
  );

  #run: number | undefined;

  constructor(options: RunMetricsOptions) {
    this.#options = options;
    // Known series exist from the start: a rate over a series that appears later misses its first increase.
    for (const step of stepNames) {
      for (const outcome of requestOutcomes) this.#requests.inc({ step, outcome }, 0);
      this.#retries.inc({ step, cause: 'throttled' }, 0);
      this.#times.zero({ step });
    }
    for (const state of accountStates) this.#accounts.inc({ state }, 0);
    for (const severity of severities) this.#problems.inc({ severity }, 0);
    for (const reason of [...stopReasons, ...breakReasons]) this.#stopped.set({ reason }, 0);
    const { platform, profile, rehearsal } = options.place;
    this.#info.set({ platform, profile: profile ?? '', rehearsal: String(rehearsal) }, 1);
    for (const lane of ['requests', 'process']) this.#limit.set({ lane }, 0);
    // 0 would mean a good end, in 1970.
    for (const gauge of [this.#begun, this.#ended, this.#exit, this.#good]) gauge.remove();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The metrics as Prometheus text. */
  async text(): Promise<string> {
    const standing = await this.#options.standing();
    if (standing !== undefined) this.#stand(standing);
    return this.#registry.metrics();
  }

  hear(event: RunEvent): void {
    switch (event.type) {
      case 'begun':
        this.#begun.set(event.at / 1000);
        this.#run = event.run;
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

  end(end: ObservedEnd): void {
    const reason = reasonOf(end);
    this.#ended.set(this.#options.now() / 1000);
    this.#exit.set(end.exit);
    const good = goodness(end, this.#run);
    if (good !== undefined) this.#good.set(good ? 1 : 0);
    if (reason !== undefined) this.#stopped.set({ reason }, 1);
    if (end.kind !== 'ended') return;
    for (const state of accountStates) this.#runAccounts.set({ state }, end.accounts[state]);
  }

  #stand({ book, lastSuccessAt }: JournalStanding): void {
    for (const { supplier, accounts, partlyRead } of book) {
      this.#partlyRead.set({ supplier }, partlyRead.length === 0 ? 0 : 1);
      let size = 0;
      for (const state of accountStates) {
        this.#book.set({ supplier, state }, accounts[state]);
        size += accounts[state];
      }
      this.#bookSize.set({ supplier }, size);
    }
    if (lastSuccessAt !== undefined) this.#lastSuccess.set(lastSuccessAt / 1000);
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #gauge<Label extends string = never>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }
}
