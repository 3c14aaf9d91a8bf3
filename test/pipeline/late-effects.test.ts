import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Settings } from '../../src/pipeline/settings.ts';
import { defaultSettings, lost, ok, planOf, Harness, serverError } from './harness.ts';
import { SimulatedTime } from './simulated-time.ts';

const second = 1000;
/** A request may take 190 s, and a proxy may hold it for another minute. */
const underWay = 250 * second;
const settings: Partial<Settings> = {
  patience: { ...defaultSettings.patience, quietPeriodMs: underWay, quietFrom: 'sending' },
};
const agreement = { agreements: [{ agreements: [] }] };
const transaction = { transaction_id: '1', transaction_date: '2024-01-01', amount: '1.00', type: 'CHARGE' };
const statement = {
  statement_id: '1',
  bill_period_from_date: '2024-01-01',
  bill_period_to_date: '2024-02-01',
};
const unknown = ok({ status: 'UNKNOWN' }, 200);
const completed = ok({ status: 'COMPLETED', krakenAccountNumber: 'A-1' }, 200);

let harness: Harness;
let time: SimulatedTime;
/** When each endpoint was asked, in seconds since the test began. */
let asked: [endpoint: string, at: number][];
beforeEach(() => {
  harness = new Harness();
  harness.time = time = new SimulatedTime();
  asked = [];
  harness.platform.onRequest = (endpoint) => void asked.push([endpoint, time.monotonic() / second]);
});
afterEach(() => harness.dispose());

const run = (plans = [planOf('1')], more: Partial<Settings> = {}) =>
  harness.run(plans, { ...settings, ...more });

describe('after a lost answer', () => {
  it('process is not repeated while a proxy may still deliver the request: three minutes later it is one account', async () => {
    harness.platform
      .answers('process', lost('headers_timeout'))
      .answers('transferStatus', unknown, completed);
    expect(await run()).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(asked.slice(2)).toEqual([
      ['process', 0],
      ['transferStatus', 0],
      ['transferStatus', 250],
    ]);
  });

  it('a run whose accounts all wait says until when, and not before', async () => {
    harness.platform.answers('process', lost()).answers('transferStatus', unknown, unknown);
    await run([planOf('1'), planOf('2')]);
    const told = harness.events.flatMap((event): (string | number | undefined)[] => {
      if (event.type === 'account') return [event.account];
      return event.type === 'flow' ? [event.waitsUntil] : [];
    });
    const ofSecond = told.indexOf('2');
    expect(told.slice(0, ofSecond).filter((until) => until !== undefined)).toEqual([]);
    expect(told.slice(ofSecond + 1)).toEqual([time.now(), undefined, '1']);
  });

  it('process is repeated as soon as the request can no longer be under way', async () => {
    harness.platform.answers('process', lost()).answers('transferStatus', unknown, unknown);
    expect(await run()).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(asked.at(-1)).toEqual(['process', 250]);
  });

  it('process is repeated at once where the platform itself said that it failed', async () => {
    harness.platform.answers('process', serverError).answers('transferStatus', unknown);
    expect(await run()).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(asked.at(-1)).toEqual(['process', 0]);
  });

  it('agreements and a payment instruction are repeated when the request can no longer be under way', async () => {
    harness.platform.answers('agreements', lost()).answers('paymentInstruction', lost());
    const plan = planOf('1', {
      ...agreement,
      'payment-instruction': [{ vendor: 'V', reference: 'r', type: 'CARD' }],
    });
    const tenancy = { ...defaultSettings.tenancy, agreementsMayRepeat: true };
    expect(await run([plan], { tenancy })).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    const [, again] = asked.filter(([endpoint]) => endpoint === 'agreements');
    expect(again?.[1]).toBeGreaterThanOrEqual(250);
    const instructions = asked.filter(([endpoint]) => endpoint === 'paymentInstruction');
    expect((instructions[1]?.[1] ?? 0) - (instructions[0]?.[1] ?? 0)).toBeGreaterThanOrEqual(250);
  });

  it('nothing is waited for before what may be repeated freely', async () => {
    for (const endpoint of ['validate', 'stage', 'notes', 'transactions', 'statements'] as const)
      harness.platform.answers(endpoint, lost());
    const plan = planOf('1', {
      notes: [{ notes: [{ body: 'a' }] }],
      transactions: [{ transactions: [transaction] }],
      statements: [{ statements: [statement] }],
    });
    const result = await run([plan]);
    expect(result).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    expect(result.durationMs).toBeLessThan(5 * second);
  });

  it('of other data, staging waits until that cannot arrive any more and be staged over the new', async () => {
    harness.platform.answers('stage', ...Array.from({ length: 3 }, () => lost()));
    expect(await run([planOf('1')])).toMatchObject({ accounts: { failed: 1 } });
    const lostAt = asked.at(-1)?.[1] ?? 0;
    asked = [];
    expect(await run([planOf('1', {}, { sales_channel: 'EVENTS' })])).toMatchObject({
      exit: 0,
      accounts: { completed: 1 },
    });
    const [validated, staged] = asked;
    expect(validated?.[1]).toBe(lostAt);
    expect(staged).toEqual(['stage', lostAt + 250]);
  });
});

