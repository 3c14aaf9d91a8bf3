import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lost, notSent, planOf, Harness, serverError } from './harness.ts';
import { SimulatedTime } from './simulated-time.ts';

let harness: Harness;
let time: SimulatedTime;
beforeEach(() => {
  harness = new Harness();
  harness.time = time = new SimulatedTime();
});
afterEach(() => harness.dispose());

const plans = Array.from({ length: 60 }, (_, account) => planOf(String(account)));
const settings = {
  concurrency: 16,
  retry: { attempts: 3, throttledAttempts: 5, baseMs: 500, capMs: 30_000, retryAfterCapMs: 60_000 },
  patience: {
    quietPeriodMs: 5000,
    statusPollMs: 1000,
    inProgressMs: 10_000,
    credentialsMs: 30_000,
    laggingMs: 30_000,
    unavailableMs: 900_000,
  },
};

/** The platform goes when so many requests have been sent, and comes back after so long. */
function goesAway(
  after: number,
  answer = notSent,
  forMs = Infinity,
): { readonly askedMeanwhile: () => number } {
  let wentAt = 0;
  let askedThen = 0;
  harness.platform.onRequest = () => {
    if (harness.platform.asked.length !== after || wentAt !== 0) return;
    wentAt = time.now();
    harness.platform.gone = answer;
    if (forMs === Infinity) return;
    void time.sleep(forMs).then(() => {
      askedThen = harness.platform.asked.length;
      harness.platform.gone = undefined;
    });
  };
  return { askedMeanwhile: () => (askedThen === 0 ? harness.platform.asked.length : askedThen) - after };
}

describe('a platform that goes away in mid-run', () => {
  it.each([
    ['refuses connections', notSent],
    ['answers 502 to everything', { kind: 'unknown', cause: 'http_502', status: 502 } as const],
    ['answers 500 to everything', serverError],
    ['answers nothing that can be read', lost('unreadable_answer')],
  ])('and %s is asked seldom, and the run goes on by itself when it is back', async (_what, answer) => {
    const outage = goesAway(40, answer, 300_000);
    expect(await harness.run(plans, settings)).toMatchObject({ exit: 0, accounts: { completed: 60 } });
    // Those that were under way, and then one now and then.
    expect(outage.askedMeanwhile()).toBeLessThan(40);
    const told = harness.events.filter((event) => event.type === 'outage' || event.type === 'recovered');
    expect(told).toMatchObject([{ type: 'outage', givesUpInMs: 900_000 }, { type: 'recovered' }]);
    expect(harness.events.filter((event) => event.type === 'flow' && event.isDead)).not.toEqual([]);
  });

  it('and is asked again where a question is answered with 413', async () => {
    goesAway(40, notSent, 300_000);
    const onRequest = harness.platform.onRequest;
    harness.platform.onRequest = (...request) => {
      onRequest(...request);
      if (harness.platform.gone !== undefined && harness.platform.asked.length > 60)
        harness.platform.gone = { kind: 'unknown', cause: 'gateway_answer', status: 413 };
    };
    expect(await harness.run(plans, settings)).toMatchObject({ exit: 0, accounts: { completed: 60 } });
  });

  it('and stays away ends the run as unavailable after the configured time, and no account is marked failed', async () => {
    const outage = goesAway(40);
    const began = time.now();
    const result = await harness.run(plans, settings);
    expect(result).toMatchObject({ exit: 5, stop: { reason: 'unavailable', detail: 'connection_refused' } });
    expect(result.accounts).toMatchObject({ failed: 0, rejected: 0, uncertain: 0 });
    expect(time.now() - began).toBeGreaterThanOrEqual(900_000);
    expect(time.now() - began).toBeLessThan(960_000);
    expect(outage.askedMeanwhile()).toBeLessThan(70);

    harness.platform.gone = undefined;
    expect(await harness.run(plans, settings)).toMatchObject({ exit: 0, accounts: { completed: 60 } });
  });

  it('and is still away when the allowed hours end: that is why the run ends', async () => {
    goesAway(40);
    void time.sleep(600_000).then(() => harness.stop.stop('hours'));
    const result = await harness.run(plans, settings);
    expect(result).toMatchObject({ exit: 5, stop: { reason: 'unavailable', detail: 'connection_refused' } });
  });

  it('and is away when somebody stops the run: it was interrupted, and notes the outage', async () => {
    goesAway(40);
    void time.sleep(600_000).then(() => harness.stop.stop('interrupt'));
    expect(await harness.run(plans, settings)).toMatchObject({
      exit: 6,
      stop: { reason: 'interrupt', detail: 'connection_refused' },
    });
  });

  it('again and again uses up no attempts', async () => {
    let requests = 0;
    harness.platform.onRequest = () => {
      requests += 1;
      if (requests % 50 !== 0) return;
      harness.platform.gone = notSent;
      void time.sleep(20_000).then(() => (harness.platform.gone = undefined));
    };
    expect(await harness.run(plans, settings)).toMatchObject({ exit: 0, accounts: { completed: 60 } });
  });
});

