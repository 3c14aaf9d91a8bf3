import type { Clock } from '../domain/clock.ts';
import type { Reply } from './http-exchange.ts';

/** How far the Date of an answer may lie before its request; in ms. A cache stores answers to GET. */
const tolerance = { GET: 5_000, POST: 60_000 } as const;

/** The most clocks of a platform's machines that are told apart. */
const mostClocks = 16;

/** Questions for the time, until one is answered. */
const mostQuestions = 3;

/** The headers that tell when an answer was made. */
type Dated = Pick<Reply, 'age' | 'date'>;

/**
 * Tells stored answers from those to the request: by their Age, and by a Date before the request. The clocks of a
 * platform's machines may be wrong, or set again, so an old Date alone proves nothing: a question that no cache can have stored an
 * answer to shows what time it is there.
 */
export class Freshness {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #ask: () => Promise<Dated | undefined>;
  /** The platform's clocks, as differences to the monotonic clock here; a jump of the wall clock does not matter. */
  readonly #clocks: number[] = [];
  #asking: Promise<void> | undefined;

  /** `ask` sends a request to an address that nobody has asked for. */
  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, ask: () => Promise<Dated | undefined>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /** Whether an answer is older than its request, which was sent at `sentAt` (ms on the monotonic clock). */
  async isStale({ age, date }: Dated, method: keyof typeof tolerance, sentAt: number): Promise<boolean> {
    if (isAged(age)) return true;
    const at = Date.parse(date ?? '');
    if (Number.isNaN(at)) return false;
    const shown = at - sentAt;
    if (!this.#isOld(shown, tolerance[method])) {
      if (method === 'POST') this.#learn(shown);
      return false;
    }
    await (this.#asking ??= this.#askTime().finally(() => (this.#asking = undefined)));
    return this.#isOld(shown, tolerance[method]);
  }

  /** A question may be lost too. */
  async #askTime(): Promise<void> {
    for (let question = 0; question < mostQuestions; question += 1) {
      const sentAt = this.#clock.monotonic();
      const answer = await this.#ask();
      const at = Date.parse(answer?.date ?? '');
      if (answer === undefined || isAged(answer.age) || Number.isNaN(at)) continue;
      this.#learn(at - sentAt);
      return;
    }
  }

  #isOld(shown: number, ms: number): boolean {
    // Before anything is known, its clocks are taken to be as right as the one here.
    const { now, monotonic } = this.#clock;
    const clocks = this.#clocks.length === 0 ? [now() - monotonic()] : this.#clocks;
    return shown < Math.max(...clocks) - ms && clocks.every((clock) => Math.abs(shown - clock) > ms);
  }

  #learn(shown: number): void {
    const near = this.#clocks.findIndex((clock) => Math.abs(shown - clock) <= tolerance.GET);
    if (near >= 0) this.#clocks[near] = Math.max(shown, this.#clocks[near] ?? shown);
    else this.#clocks.push(shown);
    if (this.#clocks.length > mostClocks) this.#clocks.shift();
  }
}

function isAged(age: string | undefined): boolean {
  return /^\s*0*[1-9]\d*/.test(age ?? '');
}
