import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/client/platform-client.ts';
import { Breaker } from '../../../src/pipeline/flow/breaker.ts';
import type { RunEvent } from '../../../src/pipeline/run/run-events.ts';
import { StopControl } from '../../../src/pipeline/run/stop-control.ts';
import { SimulatedTime } from '../simulated-time.ts';

const ok: Answer<unknown> = { kind: 'ok', status: 200, body: {} };
const lost: Answer<unknown> = { kind: 'unknown', cause: 'connection_reset' };
const gone: Answer<unknown> = { kind: 'not-sent', cause: 'connection_refused' };
const refused: Answer<unknown> = { kind: 'throttled', status: 429 };

interface Given {
  /** What the tests of the platform are answered, in order; the last one from then on. */
  readonly tests?: readonly Answer<unknown>[];
  readonly attempts?: number;
  readonly hasAnsweredBefore?: boolean;
  readonly unavailableMs?: number;
  readonly random?: number;
  /** Interrupts the run while the platform is tested. */
  readonly isInterrupted?: boolean;
}

/** A breaker on a clock of its own, and what it did. */
function breakerOf({
  tests = [ok],
  attempts = 5,
  hasAnsweredBefore = false,
  unavailableMs = 60_000,
  random = 1,
  isInterrupted = false,
}: Given) {
  const clock = new SimulatedTime();
  const stop = new StopControl();
  const events: RunEvent[] = [];
  const reopened: boolean[] = [];
  const testedAt: number[] = [];
  const bugs: unknown[] = [];
  const breaker: Breaker = new Breaker(
    {
      retry: { attempts, baseMs: 1000, capMs: 8000 },
      patience: { unavailableMs },
    } as ConstructorParameters<typeof Breaker>[0],
    {
      ...{ clock, stop, random: () => random },
      emit: (event) => events.push(event),
      probe: () => {
        testedAt.push(clock.monotonic());
        if (isInterrupted) stop.stop('interrupt');
        return Promise.resolve(tests[Math.min(testedAt.length, tests.length) - 1] ?? ok);
      },
      hasAnsweredBefore: () => Promise.resolve(hasAnsweredBefore),
      reopened: (wasDead) => reopened.push(wasDead),
      fail: (error) => bugs.push(error),
    },
  );
  const { aborting } = stop;
  return {
    ...{ breaker, clock, stop, events, reopened, testedAt, bugs },
    see: (...answers: readonly Answer<unknown>[]) => {
      for (const answer of answers) breaker.see(answer);
    },
    /** Waits as a request does. */
    pass: () => clock.until(breaker.pass(aborting)),
  };
}

describe('a platform that answers', () => {
  it('is not tested, and requests leave at once', async () => {
    const { breaker, see, pass, testedAt } = breakerOf({});
    see(ok, lost, lost, ok, lost, lost, ok);
    expect(breaker.isOpen).toBe(false);
    expect(breaker.isCertain).toBe(false);
    expect(await pass()).toBe(true);
    expect(testedAt).toEqual([]);
  });

  it('lets nothing pass whose signal is aborted', async () => {
    const { breaker, stop } = breakerOf({});
    stop.abort('interrupt');
    expect(await breaker.pass(stop.aborting)).toBe(false);
  });

  it.each<[string, Answer<unknown>]>([
    ['of this side', { kind: 'unknown', cause: 'aborted' }],
    ['that the lease was lost', { kind: 'not-sent', cause: 'lease_lost' }],
    ['that the body is too large', { kind: 'unknown', cause: 'http_413', status: 413 }],
  ])('is not suspected for what is said %s', (_what, answer) => {
    const { breaker, see } = breakerOf({});
    see(...Array.from({ length: 30 }, () => answer));
    expect(breaker.isOpen).toBe(false);
  });

  it('answers also when it refuses, and begins the count of failures anew', () => {
    const { breaker, see } = breakerOf({});
    const refusal = { problems: [], code: 'invalid', detail: '', wouldImport: false };
    see(lost, lost, { kind: 'refused', status: 400, refusal }, lost, lost);
    expect(breaker.isOpen).toBe(false);
    see(lost);
    expect(breaker.isOpen).toBe(true);
  });
});

describe('failed answers in a row', () => {
  it('are three until the platform is tested, and the requests wait for its answer', async () => {
    const { breaker, see, pass, testedAt, events, reopened } = breakerOf({});
    see(ok, lost, lost);
    expect(breaker.isOpen).toBe(false);
    see(lost);
    expect(breaker.isOpen).toBe(true);
    expect(breaker.isCertain).toBe(false);
    expect(await pass()).toBe(true);
    expect(testedAt).toEqual([0]);
    expect(events).toEqual([]);
    expect(reopened).toEqual([false]);
    expect(breaker.outages).toBe(0);
  });

  it('are fewer where a request has fewer attempts', () => {
    const { breaker, see } = breakerOf({ attempts: 2 });
    see(lost, lost);
    expect(breaker.isOpen).toBe(true);
  });

  it('are 24 where a limit may be the reason', () => {
    const { breaker, see } = breakerOf({});
    const unavailable: Answer<unknown> = { kind: 'throttled', status: 503 };
    see(ok, ...Array.from({ length: 23 }, () => unavailable));
    expect(breaker.isOpen).toBe(false);
    see(unavailable);
    expect(breaker.isOpen).toBe(true);
  });

  it('count refusals of a limit as answers', () => {
    const { breaker, see } = breakerOf({});
    see(lost, lost, refused, lost, lost);
    expect(breaker.isOpen).toBe(false);
  });

  it('begin one test, however many they are', async () => {
    const { see, pass, testedAt } = breakerOf({});
    see(ok, lost, lost, lost, lost, lost, lost, lost);
    await pass();
    expect(testedAt).toHaveLength(1);
  });
});

