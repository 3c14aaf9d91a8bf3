import type { Clock } from '../../src/domain/clock.ts';
import { Heap } from './heap.ts';

interface Timer {
  readonly at: number;
  readonly wake: () => void;
  isOff: boolean;
}

/** Spans that nobody skips while something else may be under way, in ms: the longer, the more surely. */
const aMoment = 500;
const aWhile = 10_000;
const aLongWhile = 60_000;

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock that a test owns and that jumps from one sleeper's waking to the next, however far apart these are. */
export class SimulatedTime implements Clock {
  /** Time that has passed. */
  #now = 0;
  #wallAtStart = Date.UTC(2024, 6, 1);
  readonly #timers = new Heap<Timer>((one, other) => one.at < other.at);

  now(): number {
    return Math.floor(this.#wallAtStart + this.#now);
  }

  monotonic(): number {
    return this.#now;
  }

  /** Sets what the clock on the wall shows forward, or back: no time passes. */
  set(byMs: number): void {
    this.#wallAtStart += byMs;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#timers.count(({ isOff }) => !isOff);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        timer.isOff = true;
        reject(signal?.reason as Error);
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const timer = { at: this.#now + ms, wake, isOff: false };
      if (signal?.aborted === true) {
        leave();
        return;
      }
      signal?.addEventListener('abort', leave);
      this.#timers.push(timer);
    });
  }

  /** Lets time pass until the work is done. */
  async until<T>(work: Promise<T>): Promise<T> {
    const ended = new AbortController();
    const isDone = (): boolean => ended.signal.aborted;
    const done = work.finally(() => ended.abort());
    done.catch(() => undefined);
    while (!isDone()) {
      // What is under way without a clock (a commit, a chain of promises) comes to its end first.
      await turns(2);
      if (this.#nextIn() > aMoment) await turns(20);
      if (this.#nextIn() > aWhile) await turns(100);
      if (this.#nextIn() > aLongWhile) await turns(3000);
      if (!isDone() && !this.#wakeNext()) throw new Error('everybody waits, and nobody for the time');
    }
    return done;
  }

  /** How far off the next waking is, in ms. */
  #nextIn(): number {
    while (this.#timers.first?.isOff === true) this.#timers.pop();
    return (this.#timers.first?.at ?? Infinity) - this.#now;
  }

  #wakeNext(): boolean {
    for (let timer = this.#timers.pop(); timer !== undefined; timer = this.#timers.pop()) {
      if (timer.isOff) continue;
      this.#now = Math.max(this.#now, timer.at);
      timer.wake();
      return true;
    }
    return false;
  }
}
