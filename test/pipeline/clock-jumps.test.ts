import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lost, ok, planOf, Harness, throttled } from './harness.ts';
import { SimulatedTime } from './simulated-time.ts';

const anHour = 3_600_000;

let harness: Harness;
let time: SimulatedTime;
beforeEach(() => {
  harness = new Harness();
  harness.time = time = new SimulatedTime();
});
afterEach(() => harness.dispose());

const plans = Array.from({ length: 40 }, (_, account) => planOf(String(account)));

/** Sets the clock on the wall when the platform is asked for the n-th time. */
function setAt(n: number, byMs: number): void {
  harness.platform.onRequest = () => {
    if (harness.platform.asked.length === n) time.set(byMs);
  };
}

describe.each([
  ['forward', anHour],
  ['back', -anHour],
])('a clock that is set an hour %s in the middle of a run', (_, byMs) => {
  it('makes no step overdue, and no wait longer or shorter', async () => {
    setAt(30, byMs);
    harness.platform.answers('stage', throttled(20_000), lost(), throttled(20_000));
    const result = await harness.run(plans, { concurrency: 8, rate: 10, timeouts: { stepMs: 1_800_000 } });
    expect(result).toMatchObject({ exit: 0, accounts: { completed: 40 } });
    expect(result.durationMs).toBe(time.monotonic());
    expect(result.durationMs).toBeLessThan(60_000);
  });

  it('leaves a process that is in progress its patience', async () => {
    harness.platform.answers('process', lost());
    const inProgress = ok({ status: 'IN_PROGRESS' }, 200);
    const completed = ok({ status: 'COMPLETED', krakenAccountNumber: 'A-0' }, 200);
    harness.platform.answers('transferStatus', ...Array.from({ length: 8 }, () => inProgress), completed);
    setAt(6, byMs);
    const result = await harness.run(plans.slice(0, 1));
    expect(result).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(result.durationMs).toBe(8_000);
    expect(harness.platform.times('process')).toBe(1);
  });

  it('changes nothing of how long a lost request is waited for', async () => {
    harness.platform.answers('process', lost());
    setAt(4, byMs);
    const result = await harness.run(plans.slice(0, 1));
    expect(result).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(result.durationMs).toBe(5_000);
    expect(harness.platform.times('transferStatus')).toBe(2);
  });
});

describe.each([
  ['forward', anHour],
  ['back', -anHour],
])('a clock that is set an hour %s between two runs', (_, byMs) => {
  it('changes nothing of how long a request that the first one lost is waited for', async () => {
    harness.boot = { id: 'boot', at: 0 };
    harness.platform.answers('process', lost());
    harness.platform.onRequest = (endpoint) => {
      if (endpoint === 'transferStatus') harness.stop.abort('interrupt');
    };
    await harness.run(plans.slice(0, 1));
    harness.platform.onRequest = () => undefined;
    time.set(byMs);
    harness.boot = { id: 'boot', at: byMs };
    const result = await harness.run(plans.slice(0, 1));
    expect(result).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(result.durationMs).toBe(5_000);
    expect(harness.platform.times('process')).toBe(2);
  });
});

describe.each([
  ['forward', anHour],
  ['back', -anHour],
])('a clock that is set an hour %s in the middle of a run, and right again at its end', (_, byMs) => {
  it('changes nothing of how long a request that this run lost is waited for', async () => {
    harness.boot = { id: 'boot', at: 0 };
    harness.platform.answers('process', lost());
    harness.platform.onRequest = (endpoint) => {
      if (endpoint === 'stage') time.set(byMs);
      if (endpoint !== 'transferStatus') return;
      time.set(-byMs);
      harness.stop.abort('interrupt');
    };
    await harness.run(plans.slice(0, 1));
    harness.platform.onRequest = () => undefined;
    const result = await harness.run(plans.slice(0, 1));
    expect(result).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(result.durationMs).toBe(5_000);
    expect(harness.platform.times('process')).toBe(2);
  });
});
