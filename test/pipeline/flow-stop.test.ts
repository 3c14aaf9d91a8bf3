import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Settings } from '../../src/pipeline/settings.ts';
import { lost, notSent, ok, planOf, refused, Harness, throttled, unauthorized } from './harness.ts';
import { SimulatedTime } from './simulated-time.ts';

let harness: Harness;
let time: SimulatedTime;
let began: number;
beforeEach(() => {
  harness = new Harness();
  harness.time = time = new SimulatedTime();
  began = time.now();
});
afterEach(() => harness.dispose());

const plans = Array.from({ length: 40 }, (_, account) => planOf(String(account)));
const patient: Partial<Settings> = {
  concurrency: 8,
  retry: {
    attempts: 3,
    throttledAttempts: 100,
    baseMs: 3_000_000,
    capMs: 3_000_000,
    retryAfterCapMs: 3_600_000,
  },
  patience: {
    quietPeriodMs: 3_600_000,
    statusPollMs: 3_600_000,
    inProgressMs: 36_000_000,
    credentialsMs: 30_000,
    laggingMs: 30_000,
    unavailableMs: 36_000_000,
  },
};
const inProgress = ok({ status: 'IN_PROGRESS' }, 200);

/** Stops the run a minute after it began to wait, and gives how long after that it ended. */
async function stoppedInMidWait(settings: Partial<Settings> = {}): Promise<number> {
  const running = harness.run(plans, { ...patient, ...settings });
  await time.sleep(60_000);
  harness.stop.stop('interrupt');
  const result = await running;
  expect(result).toMatchObject({
    exit: 6,
    stop: { reason: 'interrupt' },
    accounts: { failed: 0, uncertain: 0 },
  });
  expect(result.accounts.pending + result.accounts.staged).toBeGreaterThan(0);
  return time.now() - began - 60_000;
}

describe('an interrupt ends at once the waiting', () => {
  it('before a repetition', async () => {
    harness.platform.answers('validate', notSent, notSent);
    expect(await stoppedInMidWait({ concurrency: 1 })).toBe(0);
    expect(harness.platform.asked).toHaveLength(1);
  });

  it('for as long as Retry-After says', async () => {
    harness.platform.answers('validate', throttled(3_000_000));
    expect(await stoppedInMidWait({ concurrency: 1 })).toBe(0);
  });

  it('of everybody, where nothing but refusals comes', async () => {
    harness.platform.gone = throttled(3_000_000);
    expect(await stoppedInMidWait()).toBe(0);
    expect(harness.platform.asked.length).toBeLessThan(8);
  });

  it('for a place, while others are under way', async () => {
    harness.platform.hanging.add('validate');
    const running = harness.run(plans, patient);
    await time.sleep(60_000);
    harness.stop.stop('interrupt');
    await time.sleep(1000);
    // What is under way may finish.
    harness.stop.abort('interrupt');
    expect(await running).toMatchObject({ exit: 6, requests: 2 });
  });

  it('for a token of the rate', async () => {
    const running = harness.run(plans, { ...patient, rate: 1 });
    await time.sleep(5500);
    harness.stop.stop('interrupt');
    expect(await running).toMatchObject({ exit: 6, requests: 6 });
    expect(time.now() - began).toBe(5500);
  });

  it('for a platform that is dead', async () => {
    harness.platform.onRequest = () => {
      if (harness.platform.asked.length === 20) harness.platform.gone = notSent;
    };
    expect(await stoppedInMidWait()).toBe(0);
    expect(harness.events.some((event) => event.type === 'outage')).toBe(true);
  });

  it('for IN_PROGRESS to end, and for the quiet period after a lost answer', async () => {
    harness.platform.answers('process', lost()).answers('transferStatus', inProgress);
    expect(await stoppedInMidWait({ concurrency: 1 })).toBe(0);
    harness.platform.answers('transferStatus', ok({ status: 'UNKNOWN' }, 200));
    began = time.now();
    expect(await stoppedInMidWait({ concurrency: 1 })).toBe(0);
  });
});

it('a wait that Retry-After asks for is bounded', async () => {
  harness.platform.answers('validate', throttled(36_000_000)).answers('stage', {
    kind: 'unknown',
    cause: 'http_503',
    status: 503,
    retryAfterMs: 30_000,
  });
  expect(await harness.run(plans.slice(0, 1), patient)).toMatchObject({ exit: 0 });
  expect(time.now() - began).toBe(3_600_000 + 30_000);
});

