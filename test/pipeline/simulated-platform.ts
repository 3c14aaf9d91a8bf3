import type { Answer } from '../../src/client/platform-client.ts';
import type { Quota } from '../../src/client/platform-client.ts';
import type { Clock, Random } from '../../src/domain/clock.ts';

/** Numbers that look random and are the same in every test run. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface Capacity {
  /** Requests that are worked on at once. */
  places: number;
  /** The same for requests of one step, which count in `places` as well: what is beyond is refused. */
  placesOf?: Readonly<Record<string, number>>;
  /** What is beyond: waits in the platform's own line, or is refused (429). */
  beyond: 'waits' | 'refused';
  /** How long the work on a request takes in the middle, in ms: half of them take less. */
  workMs: number;
  /** The same for requests of one step. */
  workMsOf?: Readonly<Record<string, number>>;
  /** To the platform and back, in ms. */
  travelMs: number;
  /** Share of requests that are refused for no reason. */
  strayShare: number;
  /** A gateway's limit of requests per second; absent: none. */
  rate?: RateLimit;
  /** So many requests in any second, with those that are refused. */
  window?: number;
  /** The same for requests of one step only. */
  rateOf?: Readonly<Record<string, RateLimit>>;
  /** By how much a request may arrive late, in ms. */
  jitterMs: number;
  /** How the gateway refuses. */
  gateway: { readonly status: 429 | 503; readonly retryAfterMs?: number };
  /** What every answer announces. */
  quotas?: readonly Quota[];
  /** How much longer the first answers take, in ms. */
  coldMs: number;
  /** The steps whose answers are lost this often, whatever the load. */
  lostShareOf?: Readonly<Record<string, number>>;
  /** How long a caller waits for an answer that is lost. */
  lostAfterMs: number;
}

/** A leaky bucket, as gateways have: `burst` requests may come at once, and the rest as they drain. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

/** Accepts or refuses by a rate. */
class LeakyBucket {
  #level = 0;
  #at = 0;

  takes({ perSecond, burst }: RateLimit, now: number): boolean {
    this.#level = Math.max(0, this.#level - ((now - this.#at) * perSecond) / 1000);
    this.#at = now;
    if (this.#level > burst - 1 + 1e-9) return false;
    this.#level += 1;
    return true;
  }
}

/** How much longer than in the middle the work takes on average. */
const meanSpread = 1.046;

/** A platform that takes so much at once, and tells nobody. */
export class SimulatedPlatform {
  answered = 0;
  refused = 0;
  lost = 0;
  /** When each request arrived, in ms. */
  readonly arrivals: number[] = [];
  readonly capacity: Capacity;
  readonly #clock: Clock;
  readonly #random = seeded(1);
  readonly #line: (() => void)[] = [];
  readonly #buckets = new Map<string, LeakyBucket>();
  #busy = 0;
  readonly #busyWith = new Map<string, number>();

  constructor(clock: Clock, capacity: Partial<Capacity>) {
    this.#clock = clock;
    this.capacity = {
      places: Infinity,
      beyond: 'waits',
      workMs: 100,
      travelMs: 5,
      strayShare: 0,
      jitterMs: 0,
      gateway: { status: 429 },
      lostAfterMs: 60_000,
      coldMs: 0,
      ...capacity,
    };
  }

  /** Answers per second of a platform whose places are never empty: no way of asking gets more. */
  get mostPerSecond(): number {
    return (this.capacity.places / (this.capacity.workMs * meanSpread)) * 1000;
  }

  /** The same of a platform that is never asked for more at once than it takes: some of those are still on their way. */
  get mostPerSecondUnrefused(): number {
    const { places, workMs, travelMs } = this.capacity;
    return (places / (workMs * meanSpread + travelMs)) * 1000;
  }

  async request(step = ''): Promise<Answer<undefined>> {
    const { places, placesOf, beyond, workMs, travelMs, strayShare, jitterMs, gateway } = this.capacity;
    this.arrivals.push(this.#clock.now());
    await this.#clock.sleep(travelMs / 2 + (jitterMs === 0 ? 0 : jitterMs * this.#random()));
    if (!this.#isWithinRate(step)) {
      this.refused += 1;
      await this.#clock.sleep(travelMs / 2);
      const { status, retryAfterMs } = gateway;
      if (status === 429) return { kind: 'throttled', status, retryAfterMs };
      return { kind: 'unknown', cause: 'http_503', status, retryAfterMs };
    }
    if (this.#random() < (this.capacity.lostShareOf?.[step] ?? 0)) {
      await this.#clock.sleep(this.capacity.lostAfterMs);
      this.lost += 1;
      return { kind: 'unknown', cause: 'http_504', status: 504 };
    }
    const isBusy = this.#busy >= places;
    const busyWith = this.#busyWith.get(step) ?? 0;
    const isStepFull = busyWith >= (placesOf?.[step] ?? Infinity);
    if (isStepFull || (isBusy && beyond === 'refused') || this.#random() < strayShare) {
      this.refused += 1;
      await this.#clock.sleep(travelMs / 2);
      return { kind: 'throttled', status: 429 };
    }
    if (isBusy) await new Promise<void>((resolve) => this.#line.push(resolve));
    this.#busy += 1;
    this.#busyWith.set(step, (this.#busyWith.get(step) ?? 0) + 1);
    const spread = Math.exp(0.6 * (this.#random() + this.#random() + this.#random() - 1.5));
    const { coldMs, quotas, workMsOf } = this.capacity;
    await this.#clock.sleep((workMsOf?.[step] ?? workMs) * spread + (this.answered === 0 ? coldMs : 0));
    this.#busy -= 1;
    this.#busyWith.set(step, (this.#busyWith.get(step) ?? 0) - 1);
    if (this.#busy < this.capacity.places) this.#line.shift()?.();
    await this.#clock.sleep(travelMs / 2);
    this.answered += 1;
    return { kind: 'ok', status: 200, body: undefined, ...(quotas === undefined ? {} : { quotas }) };
  }

  /** Both limits count what the other refuses as well. */
  #isWithinRate(step: string): boolean {
    const { rate, rateOf, window } = this.capacity;
    const now = this.#clock.now();
    if (window !== undefined && this.arrivals.filter((at) => at > now - 1000).length > window) return false;
    const limits = [['', rate] as const, [step, rateOf?.[step]] as const];
    return limits.every(
      ([name, limit]) => limit === undefined || this.#bucketOf(name).takes(limit, this.#clock.monotonic()),
    );
  }

  #bucketOf(name: string): LeakyBucket {
    const bucket = this.#buckets.get(name) ?? new LeakyBucket();
    this.#buckets.set(name, bucket);
    return bucket;
  }
}
