import type { Answer } from '../../client/platform-client.ts';
import type { RunPace } from '../../domain/found-pace.ts';
import type { AccountKey } from '../../domain/account-key.ts';
import type { Budget } from '../../journal/run-groups.ts';
import { pause } from '../request/retry.ts';
import type { Settings } from '../settings.ts';
import type { AccountSlot } from './account-slot.ts';
import { Accounts } from './accounts.ts';
import { Breaker } from './breaker.ts';
import { RequestDeadlines, tooLate } from './deadlines.ts';
import type { FlowPorts, FlowRequest, Flowed, Heard } from './flow-request.ts';
import { FlowReport } from './flow-report.ts';
import { loadAnswer } from './gateway-answer.ts';
import { Lanes, type SentIn } from './lanes.ts';
import { Paces } from './paces.ts';
import { requestEnded } from './request-ended.ts';
import { TokenBucket } from './token-bucket.ts';
import { PlatformWay } from './way.ts';

export type { FlowRequest, Flowed, Heard } from './flow-request.ts';

/** Accounts that may have started without a request so far: most complete ones never have any. */
const leastBeginning = 16;
const mostBeginning = 64;

/**
 * The path of all requests of a run to the platform (docs/flow-control.md): held while it is unavailable, as many at
 * the same time as it takes, paced by the configured rate. Every wait on it ends when the run drains.
 */
export class Flow {
  readonly accounts: Accounts;
  readonly #settings: Settings;
  readonly #ports: FlowPorts;
  readonly #breaker: Breaker;
  readonly #lanes: Lanes;
  /** The rates that the platform takes. */
  readonly paces: Paces;
  readonly #way: PlatformWay;
  #rate: TokenBucket | undefined;
  #granted: Budget | undefined;
  readonly #cuts: RequestDeadlines;
  /** The account whose status is asked for, to test the platform. */
  #latest: AccountKey | undefined;
  readonly #report: FlowReport;
  /** Requests. */
  readonly #tooMany = { refused: 0, unclear: 0 };
  #heardDead = false;
  readonly #heardLimits = { requests: Infinity, process: Infinity };
  /** When the accounts that stand aside continue, by the wall clock. */
  readonly #waits = new Set<{ readonly until: number }>();