describe('a platform that is unavailable', () => {
  it('is tested at growing intervals until it answers, and told once as gone and as back', async () => {
    const dead = breakerOf({ tests: [gone, gone, gone, gone, gone, gone, ok] });
    dead.see(ok, gone, gone, gone);
    expect(await dead.pass()).toBe(true);
    expect(dead.testedAt).toEqual([0, 1000, 3000, 7000, 15_000, 23_000, 31_000]);
    expect(dead.events).toEqual([
      { type: 'outage', cause: 'connection_refused', givesUpInMs: 60_000 },
      { type: 'recovered', afterMs: 31_000 },
    ]);
    expect(dead.reopened).toEqual([true]);
    expect(dead.breaker.outages).toBe(1);
    expect(dead.breaker.isOpen).toBe(false);
    expect(dead.breaker.isCertain).toBe(false);
  });

  it('waits half as long at least, as chance has it', async () => {
    const { see, testedAt, pass } = breakerOf({ tests: [gone, gone, gone, ok], random: 0 });
    see(ok, gone, gone, gone);
    await pass();
    expect(testedAt).toEqual([0, 500, 1500, 3500]);
  });

  it('counts as silent from the first failed answer of the row, whatever was before', async () => {
    const { clock, see, pass, events } = breakerOf({ tests: [gone, ok] });
    see(ok);
    await clock.until(clock.sleep(100_000));
    see(lost);
    await clock.until(clock.sleep(2000));
    see(lost, lost);
    await pass();
    expect(events).toEqual([
      { type: 'outage', cause: 'connection_refused', givesUpInMs: 58_000 },
      { type: 'recovered', afterMs: 3000 },
    ]);
  });

  it('ends the run when it was silent for the configured time, and not before', async () => {
    const { clock, stop, see, testedAt } = breakerOf({ tests: [gone], unavailableMs: 20_000 });
    see(ok, gone, gone, gone);
    await clock.until(new Promise<void>((done) => stop.draining.addEventListener('abort', () => done())));
    expect([...stop.reasons]).toEqual(['unavailable']);
    expect(stop.detail).toBe('connection_refused');
    expect(testedAt.at(-1)).toBe(20_000);
  });

  it('counts as silent from its first failed answer, not from the test', async () => {
    const { clock, stop, see, testedAt, events } = breakerOf({ tests: [gone], unavailableMs: 20_000 });
    see(ok, gone);
    await clock.until(clock.sleep(5000));
    see(gone, gone);
    await clock.until(new Promise<void>((done) => stop.draining.addEventListener('abort', () => done())));
    expect(events[0]).toMatchObject({ givesUpInMs: 15_000 });
    expect(testedAt.at(-1)).toBe(20_000);
  });

  it('is suspected anew after each outage', async () => {
    const { breaker, see, pass, testedAt } = breakerOf({ tests: [gone, ok, gone, ok] });
    see(ok, gone, gone, gone);
    await pass();
    see(gone, gone);
    expect(breaker.isOpen).toBe(false);
    see(gone);
    await pass();
    expect(breaker.outages).toBe(2);
    expect(testedAt).toHaveLength(4);
  });

  it('does not hold a run that is stopped', async () => {
    const { clock, stop, see, testedAt, breaker } = breakerOf({ tests: [gone] });
    see(ok, gone, gone, gone);
    const held = breaker.pass(stop.draining);
    await clock.until(clock.sleep(1500));
    stop.stop('interrupt');
    expect(await held).toBe(false);
    expect(clock.waiting).toBe(0);
    await clock.until(clock.sleep(60_000));
    expect(testedAt).toEqual([0, 1000]);
  });
});

describe('a platform that never answered', () => {
  it('gets the attempts of one request, and no time to give up in is told', async () => {
    const { clock, stop, see, testedAt, events } = breakerOf({ tests: [gone], attempts: 4 });
    see(gone, gone, gone);
    await clock.until(new Promise<void>((done) => stop.draining.addEventListener('abort', () => done())));
    expect(testedAt).toHaveLength(4);
    expect(events).toEqual([{ type: 'outage', cause: 'connection_refused' }]);
  });

  it('gets all the time where it answered an earlier run', async () => {
    const { clock, stop, see, testedAt } = breakerOf({
      ...{ tests: [gone], attempts: 4, hasAnsweredBefore: true, unavailableMs: 30_000 },
    });
    see(gone, gone, gone);
    await clock.until(new Promise<void>((done) => stop.draining.addEventListener('abort', () => done())));
    expect(testedAt.at(-1)).toBe(30_000);
  });

  it('gets no attempt where only a person can remove the cause', () => {
    const { stop, see, testedAt } = breakerOf({});
    see({ kind: 'not-sent', cause: 'certificate_expired' });
    expect(stop.reason).toBe('unavailable');
    expect(stop.detail).toBe('certificate_expired');
    expect(testedAt).toEqual([]);
  });

  it('gets them for the same cause once it has answered this run', () => {
    const { stop, see } = breakerOf({});
    see(ok, { kind: 'not-sent', cause: 'certificate_expired' });
    expect(stop.reason).toBeUndefined();
  });
});

