import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/client/platform-client.ts';
import { isMissing, Limiter } from '../../../src/pipeline/flow/limiter.ts';
import { SimulatedTime } from '../simulated-time.ts';

const ok: Answer<unknown> = { kind: 'ok', status: 200, body: {} };
const refused: Answer<unknown> = { kind: 'throttled', status: 429 };
const { signal } = new AbortController();

/** Sends so many at once, as far as there is room, and gives each the answer. */
function send(limiter: Limiter, count: number, answer: Answer<unknown>, ms = 10): number {
  const sent = [];
  while (sent.length < count && limiter.gate.takes()) sent.push(limiter.sent(false));
  for (const one of sent) {
    limiter.learn(one, 'validate', answer, ms);
    limiter.gate.leave();
  }
  return sent.length;
}

/** The same of a platform that takes so many at once, and has this answer for the others. */
function sendOver(limiter: Limiter, capacity: number, other: Answer<unknown>): void {
  const sent = [];
  while (sent.length < 64 && limiter.gate.takes()) sent.push(limiter.sent(false));
  for (const [at, one] of sent.entries()) {
    limiter.learn(one, 'validate', at < capacity ? ok : other, 10);
    limiter.gate.leave();
  }
}

function limiterOf(ceiling = 64) {
  const clock = new SimulatedTime();
  return { clock, limiter: new Limiter(ceiling, clock, signal) };
}

/** Answers until the limit has risen as far as it may. */
function risen(ceiling = 64) {
  const made = limiterOf(ceiling);
  for (let round = 0; round < 400; round += 1) send(made.limiter, ceiling, ok);
  return made;
}

describe('a limit', () => {
  it('rises with good answers to the most that is allowed, and no further', () => {
    const { limiter } = limiterOf(16);
    expect(limiter.state.limit).toBeLessThan(16);
    for (let round = 0; round < 400; round += 1) send(limiter, 16, ok);
    expect(limiter.state.limit).toBe(16);
    expect(send(limiter, 99, ok)).toBe(16);
  });

  it('falls when requests are refused for their number', () => {
    const { limiter } = risen();
    send(limiter, 64, refused);
    expect(limiter.state.limit).toBeLessThan(64);
  });

  it.each([
    ...['connect_timeout', 'headers_timeout', 'body_timeout', 'request_timeout', 'step_timeout'],
    ...['http_503', 'http_504'],
  ])('falls when answers are missing for those above a number: %s', (cause) => {
    const { limiter } = risen();
    for (let round = 0; round < 4; round += 1) sendOver(limiter, 40, { kind: 'unknown', cause });
    expect(limiter.state.limit).toBeLessThan(50);
  });

  it('stays when requests are lost for a reason that is not their number', () => {
    const { limiter } = risen();
    for (let round = 0; round < 4; round += 1) sendOver(limiter, 40, { kind: 'not-sent', cause: 'dns' });
    expect(limiter.state.limit).toBe(64);
  });

  it('stays for what is excused, passed over, or answered without a word about it', () => {
    const { limiter } = risen();
    for (const end of ['excuse', 'pass', 'answered'] as const) {
      const sent = limiter.sent(false);
      expect(limiter.underWay).toBe(1);
      limiter[end](sent);
      expect(limiter.underWay).toBe(0);
    }
    expect(limiter.state.limit).toBe(64);
  });

  it('lets no more pass than it is told, until it is told otherwise', async () => {
    const { limiter } = risen();
    limiter.limitTo(3);
    expect(limiter.uses).toBe(3);
    expect(send(limiter, 99, ok)).toBe(3);
    const [first, second, third] = [1, 2, 3].map(() => limiter.gate.takes());
    expect([first, second, third]).toEqual([true, true, true]);
    limiter.limitTo(0);
    expect(limiter.uses).toBe(3);
    const waits = limiter.gate.enter(signal);
    for (let left = 0; left < 3; left += 1) limiter.gate.leave();
    expect(limiter.uses).toBe(0);
    expect(limiter.gate.waiting).toBe(1);
    limiter.limitTo(5);
    expect(await waits).toBe(true);
  });

  it('falls when answers become slow', () => {
    const { limiter } = risen();
    for (let round = 0; round < 10; round += 1) send(limiter, 64, ok, 1_000);
    expect(limiter.state.limit).toBeLessThan(64);
  });

  it('is what another run is refused beyond, if that is less', () => {
    const { limiter } = risen();
    limiter.refusedElsewhere(99);
    expect(limiter.state.limit).toBe(64);
    limiter.refusedElsewhere(20);
    expect(limiter.state).toEqual({ limit: 20, reason: 'throttled' });
  });

  it('begins anew after the platform was unavailable', () => {
    const { limiter } = risen();
    limiter.startAnew();
    expect(limiter.state).toEqual({ limit: limiterOf().limiter.state.limit, reason: 'starting' });
  });

  it.each<[string, (limiter: Limiter) => void]>([
    ['a rate explains the refusals', (limiter) => limiter.riseAgain()],
    ['some are refused whatever the load', (limiter) => limiter.isNoise(0.05)],
  ])('rises again where %s, and lets in who waits', async (_what, rises) => {
    const { limiter } = risen();
    for (let round = 0; round < 20; round += 1) send(limiter, 64, refused);
    expect(limiter.state.limit).toBe(1);
    expect(limiter.gate.takes()).toBe(true);
    const waits = limiter.gate.enter(signal);
    rises(limiter);
    expect(limiter.state.reason).toBe('starting');
    expect(await waits).toBe(true);
  });

  it('leaves as many places as are needed at least, whatever was learned', () => {
    const limiter = new Limiter(64, new SimulatedTime(), signal, () => 7);
    for (let round = 0; round < 20; round += 1) send(limiter, 64, refused);
    expect(limiter.state.limit).toBeLessThan(7);
    expect(send(limiter, 99, ok)).toBe(7);
  });
});

describe('refusals in a row', () => {
  it('hold all requests once they are as many as the limit, and not before', async () => {
    const { limiter, clock } = limiterOf();
    for (let round = 0; round < 20; round += 1) send(limiter, 64, refused);
    const few = limiterOf();
    for (let round = 0; round < 20; round += 1) send(few.limiter, 64, refused);
    send(few.limiter, 1, ok);
    send(few.limiter, 1, refused);
    await few.clock.until(few.limiter.refusedFor(5000));
    expect(few.clock.monotonic()).toBe(0);
    await clock.until(limiter.refusedFor(5000));
    expect(clock.monotonic()).toBe(5000);
  });

  it('are counted also where their number was not the reason, and end with any other answer', async () => {
    const { limiter, clock } = limiterOf(2);
    const refuse = (): void => {
      limiter.sent(false);
      limiter.excuse();
    };
    refuse();
    await clock.until(limiter.refusedFor(1000));
    expect(clock.monotonic()).toBe(0);
    refuse();
    await clock.until(limiter.refusedFor(1000));
    expect(clock.monotonic()).toBe(1000);
    limiter.answered(limiter.sent(false));
    await clock.until(limiter.refusedFor(1000));
    expect(clock.monotonic()).toBe(1000);
  });
});

describe('an answer', () => {
  it.each<[Answer<unknown>, boolean]>([
    [ok, false],
    [refused, false],
    [{ kind: 'not-sent', cause: 'dns' }, true],
    [{ kind: 'unknown', cause: 'connection_reset' }, true],
  ])('%o is missing: %s', (answer, is) => {
    expect(isMissing(answer)).toBe(is);
  });
});