describe('a whole step', () => {
  const timeouts = { stepMs: 60_000 };

  it('that takes too long is cut off; what was sent is unknown, and the next run finds out first', async () => {
    harness.platform.hanging.add('process');
    const one = plans.slice(0, 1);
    expect(await harness.run(one, { timeouts })).toMatchObject({ exit: 3, accounts: { failed: 1 } });
    expect(time.now() - began).toBeGreaterThanOrEqual(60_000);
    expect(time.now() - began).toBeLessThan(70_000);
    expect(harness.events.at(-1)).toMatchObject({ code: 'step_timeout' });

    harness.platform.hanging.clear();
    const before = harness.platform.asked.length;
    expect(await harness.run(one, { timeouts })).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(harness.platform.asked[before]?.endpoint).toBe('transferStatus');
  });

  it('that is cut off cuts off no other', async () => {
    harness.platform.hanging.add('process');
    harness.platform.onRequest = () => {
      if (harness.platform.times('process') === 1) harness.platform.hanging.clear();
    };
    expect(await harness.run(plans.slice(0, 4), { timeouts })).toMatchObject({
      accounts: { failed: 1, completed: 3 },
    });
  });

  it('has all of its time, however long ago the run began', async () => {
    harness.platform.answers('stage', throttled(20_000)).hanging.add('process');
    expect(await harness.run(plans.slice(0, 1), { timeouts })).toMatchObject({ accounts: { failed: 1 } });
    expect(time.now() - began).toBeGreaterThanOrEqual(80_000);
    expect(time.now() - began).toBeLessThan(90_000);
  });

  it('is watched by one timer for all of them, which does not outlive the run', async () => {
    const sleep = vi.spyOn(time, 'sleep');
    const aDay = 86_400_000;
    const settings = { timeouts: { stepMs: aDay } };
    expect(await harness.run(plans.slice(0, 4), settings)).toMatchObject({ accounts: { completed: 4 } });
    expect(sleep.mock.calls.filter(([ms]) => ms === aDay)).toHaveLength(1);
    expect(time.waiting).toBe(0);
  });

  it('is not begun anew by its repetitions', async () => {
    harness.platform.gone = throttled(25_000);
    const settings = { ...patient, timeouts, concurrency: 1 };
    expect(await harness.run(plans.slice(0, 1), settings)).toMatchObject({ accounts: { failed: 1 } });
    expect(harness.platform.asked).toHaveLength(3);
    expect(time.now() - began).toBe(60_000);
  });

  it('does not pay for the time in which the platform is dead', async () => {
    harness.platform.onRequest = () => {
      if (harness.platform.asked.length !== 20) return;
      harness.platform.gone = notSent;
      void time.sleep(600_000).then(() => (harness.platform.gone = undefined));
    };
    const retry = { ...patient.retry!, baseMs: 500, capMs: 30_000 };
    expect(await harness.run(plans, { ...patient, retry, timeouts })).toMatchObject({
      exit: 0,
      accounts: { completed: 40 },
    });
  });

  it('nor for waiting until the rate lets it through', async () => {
    const settings = { ...patient, timeouts: { stepMs: 5_000 }, rate: 1, concurrency: 8 };
    expect(await harness.run(plans, settings)).toMatchObject({ exit: 0, accounts: { completed: 40 } });
  });
});

describe('a whole run', () => {
  it('that lasts too long drains, and says that work is left', async () => {
    const timeouts = { stepMs: 86_400_000, runMs: 10_000 };
    const result = await harness.run(plans, { ...patient, rate: 2, timeouts });
    expect(result).toMatchObject({ exit: 6, stop: { reason: 'run-timeout' }, accounts: { failed: 0 } });
    expect(time.now() - began).toBe(10_000);
    expect(await harness.run(plans, patient)).toMatchObject({ exit: 0, accounts: { completed: 40 } });
  });
});

describe('an import supplier that is not Ongoing any more', () => {
  it('has none of its accounts sent any more, also of those that wait in line', async () => {
    const closed = refused('import_supplier_migration_not_ongoing');
    harness.platform.onRequest = () => {
      if (harness.platform.asked.length === 12) harness.platform.gone = closed;
    };
    // Thirty may be under way, of which two are let through at a time.
    const settings = { ...patient, concurrency: 30, rate: 4 };
    expect(await harness.run(plans, settings)).toMatchObject({
      exit: 5,
      stop: { reason: 'supplier-not-ongoing' },
      accounts: { rejected: 0, failed: 0 },
    });
    expect(harness.platform.asked.length).toBeLessThan(16);
  });

  it('does not keep an account that exists from its history', async () => {
    const note = (body: string) => ({ notes: [{ notes: [{ body }] }] });
    expect(await harness.run([planOf('0', note('one'))], patient)).toMatchObject({
      accounts: { completed: 1 },
    });
    harness.platform.answers('validate', refused('import_supplier_migration_not_ongoing'));
    // The first request of the new account is answered while the other waits for its turn.
    const both = [planOf('new'), planOf('0', { notes: [{ notes: [{ body: 'one' }, { body: 'two' }] }] })];
    expect(await harness.run(both, { ...patient, concurrency: 2, rate: 1 })).toMatchObject({
      exit: 5,
      accounts: { pending: 1, completed: 1 },
    });
  });
});

describe('a token', () => {
  it('that ends again and again is renewed, as long as requests are answered in between', async () => {
    let served = 0;
    harness.platform.onRequest = (endpoint) => {
      if (endpoint === 'validate' && ++served % 5 === 0) harness.platform.answers('validate', unauthorized);
    };
    expect(await harness.run(plans, patient)).toMatchObject({ exit: 0, accounts: { completed: 40 } });
  });

  it('that is refused again and again ends the run', async () => {
    harness.platform.gone = unauthorized;
    expect(await harness.run(plans, patient)).toMatchObject({ exit: 4, stop: { reason: 'credentials' } });
    expect(harness.platform.asked.length).toBeLessThan(30);
  });

  it('ends the run soon after the patience for it, however many requests wait for one that is tried', async () => {
    harness.platform.gone = unauthorized;
    expect(await harness.run(plans, { ...patient, concurrency: 40 })).toMatchObject({
      stop: { reason: 'credentials' },
    });
    expect(time.now() - began).toBeLessThan(36_000);
  });
});
