import type { Answer } from '../../client/platform-client.ts';
import type { Clock } from '../../domain/clock.ts';
import type { LaneState } from '../run/run-events.ts';
import { AcceptedCounts } from './accepted-counts.ts';
import type { Sent } from './adaptive-limit.ts';
import type { FlowRequest } from './flow-request.ts';
import { isMissing, Limiter } from './limiter.ts';

type Kind = Pick<FlowRequest<unknown>, 'isProcess'>;

/** State of a request until its answer comes: among all, and among those to process. */
export interface SentIn {
  readonly all: Sent;
  readonly process: Sent | undefined;
}

interface LanesInput {
  readonly concurrency: number;
  readonly processConcurrency: number;
  readonly clock: Clock;
  readonly draining: AbortSignal;
  /** How many requests may be under way whatever was learned. */
  readonly least: () => number;
}

/**
 * The two limits of concurrent requests: one of all, as gateways have it, and within it one of those to process, as the
 * platform has it (interface, section 8). A request to process needs a place in both.
 */
export class Lanes {
  readonly #all: Limiter;
  readonly #process: Limiter;
  /** Requests that were accepted, by how many of all and of those to process were under way. */
  readonly #accepted = { all: new AcceptedCounts(), process: new AcceptedCounts() };

  constructor({ concurrency, processConcurrency, clock, draining, least }: LanesInput) {
    this.#all = new Limiter(concurrency, clock, draining, least);
    this.#process = new Limiter(processConcurrency, clock, draining);
  }

  get state(): { readonly requests: LaneState; readonly process: LaneState } {
    return { requests: this.#all.state, process: this.#process.state };
  }

  /** Requests that have left and are not answered. */
  get underWay(): number {
    return this.#all.underWay;
  }

  /** The most requests that may be under way until `limitTo` is called again. */
  get uses(): { readonly concurrency: number; readonly processConcurrency: number } {
    return { concurrency: this.#all.uses, processConcurrency: this.#process.uses };
  }

  /** Whether a new request would have to wait, wherever it goes. */
  get isFull(): boolean {
    return this.#all.gate.isFull;
  }

  /** Whether as many wait for process as are let in. */
  get isProcessCrowded(): boolean {
    return this.#process.gate.waiting >= this.#process.state.limit;
  }

  /** Takes a place; false if none is free. */
  takes({ isProcess }: Kind): boolean {
    if (isProcess !== true) return this.#all.gate.takes();
    if (this.#all.gate.isFull || !this.#process.gate.takes()) return false;
    return this.#all.gate.takes();
  }

  /** Takes a place, waiting for one if necessary; false if the signal is aborted first. */
  async enter({ isProcess }: Kind, signal: AbortSignal): Promise<boolean> {
    if (isProcess === true && !(await this.#process.gate.enter(signal))) return false;
    if (await this.#all.gate.enter(signal)) return true;
    if (isProcess === true) this.#process.gate.leave();
    return false;
  }

  leave({ isProcess }: Kind): void {
    if (isProcess === true) this.#process.gate.leave();
    this.#all.gate.leave();
  }

  /** A request with a place leaves. `paced`: a rate delayed it. */
  sent({ isProcess }: Kind, paced: boolean): SentIn {
    const all = this.#all.sent(paced);
    return { all, process: isProcess === true ? this.#process.sent(paced) : undefined };
  }

  /** It was refused, but not because of the number of concurrent requests. */
  excuse({ process }: SentIn): void {
    this.#all.excuse();
    if (process !== undefined) this.#process.excuse();
  }

  /** Learns from its answer, which took `ms`; `kind` groups requests with similar latency. */
  learn(sent: SentIn, kind: string, answer: Answer<unknown>, ms: number): void {
    if (!isMissing(answer) && answer.kind !== 'throttled') this.#accepted.all.accepted(sent.all.inFlight);
    if (sent.process === undefined) this.#all.learn(sent.all, kind, answer, ms);
    else this.#learnOfProcess(sent.all, sent.process, answer, ms);
  }

  /** A refused request waits this long, in ms: so do all others, if there are only refusals. `isHeld`: they begin to. */
  refusedFor({ isProcess }: Kind, ms: number): { readonly over: Promise<unknown>; readonly isHeld: boolean } {
    const lanes = isProcess === true ? [this.#all, this.#process] : [this.#all];
    const wasHeld = lanes.some(({ gate }) => gate.isHeld);
    const over = Promise.all(lanes.map((lane) => lane.refusedFor(ms)));
    return { over, isHeld: !wasHeld && lanes.some(({ gate }) => gate.isHeld) };
  }

  get isHeld(): boolean {
    return this.#all.gate.isHeld || this.#process.gate.isHeld;
  }

  /** Allows at most this many requests from now on, which may be none; those under way continue to their end. */
  limitTo({
    concurrency,
    processConcurrency,
  }: {
    readonly concurrency: number;
    readonly processConcurrency: number;
  }): void {
    this.#all.limitTo(concurrency);
    this.#process.limitTo(processConcurrency);
  }

  /** Another run found that the platform refuses more than so many. */
  refusedElsewhere(of: 'requests' | 'process', limit: number): void {
    (of === 'requests' ? this.#all : this.#process).refusedElsewhere(limit);
  }

  /** A rate explains the refusals so far. */
  riseAgain(): void {
    for (const lane of [this.#all, this.#process]) lane.riseAgain();
  }

  /** This share of requests is refused whatever the load. */
  isNoise(share: number): void {
    for (const lane of [this.#all, this.#process]) lane.isNoise(share);
  }

  /** The platform was unavailable and is back. */
  startAnew(): void {
    for (const lane of [this.#all, this.#process]) lane.startAnew();
  }

  /** What process takes is its own: neither its latency nor a missing answer says anything about the others. */
  #learnOfProcess(all: Sent, process: Sent, answer: Answer<unknown>, ms: number): void {
    if (answer.kind !== 'throttled') {
      this.#process.learn(process, 'create', answer, ms);
      if (isMissing(answer)) this.#all.pass();
      else {
        this.#accepted.process.accepted(process.inFlight);
        this.#all.answered(all);
      }
      return;
    }
    // What was accepted of late is not the cause. If neither was, or both were, either may be.
    const [isOfAll, isOfProcess] = [
      !this.#accepted.all.has(all.inFlight),
      !this.#accepted.process.has(process.inFlight),
    ];
    const isUnclear = isOfAll === isOfProcess;
    if (isOfProcess || isUnclear) this.#process.learn(process, 'create', answer, ms);
    else this.#process.pass();
    if (isOfAll || isUnclear) this.#all.learn(all, 'create', answer, ms);
    else this.#all.pass();
  }
}
