import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RequestDeadlines, tooLate } from '../../../src/pipeline/flow/deadlines.ts';

/** A clock whose sleeps last until the test lets time pass. */
class Time {
  #now = 1_000;
  readonly sleeps: { at: number; signal: AbortSignal | undefined; wake: () => void }[] = [];

  now = () => 0;
  monotonic = () => this.#now;
  sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((wake, reject) => {
      this.sleeps.push({ at: this.#now + ms, signal, wake });
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });

  get waiting(): number[] {
    return this.sleeps.filter(({ signal }) => signal?.aborted !== true).map(({ at }) => at);
  }

  /** Wakes who is due. */
  async pass(ms: number): Promise<void> {
    this.#now += ms;
    const due = this.sleeps.filter(({ at }) => at <= this.#now);
    for (const one of due) {
      this.sleeps.splice(this.sleeps.indexOf(one), 1);
      one.wake();
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('a request', () => {
  let time: Time;
  let stop: AbortController;
  let faults: unknown[];
  let deadlines: RequestDeadlines;
  beforeEach(() => {
    [time, stop, faults] = [new Time(), new AbortController(), []];
    deadlines = new RequestDeadlines(time, stop.signal, (fault) => void faults.push(fault));
  });
  afterEach(() => expect(faults).toEqual([]));

  it('is cut off once it has taken too long, and not before', async () => {
    const { signal } = deadlines.start(100);
    await time.pass(99);
    expect(signal.aborted).toBe(false);
    await time.pass(1);
    expect(signal.reason).toBe(tooLate);
    expect(tooLate.message).toBe('The step has taken too long.');
    expect(time.waiting).toEqual([]);
  });

  it('is cut off in its turn, whichever began first', async () => {
    const slow = deadlines.start(300);
    const quick = deadlines.start(100);
    const other = deadlines.start(200);
    expect(time.waiting).toEqual([1_100]);
    await time.pass(100);
    expect([slow, quick, other].map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
    expect(time.waiting).toEqual([1_200]);
    await time.pass(100);
    expect([slow, other].map(({ signal }) => signal.aborted)).toEqual([false, true]);
    await time.pass(100);
    expect(slow.signal.aborted).toBe(true);
  });

  it('is not cut off after it has ended, and its signal serves the next one', async () => {
    const first = deadlines.start(100);
    deadlines.end(first);
    const next = deadlines.start(200);
    expect(next).toBe(first);
    await time.pass(100);
    expect(next.signal.aborted).toBe(false);
    await time.pass(100);
    expect(next.signal.reason).toBe(tooLate);
    deadlines.end(next);
    expect(deadlines.start(100).signal.aborted).toBe(false);
  });

  it('is cut off with all others when the run is aborted, and so is one that begins after that', () => {
    const running = deadlines.start(100);
    stop.abort();
    expect(running.signal.aborted).toBe(true);
    expect(running.signal.reason).not.toBe(tooLate);
    expect(deadlines.start(100).signal.aborted).toBe(true);
  });

  it('leaves no timer once no more follow', () => {
    deadlines.close();
    deadlines.start(100);
    deadlines.close();
    expect(time.waiting).toEqual([]);
  });
});

it('a fault of the clock is told', async () => {
  const faults: unknown[] = [];
  const fault = new Error('broken');
  const clock = { now: () => 0, monotonic: () => 0, sleep: () => Promise.reject(fault) };
  new RequestDeadlines(clock, new AbortController().signal, (error) => void faults.push(error)).start(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(faults).toEqual([fault]);
});