describe('a platform that never answered', () => {
  it('ends the run after the attempts of one request, and no longer wait is promised', async () => {
    harness.platform.gone = notSent;
    const began = time.now();
    expect(await harness.run(plans, settings)).toMatchObject({
      exit: 5,
      accounts: { pending: 60 },
      stop: { reason: 'unavailable' },
    });
    expect(harness.platform.asked.length).toBeLessThan(10);
    expect(time.now() - began).toBeLessThan(10_000);
    expect(harness.events.filter(({ type }) => type === 'outage')).toEqual([
      { type: 'outage', cause: 'connection_refused' },
    ]);
  });
});

describe('a platform that does not answer at the start of a run', () => {
  it('is awaited as long as in the middle of one, if an earlier run had answers from it', async () => {
    expect(await harness.run(plans.slice(0, 5), settings)).toMatchObject({ exit: 0 });
    harness.platform.gone = { kind: 'unknown', cause: 'http_502', status: 502 };
    void time.sleep(300_000).then(() => (harness.platform.gone = undefined));
    expect(await harness.run(plans, settings)).toMatchObject({ exit: 0, accounts: { completed: 60 } });
    expect(harness.events.filter(({ type }) => type === 'outage')).toMatchObject([{ givesUpInMs: 900_000 }]);
  });
});

describe('new connections that fail while open ones answer', () => {
  const refused = { kind: 'not-sent', cause: 'connection_refused' } as const;

  /** From the 40th request on for so long, one request in three needs a connection, which cannot be opened. */
  function failsToConnect(forMs: number): void {
    let until = Infinity;
    let requests = 0;
    const whole = harness.platform.client.bind(harness.platform);
    harness.platform.client = () => {
      const client = whole();
      const isCut = (isFresh = false): boolean => {
        requests += 1;
        if (requests === 40) until = time.now() + forMs;
        return requests >= 40 && time.now() < until && (isFresh || requests % 3 === 0);
      };
      return {
        ...client,
        post: (endpoint, body, options) =>
          isCut(options?.fresh) ? Promise.resolve(refused) : client.post(endpoint, body, options),
        transferStatus: (key, options) =>
          isCut(options?.fresh) ? Promise.resolve(refused) : client.transferStatus(key, options),
      };
    };
  }

  it.each([5_000, 600_000])('for %i ms: nobody fails, and the run goes on', async (forMs) => {
    failsToConnect(forMs);
    expect(await harness.run(plans, settings)).toMatchObject({
      exit: 0,
      accounts: { completed: 60, failed: 0 },
    });
  });

  it('for ever: the run ends as unavailable after the configured time, not sooner', async () => {
    failsToConnect(Infinity);
    const began = time.now();
    const result = await harness.run(plans, settings);
    expect(result).toMatchObject({ exit: 5, stop: { reason: 'unavailable', detail: 'connection_refused' } });
    expect(result.accounts).toMatchObject({ failed: 0, rejected: 0, uncertain: 0 });
    expect(time.now() - began).toBeGreaterThanOrEqual(900_000);
  });
});

describe('a certificate that is not accepted', () => {
  const expired = { kind: 'not-sent', cause: 'certificate_expired' } as const;

  it('ends a run at once that has had no answer yet', async () => {
    harness.platform.gone = expired;
    const began = time.now();
    expect(await harness.run(plans, settings)).toMatchObject({
      exit: 5,
      stop: { reason: 'unavailable', detail: 'certificate_expired' },
      accounts: { pending: 60, failed: 0 },
    });
    expect(time.now()).toBe(began);
  });

  it('in mid-run is waited for: another node, or its successor, may answer', async () => {
    goesAway(40, expired, 300_000);
    expect(await harness.run(plans, settings)).toMatchObject({ exit: 0, accounts: { completed: 60 } });
  });
});

describe('an account that nothing can be done for', () => {
  it('fails after its attempts, and holds nobody up, as the platform answers when it is asked', async () => {
    const wrecks = harness.platform.client.bind(harness.platform);
    harness.platform.client = () => {
      const client = wrecks();
      return {
        ...client,
        post: (endpoint, body, options) =>
          body.includes('"external_account_number":"7"')
            ? Promise.resolve(lost('connection_reset'))
            : client.post(endpoint, body, options),
      };
    };
    expect(await harness.run(plans, { ...settings, concurrency: 1 })).toMatchObject({
      exit: 3,
      accounts: { completed: 59, failed: 1 },
    });
    expect(harness.events.filter((event) => event.type === 'outage')).toEqual([]);
  });
});