  constructor(settings: Settings, ports: FlowPorts) {
    const { clock, stop } = ports;
    const { concurrency, processConcurrency = concurrency, rate } = settings;
    this.#settings = settings;
    this.#ports = ports;
    this.paces = new Paces({
      ...{ clock, draining: stop.draining, fail: ports.fail },
      found: () => this.#lanes.riseAgain(),
      isNoise: (share) => this.#lanes.isNoise(share),
    });
    this.#lanes = new Lanes({
      ...{ concurrency, processConcurrency, clock, draining: stop.draining },
      least: () => this.paces.leastPlaces,
    });
    this.#report = new FlowReport(this.#lanes, this.paces, ports.emit);
    if (ports.remembered !== undefined) this.paces.remember(ports.remembered);
    this.#rate = rate === undefined ? undefined : new TokenBucket(rate, clock);
    this.#way = new PlatformWay({
      ...{ clock, draining: stop.draining, fail: ports.fail },
      isRisky: () => this.paces.isRisky,
      isHeld: () => this.#breaker.isOpen,
      ask: async () => this.#breaker.see(await this.#probe(stop.draining)),
    });
    this.#cuts = new RequestDeadlines(clock, stop.aborting, ports.fail);
    this.#breaker = new Breaker(settings, {
      ...ports,
      emit: (event) => {
        ports.emit(event);
        this.#changed();
      },
      probe: (signal) => this.#probe(signal),
      reopened: (wasDead) => this.#reopened(wasDead),
    });
    this.accounts = new Accounts((beginning) => this.#hasRoom(beginning), stop.draining, ports.stoodAside);
  }

  /** Allows this part of the budget of several runs, which may be nothing. */
  limitTo(granted: Budget): void {
    this.#granted = granted;
    const { concurrency, processConcurrency, rate } = granted;
    if (rate === null) {
      // Who waits for a token gets it now.
      this.#rate?.limitTo(Infinity);
      this.#rate = undefined;
    } else if (this.#rate === undefined) this.#rate = new TokenBucket(rate, this.#ports.clock);
    else this.#rate.limitTo(rate);
    this.#lanes.limitTo({ concurrency, processConcurrency });
    this.accounts.limitTo(concurrency);
    this.#changed();
  }

  /** The most that is used until `limitTo` is called again. */
  get uses(): Budget {
    const { concurrency, processConcurrency } = this.#lanes.uses;
    return {
      concurrency: Math.max(this.accounts.uses, concurrency),
      processConcurrency,
      rate: this.#granted?.rate ?? null,
    };
  }

  /** What other runs may learn from: whether the platform is unavailable, and how many requests it takes, where it refuses more. */
  get heard(): Heard {
    const { requests, process } = this.#lanes.state;
    return {
      isDead: this.#breaker.isCertain,
      requests: requests.reason === 'throttled' ? requests.limit : undefined,
      process: process.reason === 'throttled' ? process.limit : undefined,
    };
  }

  /** What other runs have learned. Only what is new counts: this run finds out itself when it has passed. */
  hear(others: readonly Heard[]): void {
    const isDead = others.some((other) => other.isDead);
    if (isDead && !this.#heardDead && this.#latest !== undefined) this.#breaker.suspect();
    if (!isDead && this.#heardDead) this.#breaker.askNow();
    this.#heardDead = isDead;
    for (const lane of ['requests', 'process'] as const) {
      const limits = others.flatMap((other) => other[lane] ?? []);
      const least = limits.length === 0 ? Infinity : Math.min(...limits);
      if (least < this.#heardLimits[lane]) this.#lanes.refusedElsewhere(lane, least);
      this.#heardLimits[lane] = least;
    }
    this.#changed();
  }

  /** How many requests were refused so far, and the rate that was accepted. */
  get pace(): RunPace {
    return { acceptedPerSecond: this.paces.settled?.perSecond ?? null, ...this.#tooMany };
  }

  /** How often the platform was found unavailable so far: failures during that time are not the account's fault. */
  get outages(): number {
    return this.#breaker.outages;
  }

  /** Sends a request as soon as it may leave, and learns from its answer. */
  async send<T>(request: FlowRequest<T>): Promise<Flowed<T>> {
    const { clock, sending } = this.#ports;
    const place = this.accounts.asks(request.account, request.step, clock.monotonic());
    const signal = this.accounts.signal(place, request.step);
    if (this.#leftOf(place) <= 0) return { kind: 'overdue' };
    const isFree = this.#rate === undefined && !this.paces.isOn && !signal.aborted && this.#mayPass(request);
    const isLetIn = isFree && this.#lanes.takes(request);
    const paced = isLetIn ? false : await this.#enter(place, signal, request);
    if (paced === undefined) return { kind: 'stopped' };
    try {
      const leftMs = this.#leftOf(place);
      await request.before?.();
      if (this.#rate !== undefined) place.wasHeld(await this.#rate.leave(this.#ports.stop.aborting));
      if (this.paces.isOn) place.wasHeld(await this.paces.leave(this.#ports.stop.aborting));
      this.#latest = place.key;
      sending();
      const sent = this.#lanes.sent(request, paced);
      const [sentAt, since] = [clock.now(), clock.monotonic()];
      const answer = await this.#sendWithin(leftMs, request);
      const tookMs = clock.monotonic() - since;
      this.#ports.emit(requestEnded(request, answer, sentAt, tookMs));
      this.#learn(request, sent, answer, { sentAt: since, tookMs, paced });
      this.#breaker.see(answer);
      return answer;
    } finally {
      this.#lanes.leave(request);
      this.#changed();
    }
  }

  /**
   * Waits while the platform is unavailable, before a request is given up; false if the run starts to drain
   * in the meantime.
   */
  async platformIsBack(request: Pick<FlowRequest<unknown>, 'account' | 'step'>): Promise<boolean> {
    const { clock } = this.#ports;
    const since = clock.monotonic();
    const place = this.accounts.asks(request.account, request.step, since);
    const isBack = await this.#breaker.pass(this.accounts.signal(place, request.step));
    place.wasHeld(clock.monotonic() - since);
    return isBack;
  }

  /** Waits before a request is repeated, within the time of its step; false if the wait is ended first. */
  pause({ account, step }: Pick<FlowRequest<unknown>, 'account' | 'step'>, ms: number): Promise<boolean> {
    const { clock } = this.#ports;
    const place = this.accounts.asks(account, step, clock.monotonic());
    const leftMs = Math.max(0, this.#leftOf(place));
    return pause(clock, Math.min(ms, leftMs), this.accounts.signal(place, step));
  }

  /**
   * Waits this long, in ms, until an account may continue; false if the wait is ended first. Others have its
   * place in the meantime, and the time does not count as its step's.
   */
  async waitAside(
    { account, step }: Pick<FlowRequest<unknown>, 'account' | 'step'>,
    ms: number,
  ): Promise<boolean> {
    const { clock } = this.#ports;
    const since = clock.monotonic();
    const place = this.accounts.asks(account, step, since);
    const signal = this.accounts.signal(place, step);
    const isAside = this.accounts.standAside(place);
    const wait = { until: clock.now() + ms };
    this.#waits.add(wait);
    this.#changed();
    const isOver = await pause(clock, ms, signal);
    this.#waits.delete(wait);
    if (isAside) this.accounts.comeBack(place);
    this.#changed();
    place.wasHeld(clock.monotonic() - since);
    return isOver;
  }

  /** Waits this long, in ms, in its place; false if the wait is ended first. The time does not count as its step's. */
  async waitInPlace(
    { account, step }: Pick<FlowRequest<unknown>, 'account' | 'step'>,
    ms: number,
  ): Promise<boolean> {
    const { clock } = this.#ports;
    const since = clock.monotonic();
    const place = this.accounts.asks(account, step, since);
    const isOver = await pause(clock, ms, this.accounts.signal(place, step));
    place.wasHeld(clock.monotonic() - since);
    return isOver;
  }

  /** An account has ended in this run. */
  left(place: AccountSlot): void {
    this.accounts.leave(place);
    if (this.#waits.size > 0) this.#changed();
  }

  /** A request was refused with 429 and waits this long, in ms: the others too, if there are only refusals. */
  refusedFor(ms: number, request: Pick<FlowRequest<unknown>, 'isProcess'>): void {
    const { over, isHeld } = this.#lanes.refusedFor(request, ms);
    if (isHeld) this.#report.pause = { ms, until: this.#ports.clock.now() + ms };
    this.#changed();
    over.then(() => {
      if (!this.#lanes.isHeld) this.#report.pause = undefined;
      this.#changed();
    }, this.#ports.fail);
  }

  /** No more requests follow: nothing that the flow has started outlives the run. */
  close(): void {
    this.#cuts.close();
  }

  /** Waits for a place; undefined if the wait is ended first. True if the rate delayed the request. */
  async #enter(
    place: AccountSlot,
    signal: AbortSignal,
    request: FlowRequest<unknown>,
  ): Promise<boolean | undefined> {
    const { clock } = this.#ports;
    const since = clock.monotonic();
    const isEndpointPaced = await this.paces.takeOf(endpointOf(request), signal);
    if (isEndpointPaced === undefined) return undefined;
    for (;;) {
      if (request.isDelicate === true && !(await this.#way.pass(signal))) return undefined;
      if (!(await this.#breaker.pass(signal)) || !(await this.#lanes.enter(request, signal)))
        return undefined;
      const token = await this.#rate?.take(signal);
      const isPaced = await this.paces.take(signal);
      if (!signal.aborted && this.#mayPass(request)) {
        place.wasHeld(clock.monotonic() - since);
        return isPaced || isEndpointPaced || (token?.waited ?? false);
      }
      this.#lanes.leave(request);
    }
  }

  #mayPass({ isDelicate }: FlowRequest<unknown>): boolean {
    return !this.#breaker.isOpen && (isDelicate !== true || this.#way.isClean);
  }

  /** The remaining time of its step, in ms. */
  #leftOf(place: AccountSlot): number {
    return this.#settings.timeouts.stepMs - place.takenBy(this.#ports.clock.monotonic());
  }

  /** Cuts the request off when the run is aborted, and after this many ms: its outcome is unknown then. */
  async #sendWithin<T>(ms: number, request: FlowRequest<T>): Promise<Answer<T>> {
    const cut = this.#cuts.start(ms);
    try {
      const answer = await request.send(cut.signal);
      return cut.signal.reason === tooLate && 'cause' in answer
        ? { ...answer, cause: 'step_timeout' }
        : answer;
    } finally {
      this.#cuts.end(cut);
    }
  }

  #learn(
    request: FlowRequest<unknown>,
    sent: SentIn,
    answer: Answer<unknown>,
    timed: { readonly sentAt: number; readonly tookMs: number; readonly paced: boolean },
  ): void {
    const hasOwnLimit = request.isProcess === true;
    const outcome = {
      ...{ account: request.account, endpoint: endpointOf(request), hasOwnLimit },
      limit: hasOwnLimit ? Infinity : this.#lanes.state.requests.limit,
      isTry: (sent.process ?? sent.all).isTry,
      inFlight: sent.all.inFlight,
      ...timed,
    };
    this.#way.hear(answer);
    if (answer.quotas !== undefined)
      this.paces.announced(outcome.endpoint, answer.quotas, this.#settings.retry.retryAfterCapMs);
    const said = loadAnswer(answer, timed.tookMs);
    if (said === 'accepted') this.paces.accepted(outcome);
    const isRefused = said === 'refused' || said === 'refused-unknown';
    if (isRefused) this.#tooMany.refused += 1;
    if (said === 'refused-unknown') this.#tooMany.unclear += 1;
    const blamed = isRefused ? this.paces.refused(outcome, said === 'refused-unknown') : 'limit';
    if (blamed === 'limit') this.#lanes.learn(sent, request.step, answer, timed.tookMs);
    else this.#lanes.excuse(sent);
  }

  /** A request without any effect (interface, section 4, endpoint 4), over a connection of its own. */
  async #probe(signal: AbortSignal): Promise<Answer<unknown>> {
    const { client, clock, sending, emit } = this.#ports;
    if (this.#latest === undefined) throw new Error('the platform is asked before anything was sent');
    const { account } = this.#latest;
    sending();
    const [sentAt, since] = [clock.now(), clock.monotonic()];
    const answer = await client.transferStatus(this.#latest, { signal, fresh: true });
    this.#way.hear(answer);
    emit(
      requestEnded({ account, step: 'process', isQuestion: true }, answer, sentAt, clock.monotonic() - since),
    );
    return answer;
  }

  #reopened(wasDead: boolean): void {
    if (wasDead) this.#lanes.startAnew();
    this.#changed();
  }

  /**
   * Whether an account that starts now would soon be let through, beside so many that have not asked for anything yet. The
   * queue for process is kept short.
   */
  #hasRoom(beginning: number): boolean {
    if (this.#breaker.isOpen || this.#lanes.isFull || this.#lanes.isProcessCrowded) return false;
    // Each waits for the journal first: with few, a journal on another machine would hold the run back.
    const { limit } = this.#lanes.state.process;
    return beginning < Math.min(mostBeginning, Math.max(leastBeginning, limit));
  }

  #changed(): void {
    this.accounts.letIn();
    this.#report.changed(this.#breaker.isCertain, this.#waitsUntil());
  }

  /** When the first account continues, if all that are left stand aside. */
  #waitsUntil(): number | undefined {
    if (this.#ports.isLast?.() !== true || !this.accounts.areAllAside) return undefined;
    return Math.min(...[...this.#waits].map(({ until }) => until));
  }
}

/** The endpoint of a request, for limits of its own. */
function endpointOf({ step, isQuestion }: FlowRequest<unknown>): string {
  return isQuestion === true ? 'status' : step;
}
