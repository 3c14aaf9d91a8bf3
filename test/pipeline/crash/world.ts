import type { Clock } from '../../../src/domain/clock.ts';
import { Heap } from '../heap.ts';

interface Sleeper {
  readonly at: number;
  /** Of those that wake at one time, the one that slept first is first. */
  readonly order: number;
  readonly life: Life;
  isOff: boolean;
  wake(): void;
}

function isBefore(one: Sleeper, other: Sleeper): boolean {
  return one.at === other.at ? one.order < other.order : one.at < other.at;
}

/** Turns of the event loop without a word from anybody after which everybody is taken to wait for the time. */
const quietTurns = 3;

/** Time as a test owns it: it stands still while anything happens, and passes when all that live only wait for it. */
export class World {
  /** Time that has passed, in ms. */
  now = 0;
  /** What the clock on the wall shows when no time has passed, in ms since the epoch: to be set forward or back. */
  wallAtStart = Date.UTC(2024, 6, 1);
  readonly #sleepers = new Heap<Sleeper>(isBefore);
  #slept = 0;
  #stirred = 0;
  #passing = false;
  /** What a real server is asked to do. */
  readonly #works = new Set<Promise<unknown>>();

  /** What the clock on the wall shows: whole milliseconds. */
  get wall(): number {
    return Math.floor(this.wallAtStart + this.now);
  }

  /** Says that something happens. */
  stir(): void {
    this.#stirred += 1;
  }

  /** Time stands still until this work of a real server is done. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const working = work();
    const done = working.catch(() => undefined);
    this.#works.add(done);
    try {
      return await working;
    } finally {
      this.#works.delete(done);
      this.stir();
    }
  }

  /** Lets a stopped process go on. */
  wake(life: Life): void {
    life.wake();
    if (!this.#passing) void this.#pass();
  }

  clock(life: Life): Clock {
    return {
      now: () => this.wall,
      monotonic: () => this.now,
      sleep: async (ms, signal) => {
        signal?.throwIfAborted();
        await new Promise<void>((resolve, reject) => {
          const order = (this.#slept += 1);
          const leave = (): void => {
            sleeper.isOff = true;
            reject(signal?.reason as Error);
          };
          const wake = (): void => {
            signal?.removeEventListener('abort', leave);
            resolve();
          };
          const sleeper = { at: this.now + ms, order, life, isOff: false, wake };
          signal?.addEventListener('abort', leave);
          this.#sleepers.push(sleeper);
          this.stir();
          if (!this.#passing) void this.#pass();
        });
        await life.breath();
        signal?.throwIfAborted();
      },
    };
  }

  /** Lets time pass for those that wait. */
  async #pass(): Promise<void> {
    this.#passing = true;
    for (;;) {
      await this.quiet();
      const next = this.#next();
      if (next === undefined) break;
      this.now = Math.max(this.now, next.at);
      next.wake();
    }
    this.#passing = false;
  }

  /** The first sleeper of a process that is awake; those of a stopped one sleep on. */
  #next(): Sleeper | undefined {
    const stopped: Sleeper[] = [];
    let next = this.#sleepers.pop();
    for (; next !== undefined; next = this.#sleepers.pop()) {
      if (next.isOff || next.life.isOver) continue;
      if (next.life.isAwake) break;
      stopped.push(next);
    }
    for (const one of stopped) this.#sleepers.push(one);
    return next;
  }

  /** Resolves when nothing happens any more before time has passed. */
  async quiet(): Promise<void> {
    for (let turns = 0, seen = this.#stirred; turns < quietTurns; turns += 1) {
      while (this.#works.size > 0) await Promise.all(this.#works);
      await new Promise((resolve) => setImmediate(resolve));
      if (seen === this.#stirred && this.#works.size === 0) continue;
      seen = this.#stirred;
      turns = -1;
    }
  }
}

/** A process as a test owns it: it can be killed, or stopped and woken later, between any two of its doings. */
export class Life {
  isOver = false;
  isAwake = true;
  /** Resolves when it is killed or stopped. */
  readonly fallen: Promise<void>;
  /** Resolves when it is killed. */
  readonly dead: Promise<void>;
  #fall: () => void = () => undefined;
  #die: () => void = () => undefined;
  #waking: Promise<void> = Promise.resolve();
  #wake: () => void = () => undefined;

  constructor() {
    this.fallen = new Promise((resolve) => (this.#fall = resolve));
    this.dead = new Promise((resolve) => (this.#die = resolve));
  }

  /** Awaited before and after everything that it does to the world; never resolves once it is over. */
  async breath(): Promise<void> {
    while (!this.isAwake) await this.#waking;
    if (this.isOver) await new Promise(() => undefined);
  }

  kill(): void {
    this.isOver = true;
    this.#fall();
    this.#die();
  }

  stop(): void {
    this.isAwake = false;
    this.#waking = new Promise((resolve) => (this.#wake = resolve));
    this.#fall();
  }

  wake(): void {
    this.isAwake = true;
    this.#wake();
  }
}
