import type { Clock } from '../../domain/clock.ts';
import type { Quota } from '../../client/platform-client.ts';
import { definedFields } from '../../domain/defined-fields.ts';
import type { FoundPace } from '../../domain/found-pace.ts';
import { AnnouncedQuotas } from './announced-quotas.ts';
import { CauseOfRefusals } from './cause-of-refusals.ts';
import { Goodput } from './goodput.ts';
import { OddRefusals } from './odd-refusals.ts';
import { Pace } from './pace.ts';
import { Pacer } from './pacer.ts';
import { RefusalOrigin } from './refusal-origin.ts';

/** Latest outcomes from which a first rate is estimated. */
const recent = 48;
/** The lowest rate that is assumed, per second. */
const leastPerSecond = 0.5;
/** A time without a request that counts, at least, in ms: longer ones may be waits that a refusal asked for. */
const leastGapMs = 40;
/** The latest latencies of which the median counts: a first answer may take far longer than all others. */
const timed = 5;
/** Requests side by side, at a distance, that show that only the distance matters. */
const enoughApart = 3;
/** More requests at the same time need no distance to be told from a rate. */
const mostApart = 2;
/** Outcomes between two attempts to send at a distance; and after a rate proved to be no help. */
const leastWait = 64;
const mostWait = 4096;
const leastRest = 1024;
const mostRest = 65_536;

/** An answered request, as the rate limits see it. */
export interface PacedOutcome {
  readonly account: string;
  readonly endpoint: string;
  /** On the monotonic clock, in ms. */
  readonly sentAt: number;
  readonly tookMs: number;
  /** Whether a rate delayed it. */
  readonly paced: boolean;
  /** Requests under way with it. */
  readonly inFlight: number;
  /** Whether more requests are under way than were known to be accepted. */
  readonly isTry: boolean;
  /** The limit of concurrent requests; Infinity if it is not one of all endpoints. */
  readonly limit: number;
  /** Whether its limiter is for this endpoint only. */
  readonly hasOwnLimit: boolean;
}

/** Who has to send less after a refusal: requests at the same time (`limit`), requests per second (`rate`), nobody. */
export type Blamed = 'limit' | 'rate' | 'nobody';

export interface PacesPorts {
  readonly clock: Clock;
  readonly draining: AbortSignal;
  /** A rate explains the refusals so far. */
  readonly found: () => void;
  /** This share of requests is refused at any rate. */
  readonly isNoise: (share: number) => void;
  /** Receives a bug in the clock. */
  readonly fail: (error: unknown) => void;
}

interface Paced {
  readonly pacer: Pacer;
  pace: Pace | undefined;
  readonly goodput: Goodput;
  /** Since when the rate applies, on the monotonic clock. */
  since: number;
  cause: CauseOfRefusals;
}

/**
 * The rates that a platform accepts: one of all requests, and one of each endpoint that is refused more than the others.
 * None applies until refusals come that the number of concurrent requests does not explain.
 */
export class Paces {
  readonly #ports: PacesPorts;
  readonly #clock: Clock;
  readonly #host: Paced;
  readonly #endpoints = new Map<string, Paced>();
  readonly #announced = new AnnouncedQuotas();
  readonly #origin = new RefusalOrigin();
  /** The latest outcomes: when sent, and whether accepted. */
  readonly #recent: { readonly endpoint: string; readonly at: number; readonly isRefused: boolean }[] = [];
  #outcomes = 0;
  readonly #odd = new OddRefusals();
  readonly #latencies: number[] = [];
  /** Requests are sent at a distance, to see whether two at a time are accepted then. */
  #apart: { readonly since: number; readonly beyond: number; accepted: number } | undefined;
  #wantsApart: number | undefined;
  #settled: FoundPace | undefined;
  #waitFor = leastRest;
  #waitUntil = 0;
  #apartAfter = 0;
  #apartWait = leastWait;

  constructor(ports: PacesPorts) {
    this.#ports = ports;
    this.#clock = ports.clock;
    this.#host = this.#paced();
  }

  /** The rate of all requests, per second; undefined if none was found. */
  get perSecond(): number | undefined {
    return this.#host.pace?.perSecond;
  }

