import { Flow } from '../../src/pipeline/flow/flow.ts';
import { waitAfter } from '../../src/pipeline/request/retry.ts';
import type { RunEvent } from '../../src/pipeline/run/run-events.ts';
import type { Settings } from '../../src/pipeline/settings.ts';
import { StopControl } from '../../src/pipeline/run/stop-control.ts';
import type { StepName } from '../../src/domain/steps.ts';
import { defaultSettings } from './harness.ts';
import { SimulatedPlatform, seeded, type Capacity } from './simulated-platform.ts';
import { SimulatedTime } from './simulated-time.ts';

type FlowState = Extract<RunEvent, { type: 'flow' }>;

/** What was seen of a span of time. */
export interface Seen {
  readonly perSecond: number;
  /** Of all requests, in percent. */
  readonly refusedPercent: number;
  readonly refused: number;
  /** How many requests could be side by side at the end of each second, and why no more. */
  readonly limits: readonly number[];
  readonly reasons: ReadonlySet<string>;
}

/** Steps whose requests may not be repeated after a lost answer. */
const delicate: ReadonlySet<StepName> = new Set(['agreements', 'billing-documents', 'payment-instruction']);

/** Accounts without end that are driven on a platform of so much capacity, on a clock of the test's own. */
export class SimulatedRun {
  readonly clock = new SimulatedTime();
  readonly stop = new StopControl();
  readonly platform: SimulatedPlatform;
  /** Accounts under way. */
  open = 0;
  /** Requests that may not be repeated, and whose outcome is unknown. */
  leftToAPerson = 0;
  /** The requests of each account. */
  steps: readonly StepName[];
  readonly #random = seeded(5);
  readonly #ceiling: number;
  readonly #isProcess: boolean;
  readonly #intentMs: (at: number) => number;
  readonly flow: Flow;
  #state: FlowState | undefined;

  /** `intentMs`: how long the journal takes, at a moment, to record what a request is about to do. */
  constructor(
    capacity: Partial<Capacity>,
    settings: Partial<Settings> = {},
    isProcess = false,
    intentMs: (at: number) => number = () => 0,
  ) {
    const { clock, stop } = this;
    this.#intentMs = intentMs;
    this.platform = new SimulatedPlatform(clock, capacity);
    this.#isProcess = isProcess;
    this.steps = isProcess ? ['process'] : ['stage', 'notes', 'statements'];
    this.#ceiling = settings.concurrency ?? 400;
    this.flow = new Flow(
      { ...defaultSettings, concurrency: this.#ceiling, ...settings },
      {
        client: {
          transferStatus: async () => {
            const answer = await this.platform.request('status');
            return answer.kind === 'ok' ? { ...answer, body: { status: 'COMPLETED' as const } } : answer;
          },
        },
        clock,
        stop,
        random: this.#random,
        emit: (event) => {
          if (event.type === 'flow') this.#state = event;
        },
        sending: () => undefined,
        stoodAside: () => undefined,
        hasAnsweredBefore: () => Promise.resolve(false),
        fail: (error) => {
          throw error;
        },
      },
    );
  }

  /** From now on it may do so many accounts and requests at once. */
  limitTo(concurrency: number): void {
    this.flow.limitTo({ concurrency, processConcurrency: concurrency, rate: null });
  }

  /** Drives accounts while the test watches. */
  async while(watch: () => Promise<void>): Promise<void> {
    const accounts = Array.from({ length: this.#ceiling }, (_, place) => this.#driveMany(place));
    const watched = watch().finally(() => this.stop.stop('interrupt'));
    await this.clock.until(Promise.all([watched, ...accounts]));
  }

  async watch(seconds: number): Promise<Seen> {
    const { platform, clock } = this;
    const before = { answered: platform.answered, refused: platform.refused };
    const limits: number[] = [];
    const reasons = new Set<string>();
    for (let second = 0; second < seconds; second += 1) {
      await clock.sleep(1000);
      const lane = this.#isProcess ? this.#state?.process : this.#state?.requests;
      if (lane === undefined) continue;
      limits.push(lane.limit);
      reasons.add(lane.reason);
    }
    const answered = platform.answered - before.answered;
    const refused = platform.refused - before.refused;
    return {
      perSecond: answered / seconds,
      refused,
      refusedPercent: (refused / (answered + refused)) * 100,
      limits,
      reasons,
    };
  }

  async #driveMany(place: number): Promise<void> {
    for (let number = 0; await this.#driveOne(`${place}-${number}`); number += 1);
  }

  async #driveOne(account: string): Promise<boolean> {
    const { accounts } = this.flow;
    const place = await accounts.begin();
    if (place === undefined) return false;
    this.open += 1;
    accounts.drives(place, { supplier: 'S', account });
    for (const step of this.steps) if (!(await this.#untilAnswered(account, step))) return false;
    accounts.leave(place);
    this.open -= 1;
    return true;
  }

  /** False if the run has ended. */
  async #untilAnswered(account: string, step: StepName): Promise<boolean> {
    const isDelicate = delicate.has(step);
    const request = {
      account,
      step,
      isDelicate,
      isProcess: step === 'process',
      before: () => {
        const ms = this.#intentMs(this.clock.monotonic());
        return ms === 0 ? Promise.resolve() : this.clock.sleep(ms);
      },
      send: () => this.platform.request(step),
    };
    for (let repetition = 1; ; repetition += 1) {
      const answer = await this.flow.send(request);
      if (answer.kind === 'ok') return true;
      if (answer.kind === 'stopped' || answer.kind === 'overdue') return false;
      if (answer.kind === 'unknown' && isDelicate) {
        this.leftToAPerson += 1;
        return true;
      }
      if (answer.kind === 'unknown' && !(await this.flow.platformIsBack(request))) return false;
      const asked = 'retryAfterMs' in answer ? answer.retryAfterMs : undefined;
      const waitMs = waitAfter(asked, repetition, defaultSettings.retry, this.#random);
      if (answer.kind === 'throttled') this.flow.refusedFor(waitMs, request);
      if (!(await this.flow.pause(request, waitMs))) return false;
    }
  }
}
