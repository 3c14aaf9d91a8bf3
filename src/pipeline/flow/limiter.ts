import type { Answer } from '../../client/platform-client.ts';
import type { Clock } from '../../domain/clock.ts';
import type { LaneState } from '../run/run-events.ts';
import { AdaptiveLimit, type Sent } from './adaptive-limit.ts';
import { Gate } from './gate.ts';

/** Causes of a missing answer that show an overloaded platform. */
const tooMuch: ReadonlySet<string> = new Set([
  'connect_timeout',
  'headers_timeout',
  'body_timeout',
  'request_timeout',
  'step_timeout',
  'http_503',
  'http_504',
]);

/** Requests that share a limit, which is adapted to their answers. */
export class Limiter {
  readonly gate: Gate;
  readonly #limit: AdaptiveLimit;
  /** The most requests that may be under way, whatever is learned. */
  #most: number;
  #underWay = 0;
  /** Refusals (429) since the last other answer. */
  #refusedInARow = 0;

  /** `ceiling`: the most concurrent requests; `least`: how many may be under way whatever was learned. */
  constructor(ceiling: number, clock: Clock, draining: AbortSignal, least: () => number = () => 1) {
    this.#limit = new AdaptiveLimit(ceiling);
    this.#most = ceiling;
    this.gate = new Gate(() => Math.min(this.#most, Math.max(least(), this.#limit.places)), clock, draining);
  }

  get state(): LaneState {
    return { limit: this.#limit.now, reason: this.#limit.reason };
  }

  /** A request with a place leaves. `paced`: the rate delayed it. */
  sent(paced: boolean): Sent {
    this.#underWay += 1;
    return this.#limit.sent(this.#underWay, this.gate.taken, paced);
  }

  /** Requests that have left and are not answered. */
  get underWay(): number {
    return this.#underWay;
  }

  /** A rate explains the refusals so far. */
  riseAgain(): void {
    this.#limit.riseAgain();
    this.gate.letIn();
  }

  /** This share of requests is refused whatever the load. */
  isNoise(share: number): void {
    this.#limit.isNoise(share);
    this.gate.letIn();
  }

  /** It was refused, but not because of the number of concurrent requests. */
  excuse(): void {
    this.#underWay -= 1;
    this.#refusedInARow += 1;
  }

  /** It was refused, or its answer is missing, for a reason of requests of another kind. */
  pass(): void {
    this.#underWay -= 1;
  }

  /** It was answered, and how long that took says nothing about this limit. */
  answered(sent: Sent): void {
    this.#underWay -= 1;
    this.#refusedInARow = 0;
    this.#limit.answered(sent);
  }

  /** Learns from its answer, which took `ms`; `kind` groups requests with similar latency. */
  learn(sent: Sent, kind: string, answer: Answer<unknown>, ms: number): void {
    this.#underWay -= 1;
    if (answer.kind === 'throttled') {
      this.#refusedInARow += 1;
      this.#limit.refused(sent);
      return;
    }
    this.#refusedInARow = 0;
    if (!isMissing(answer)) this.#limit.answered(sent, { kind, ms });
    else if (tooMuch.has(answer.cause)) this.#limit.timedOut(sent);
  }

  /** A refused request waits this long, in ms: so do all others, if there are only refusals. */
  async refusedFor(ms: number): Promise<void> {
    if (this.#refusedInARow >= Math.max(2, this.#limit.now)) await this.gate.hold(ms);
  }

  /**
   * Allows at most this many requests from now on, which may be none; those under way continue to their end.
   */
  limitTo(most: number): void {
    // Stryker disable next-line ConditionalExpression: the same limit once more changes nothing, and costs time
    if (most === this.#most) return;
    this.#most = most;
    this.#limit.ceiling = Math.max(1, most);
    this.gate.letIn();
  }

  /** The most requests that may be under way until `limitTo` is called again. */
  get uses(): number {
    return Math.max(this.#most, this.gate.taken);
  }

  /** Another run found that the platform refuses more than so many. */
  refusedElsewhere(limit: number): void {
    this.#limit.refusedElsewhere(limit);
  }

  startAnew(): void {
    this.#limit.startAnew();
  }
}

/** Whether a request has no answer. */
export function isMissing(
  answer: Answer<unknown>,
): answer is Extract<Answer<unknown>, { readonly kind: 'not-sent' | 'unknown' }> {
  return answer.kind === 'not-sent' || answer.kind === 'unknown';
}
