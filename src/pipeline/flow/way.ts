import type { Clock } from '../../domain/clock.ts';
import type { Answer } from '../../client/platform-client.ts';
import { saysTooLarge } from '../request/body-sizes.ts';
import { pause } from '../request/retry.ts';
import { WaitQueue } from './wait-queue.ts';

/** Answers in a row, and the time since the last refusal, in ms, after which the way counts as clean. */
const enoughGood = 12;
const cleanMs = 1_500;
/** How often a way is looked at while requests wait for it, in ms. */
const lookMs = 500;
/** For how long requests wait while a higher rate is tried, in ms. */
const mostRiskMs = 30_000;

export interface WayPorts {
  readonly clock: Clock;
  readonly draining: AbortSignal;
  /** Whether more is tried now than is known to be accepted. */
  readonly isRisky: () => boolean;
  /** Whether nothing may be sent now. */
  readonly isHeld: () => boolean;
  /** Asks for something without any effect; its answer is heard like any other. */
  readonly ask: () => Promise<unknown>;
  readonly fail: (error: unknown) => void;
}

/**
 * The way to the platform. After an answer that came from before the platform, it carries only what may be repeated, until
 * it was clean for a while: a request that is refused there would have an unknown outcome.
 */
export class PlatformWay {
  readonly #ports: WayPorts;
  readonly #line = new WaitQueue();
  /** When it was last unclean; undefined: never, or clean since. */
  #badAt: number | undefined;
  #good = 0;
  #heard = 0;
  #isAsking = false;

  constructor(ports: WayPorts) {
    this.#ports = ports;
  }

  /** Whether what may not be repeated may leave. */
  get isClean(): boolean {
    if (this.#badAt === undefined) return true;
    const since = this.#ports.clock.monotonic() - this.#badAt;
    if (this.#good < enoughGood || since < cleanMs) return false;
    return !this.#ports.isRisky() || since > mostRiskMs;
  }

  /** Hears an answer to any request. */
  hear(answer: Answer<unknown>): void {
    if (answer.kind === 'not-sent') return;
    this.#heard += 1;
    if (isFromBefore(answer)) {
      this.#badAt = this.#ports.clock.monotonic();
      this.#good = 0;
      return;
    }
    if (answer.kind === 'unknown' || answer.kind === 'throttled') return;
    this.#good += 1;
    this.#letGo();
  }

  /** Waits until the way is clean; false if the signal is aborted first. */
  pass(signal: AbortSignal): Promise<boolean> {
    if (this.isClean && this.#line.length === 0) return Promise.resolve(!signal.aborted);
    const passed = this.#line.wait(signal);
    if (!this.#isAsking) this.#askUntilClean().catch(this.#ports.fail);
    return passed;
  }

  #letGo(): void {
    while (this.#line.length > 0 && this.isClean) this.#line.next();
  }

  /** If nothing else is sent, something without effect shows whether the way is clean. */
  async #askUntilClean(): Promise<void> {
    const { clock, draining, ask, isHeld } = this.#ports;
    this.#isAsking = true;
    while (this.#line.length > 0 && !draining.aborted) {
      const heard = this.#heard;
      if (!(await pause(clock, lookMs / (heard === 0 ? 1 : 2), draining))) break;
      if (this.#heard === heard && !this.isClean && !isHeld()) await ask();
      this.#letGo();
    }
    this.#isAsking = false;
  }
}

/** Whether something before the platform answered: a 5xx that is not the platform's own JSON, or a page. */
function isFromBefore(answer: Answer<unknown>): boolean {
  if (answer.kind !== 'unknown' || answer.isOver === true || saysTooLarge(answer)) return false;
  return answer.status !== undefined && (answer.status >= 500 || answer.cause.startsWith('gateway_'));
}