describe('while no connection can be opened', () => {
  it('answers on open ones do not hide it: three failures to connect begin a test', async () => {
    const { breaker, see, pass, testedAt } = breakerOf({ tests: [gone, ok] });
    see(ok, gone, ok, gone, ok);
    expect(breaker.isOpen).toBe(false);
    see(gone);
    expect(breaker.isOpen).toBe(true);
    see(ok);
    expect(breaker.isOpen).toBe(true);
    await pass();
    expect(testedAt).toHaveLength(2);
  });

  it('the silence counts from the first of them', async () => {
    const { clock, see, events, pass } = breakerOf({ tests: [gone, ok] });
    see(ok);
    await clock.until(clock.sleep(50_000));
    see(gone);
    await clock.until(clock.sleep(4000));
    see(ok, gone);
    await clock.until(clock.sleep(4000));
    see(ok, gone);
    await pass();
    expect(events[0]).toMatchObject({ givesUpInMs: 52_000 });
  });

  it('a test that is answered ends the count', async () => {
    const { breaker, see, pass } = breakerOf({});
    see(ok, gone, ok, gone, ok, gone);
    await pass();
    see(gone, ok, gone, ok);
    expect(breaker.isOpen).toBe(false);
    see(gone);
    expect(breaker.isOpen).toBe(true);
  });

  it('an answer ends what failed requests alone have begun', () => {
    const { breaker, see, reopened } = breakerOf({});
    see(ok, lost, lost, lost);
    expect(breaker.isOpen).toBe(true);
    see(ok);
    expect(breaker.isOpen).toBe(false);
    expect(reopened).toEqual([false]);
  });
});

describe('what another run found', () => {
  it('has the platform tested before anything else is sent', async () => {
    const { breaker, see, pass, testedAt } = breakerOf({});
    see(ok);
    breaker.suspect();
    breaker.suspect();
    expect(breaker.isOpen).toBe(true);
    expect(await pass()).toBe(true);
    expect(testedAt).toHaveLength(1);
  });

  it('counts the silence from then', async () => {
    const { breaker, clock, see, events, pass } = breakerOf({ tests: [gone, ok] });
    see(ok);
    await clock.until(clock.sleep(9000));
    breaker.suspect();
    await pass();
    expect(events[0]).toMatchObject({ givesUpInMs: 60_000 });
  });

  it('counts it from the first failed answer where this run has seen one', async () => {
    const { breaker, clock, see, events, pass } = breakerOf({ tests: [gone, ok] });
    see(ok, lost);
    await clock.until(clock.sleep(9000));
    breaker.suspect();
    await pass();
    expect(events[0]).toMatchObject({ givesUpInMs: 51_000 });
  });

  it('that the platform is back has it tested at once', async () => {
    const { breaker, clock, see, testedAt } = breakerOf({ tests: [gone, gone, gone, gone, ok] });
    see(ok, gone, gone, gone);
    await clock.until(clock.sleep(8000));
    breaker.askNow();
    await clock.until(clock.sleep(1));
    expect(testedAt).toEqual([0, 1000, 3000, 7000, 8000]);
    expect(breaker.isOpen).toBe(false);
  });
});

it('a bug in a test is told, and is not the platform being silent', async () => {
  const clock = new SimulatedTime();
  const bugs: unknown[] = [];
  const breaker = new Breaker(
    {
      retry: { attempts: 5, baseMs: 1, capMs: 1 },
      patience: { unavailableMs: 1 },
    } as ConstructorParameters<typeof Breaker>[0],
    {
      ...{ clock, stop: new StopControl(), random: () => 1, emit: () => undefined },
      probe: () => Promise.reject(new Error('a bug')),
      hasAnsweredBefore: () => Promise.resolve(true),
      reopened: () => undefined,
      fail: (error) => bugs.push(error),
    },
  );
  breaker.suspect();
  await clock.until(clock.sleep(1));
  expect(bugs).toEqual([new Error('a bug')]);
});

it('a run that is stopped while the platform is tested does not wait for another test', async () => {
  const { see, clock, stop, testedAt } = breakerOf({
    tests: [lost],
    isInterrupted: true,
    hasAnsweredBefore: true,
  });
  see(lost, lost, lost);
  await new Promise((resolve) => setImmediate(resolve));
  expect([testedAt, clock.waiting]).toEqual([[0], 0]);
  expect([stop.reason, stop.detail]).toEqual(['interrupt', 'connection_reset']);
});