  /** The rates that were found, between the attempts to raise them; the same object until they change. */
  get settled(): FoundPace | undefined {
    if (this.#host.pace === undefined && this.#endpoints.size === 0) return (this.#settled = undefined);
    const perSecond = this.#host.pace?.settled;
    const endpoints = new Map<string, number>();
    for (const [endpoint, { pace }] of this.#endpoints)
      if (pace?.settled !== undefined) endpoints.set(endpoint, pace.settled);
    if (perSecond === undefined && endpoints.size === 0) return (this.#settled = undefined);
    const told = this.#settled;
    const isSame =
      told?.perSecond === perSecond &&
      endpoints.size === Object.keys(told?.endpoints ?? {}).length &&
      [...endpoints].every(([endpoint, rate]) => told?.endpoints?.[endpoint] === rate);
    if (told !== undefined && isSame) return told;
    return (this.#settled = definedFields({
      perSecond,
      endpoints: endpoints.size === 0 ? undefined : Object.fromEntries(endpoints),
    }));
  }

  /** Whether requests must wait for a token. */
  get isOn(): boolean {
    return this.#host.pacer.isOn || this.#endpoints.size > 0;
  }

  /** Whether a refusal may come that leaves an outcome unknown, because more is tried than is known to be accepted. */
  get isRisky(): boolean {
    const now = this.#clock.monotonic();
    for (const { pace } of this.#all()) pace?.tick(now);
    return this.#all().some(({ pace }) => pace !== undefined && pace.isCostly && pace.isTrying);
  }

  /** The least number of requests that may be under way. */
  get leastPlaces(): number {
    return this.#apart === undefined ? 1 : this.#apart.beyond + 1;
  }

  /** Begins with rates that were found earlier. */
  remember({ perSecond, endpoints = {} }: FoundPace): void {
    if (perSecond !== undefined) this.#begin(this.#host, perSecond, false);
    for (const [endpoint, rate] of Object.entries(endpoints))
      this.#begin(this.#pacedOf(endpoint), rate, false);
  }

  /** Waits for the token of an endpoint that has a rate of its own; undefined if the signal is aborted first. */
  async takeOf(endpoint: string, signal: AbortSignal): Promise<boolean | undefined> {
    const token = await this.#endpoints.get(endpoint)?.pacer.take(signal);
    return token === undefined ? false : token.taken ? token.waited : undefined;
  }

  /** Waits for a token of the platform. True if the request was delayed. */
  async take(signal: AbortSignal): Promise<boolean> {
    return (await this.#host.pacer.take(signal)).waited;
  }

  /** Waits, right before a request leaves, until the last one is far enough ahead; returns how long, in ms. */
  leave(signal: AbortSignal): Promise<number> {
    return this.#host.pacer.leave(signal);
  }

  /** The platform has announced limits with an answer. `mostMs`: the longest time for which nothing is sent. */
  announced(endpoint: string, quotas: readonly Quota[], mostMs: number): void {
    this.#announced.hear(endpoint, quotas, this.#clock.monotonic(), mostMs);
    this.#host.pacer.announced = this.#announced.of(undefined);
    const own = this.#announced.of(endpoint);
    if (own.perSecond !== Infinity || own.holdUntil > 0) this.#pacedOf(endpoint);
    for (const [name, { pacer }] of this.#endpoints) pacer.announced = this.#announced.of(name);
  }

  accepted(outcome: PacedOutcome): void {
    const { account, endpoint, sentAt, tookMs, paced } = outcome;
    this.#note(endpoint, sentAt, false);
    this.#origin.accepted(account, endpoint);
    this.#odd.accepted(outcome.inFlight);
    this.#latencies.push(tookMs);
    if (this.#latencies.length > timed) this.#latencies.shift();
    const now = this.#clock.monotonic();
    const own = this.#endpoints.get(endpoint);
    this.#host.goodput.accepted(now);
    own?.goodput.accepted(now);
    for (const one of [this.#host, own])
      if (one?.pace !== undefined) {
        if (sentAt >= one.since) one.cause.accepted(outcome.inFlight);
        this.#follow(one, one.pace.accepted(sentAt, now, paced));
      }
    const apart = this.#apart;
    const beyond = apart?.beyond ?? this.#wantsApart;
    if (beyond !== undefined) this.#sendApart(beyond);
    if (apart !== undefined && outcome.inFlight > apart.beyond && sentAt >= apart.since) {
      apart.accepted += 1;
      if (apart.accepted >= enoughApart) this.#begin(this.#host, this.#host.pacer.perSecond, true);
    }
  }

  /** `costly`: the outcome of the refused request is unknown. */
  refused(outcome: PacedOutcome, costly: boolean): Blamed {
    const { account, endpoint, sentAt, paced, inFlight, isTry, hasOwnLimit } = outcome;
    this.#note(endpoint, sentAt, true);
    const isAccepted = inFlight === 1 || this.#odd.wasAccepted(inFlight);
    const origin = this.#origin.refused(account, endpoint, isAccepted);
    if (origin === 'account') return 'nobody';
    const isOdd = this.#odd.refused(inFlight, costly);
    const own = this.#endpoints.get(endpoint);
    const isItsOwn = own?.pace !== undefined || (origin === 'endpoint' && !hasOwnLimit);
    const one = isItsOwn ? (own ?? this.#pacedOf(endpoint)) : this.#host;
    if (one.pace !== undefined) {
      // More at the same time than ever, at a rate that delays nothing: that is not the rate.
      if (!paced && isTry && inFlight > 3 && !one.pace.isTrying) return 'limit';
      if (sentAt >= one.since) one.cause.refused(inFlight);
      if (one.cause.isConcurrency) {
        this.#rest(one);
        return 'limit';
      }
      this.#follow(one, one.pace.refused(sentAt, this.#clock.monotonic(), costly));
      return 'rate';
    }
    if (this.#outcomes < this.#waitUntil && !this.#odd.isAlone) return 'limit';
    if (isItsOwn || (isOdd && (origin === 'platform' || hasOwnLimit))) {
      this.#begin(one, this.#accepted(isItsOwn ? endpoint : undefined), true, costly);
      return 'rate';
    }
    this.#judgeApart(outcome);
    return 'limit';
  }

  /** One more request is refused than is accepted: the platform may want a distance between them. */
  #judgeApart({ inFlight, limit, sentAt }: PacedOutcome): void {
    if (inFlight < 2) return;
    if (this.#apart === undefined) {
      const beyond = Math.min(limit, inFlight - 1);
      if (beyond <= mostApart && this.#outcomes >= this.#apartAfter) this.#sendApart(beyond);
    } else if (sentAt >= this.#apart.since) {
      this.#apart = undefined;
      this.#host.pacer.perSecond = Infinity;
      this.#apartAfter = this.#outcomes + this.#apartWait;
      this.#apartWait = Math.min(this.#apartWait * 2, mostWait);
    }
  }

  #sendApart(beyond: number): void {
    const latencyMs = [...this.#latencies].sort((a, b) => a - b)[this.#latencies.length >> 1];
    this.#wantsApart = latencyMs === undefined ? beyond : undefined;
    if (latencyMs === undefined) return;
    this.#apart ??= { since: this.#clock.monotonic(), beyond, accepted: 0 };
    this.#host.pacer.perSecond = ((beyond + 0.25) * 1000) / Math.max(1, latencyMs);
  }

  #follow(one: Paced, lesson: 'nothing' | 'independent'): void {
    if (lesson === 'independent') {
      this.#ports.isNoise(one.pace?.noise ?? 0);
      this.#rest(one);
    }
    if (one.pace !== undefined) one.pacer.perSecond = one.pace.perSecond;
  }

  #begin(one: Paced, perSecond: number, isStarting: boolean, isCostly = false): void {
    one.cause = new CauseOfRefusals();
    one.since = this.#clock.monotonic();
    const refused = this.#recent.filter(({ isRefused }) => isRefused).length;
    const share = refused / Math.max(1, this.#recent.length);
    const pace = new Pace(perSecond, this.#clock.monotonic(), isStarting, one.goodput, share);
    pace.isCostly = isCostly;
    one.pace = pace;
    one.pacer.perSecond = pace.perSecond;
    this.#apart = undefined;
    this.#ports.found();
  }

  /** A rate is no help. */
  #rest(one: Paced): void {
    one.pace = undefined;
    one.pacer.perSecond = Infinity;
    this.#apart = undefined;
    this.#odd.forget();
    this.#waitUntil = this.#outcomes + this.#waitFor;
    this.#waitFor = Math.min(this.#waitFor * 2, mostRest);
  }

  #note(endpoint: string, at: number, isRefused: boolean): void {
    this.#outcomes += 1;
    this.#recent.push({ endpoint, at, isRefused });
    if (this.#recent.length > 8 * recent) this.#recent.splice(0, 4 * recent);
  }

  /** Accepted requests per second of late, without the times in which nothing was sent. */
  #accepted(endpoint: string | undefined): number {
    const of = this.#recent
      .filter((one) => endpoint === undefined || one.endpoint === endpoint)
      .slice(-recent);
    const times = of.map(({ at }) => at).sort((a, b) => a - b);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
    const usual = [...gaps].sort((a, b) => a - b)[gaps.length >> 1] ?? 0;
    const spanMs = gaps.reduce((sum, gap) => sum + Math.min(gap, Math.max(4 * usual, leastGapMs)), 0);
    const accepted = of.filter(({ isRefused }) => !isRefused).length / of.length;
    const sent = (Math.max(1, gaps.length) / Math.max(1, spanMs)) * 1000;
    return Math.max(leastPerSecond, sent * Math.max(0.25, accepted));
  }

  #all(): Paced[] {
    return [this.#host, ...this.#endpoints.values()];
  }

  #pacedOf(endpoint: string): Paced {
    let one = this.#endpoints.get(endpoint);
    if (one === undefined) this.#endpoints.set(endpoint, (one = this.#paced()));
    return one;
  }

  #paced(): Paced {
    return {
      pacer: new Pacer(this.#clock, this.#ports.draining, this.#ports.fail),
      pace: undefined,
      goodput: new Goodput(),
      since: 0,
      cause: new CauseOfRefusals(),
    };
  }
}