describe('an account that waits for a lost request', () => {
  it('leaves its place to others: five in a hundred do not slow a run', async () => {
    harness.platform.answers('process', ...Array.from({ length: 5 }, () => lost()));
    const plans = Array.from({ length: 100 }, (_, account) => planOf(String(account)));
    const ended: number[] = [];
    const result = run(plans, { concurrency: 2 });
    expect(await result).toMatchObject({ exit: 0, accounts: { completed: 100 } });
    for (const event of harness.events) if (event.type === 'account') ended.push(1);
    expect(ended).toHaveLength(100);
    // All others had been created before those five were asked about again.
    const created = asked.filter(([endpoint, at]) => endpoint === 'process' && at < 250);
    expect(created).toHaveLength(100);
    expect(asked.filter(([endpoint, at]) => endpoint === 'process' && at >= 250)).toHaveLength(5);
    expect((await result).durationMs).toBeLessThan(260 * second);
  });

  it('stops waiting at once when the run is stopped, and the next run waits for what remains', async () => {
    harness.platform.answers('process', lost()).answers('transferStatus', unknown, unknown, unknown);
    const stopped = run();
    await time.sleep(60 * second);
    harness.stop.stop('interrupt');
    expect(await stopped).toMatchObject({ exit: 6, durationMs: 60 * second });
    expect(await run()).toMatchObject({ exit: 0, durationMs: 190 * second });
    expect(harness.platform.times('process')).toBe(2);
  });

  it.each([
    ['back', -3_600 * second],
    ['back by years', -1e11],
    ['into the future', 40 * second],
  ])('waits for one whole period at most where the clock was set %s between two runs', async (_, byMs) => {
    harness.platform.answers('process', lost()).answers('transferStatus', unknown, unknown, unknown);
    const stopped = run();
    await time.sleep(60 * second);
    harness.stop.stop('interrupt');
    await stopped;
    time.set(byMs);
    const { durationMs } = await run();
    expect(durationMs).toBe(byMs < 0 ? underWay : 150 * second);
  });

  it.each([
    ['forward', 3_600 * second],
    ['back', -3_600 * second],
  ])('waits for no more and no less where the clock is set %s while it runs', async (_, byMs) => {
    harness.platform.answers('process', lost()).answers('transferStatus', unknown, unknown, unknown);
    const stopped = run();
    await time.sleep(60 * second);
    harness.stop.stop('interrupt');
    await stopped;
    let isSet = false;
    harness.platform.onRequest = (endpoint) => {
      asked.push([endpoint, time.monotonic() / second]);
      if (!isSet) time.set(byMs);
      isSet = true;
    };
    await run([planOf('0'), planOf('1')]);
    expect(asked.at(-1)).toEqual(['process', 250]);
  });
});
