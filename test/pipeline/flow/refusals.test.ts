import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/client/platform-client.ts';
import { CauseOfRefusals } from '../../../src/pipeline/flow/cause-of-refusals.ts';
import { loadAnswer } from '../../../src/pipeline/flow/gateway-answer.ts';
import { RefusalOrigin } from '../../../src/pipeline/flow/refusal-origin.ts';
import { ThrottleHistory } from '../../../src/pipeline/flow/throttle-history.ts';

const times = (count: number, work: (at: number) => void) => {
  for (let at = 0; at < count; at += 1) work(at);
};

describe('what an answer says about the load that a platform takes', () => {
  it.each<[string, Answer<unknown>, number, string]>([
    ['a yes', { kind: 'ok', status: 200, body: {} }, 10, 'accepted'],
    ['a refusal of the data', { kind: 'not-found', status: 404, refusal: { problems: [], code: '', detail: '', wouldImport: false } }, 10, 'accepted'], // prettier-ignore
    ['429', { kind: 'throttled', status: 429 }, 10, 'refused'],
    ['no connection', { kind: 'not-sent', cause: 'connection_refused' }, 10, 'neither'],
    ['413', { kind: 'unknown', cause: 'gateway_http_413', status: 413, isOver: true }, 10, 'neither'],
    [
      '503 at once',
      { kind: 'unknown', cause: 'http_503', status: 503, isOver: true },
      1_999,
      'refused-unknown',
    ],
    ['503 of its own after a while', { kind: 'unknown', cause: 'http_503', status: 503, isOver: true }, 2_000, 'accepted'], // prettier-ignore
    ['503 of a gateway after a while', { kind: 'unknown', cause: 'http_503', status: 503 }, 2_000, 'neither'],
    ['500 of its own', { kind: 'unknown', cause: 'http_500', status: 500, isOver: true }, 10, 'accepted'],
    ['a lost answer', { kind: 'unknown', cause: 'connection_reset' }, 10, 'neither'],
  ])('is, of %s', (_what, answer, tookMs, expected) => {
    expect(loadAnswer(answer, tookMs)).toBe(expected);
  });
});

describe('a refusal', () => {
  const accept = (origin: RefusalOrigin, count: number, endpoint = 'stage') =>
    times(count, (at) => origin.accepted(`other ${at}`, endpoint));

  it.each([
    [3, 16, 'account'],
    [3, 15, 'platform'],
    [2, 16, 'platform'],
  ])('that is the %i. of one account, after %i of others, is of the %s', (refusals, others, expected) => {
    const origin = new RefusalOrigin();
    times(refusals - 1, () => origin.refused('A', 'notes', false));
    accept(origin, others);
    expect(origin.refused('A', 'notes', false)).toBe(expected);
  });

  it('that is one of many of an account is its own only if others were accepted between them', () => {
    const origin = new RefusalOrigin();
    accept(origin, 20);
    times(2, () => origin.refused('A', 'notes', false));
    expect(origin.refused('A', 'notes', false)).toBe('platform');
  });

  it('of an account that was accepted since is counted anew', () => {
    const origin = new RefusalOrigin();
    times(2, () => origin.refused('A', 'notes', false));
    origin.accepted('A', 'notes');
    accept(origin, 16);
    expect(origin.refused('A', 'notes', false)).toBe('platform');
  });

  it.each([
    ['remembered', 255, false, 'account'],
    ['forgotten', 256, false, 'platform'],
    ['remembered if it was refused again since', 256, true, 'account'],
  ])('of an account is %s when %i others were refused after it', (_what, others, isAgain, expected) => {
    const origin = new RefusalOrigin();
    times(2, () => origin.refused('A', 'notes', false));
    times(others, (at) => {
      origin.refused(`refused ${at}`, 'notes', false);
      if (isAgain && at === 100) origin.refused('A', 'notes', false);
    });
    accept(origin, 16);
    expect(origin.refused('A', 'notes', false)).toBe(expected);
  });

  it('is of one endpoint once it is the only one for long enough', () => {
    const origin = new RefusalOrigin();
    const said: string[] = [];
    times(8, (at) => {
      said.push(origin.refused(`A${at}`, 'notes', true));
      accept(origin, 2);
    });
    expect(said).toEqual([
      ...Array<string>(3).fill('platform'),
      ...Array<string>(4).fill('unclear'),
      'endpoint',
    ]);
    expect(origin.refused('B', 'stage', true)).toBe('platform');
    accept(origin, 2);
    expect(origin.refused('C', 'notes', true)).toBe('platform');
  });

  it.each([
    [12, 'platform'],
    [13, 'unclear'],
  ])('may be of one endpoint once its share is below a fifth: after %i of others', (others, expected) => {
    const origin = new RefusalOrigin();
    origin.refused('A', 'notes', true);
    accept(origin, others);
    expect(origin.refused('B', 'notes', true)).toBe(expected);
  });

  it('says no more than the one before it while nothing else was answered since', () => {
    const origin = new RefusalOrigin();
    expect(origin.refused('A', 'notes', true)).toBe('platform');
    expect(origin.refused('B', 'notes', true)).toBe('unclear');
    accept(origin, 1);
    expect(origin.refused('C', 'notes', true)).toBe('unclear');
    accept(origin, 1);
    expect(origin.refused('D', 'notes', true)).toBe('platform');
    expect(origin.refused('E', 'notes', true)).toBe('unclear');
    expect(origin.refused('F', 'notes', false)).toBe('platform');
  });

  it.each([
    [20, 'endpoint'],
    [21, 'unclear'],
  ])('is of the endpoint only if a tenth of its requests are: two of %i', (own, expected) => {
    const origin = new RefusalOrigin();
    origin.refused('A', 'notes', true);
    accept(origin, own - 4, 'notes');
    accept(origin, 1_000);
    expect(origin.refused('B', 'notes', true)).toBe('unclear');
    accept(origin, 2);
    expect(origin.refused('C', 'notes', true)).toBe(expected);
  });
});

describe('refusals of requests that are sent evenly', () => {
  /** Each refused with so many under way, after so many that were accepted with one under way. */
  function refusedAt(numbers: readonly number[], accepted = 10): CauseOfRefusals {
    const cause = new CauseOfRefusals();
    for (const inFlight of numbers) {
      times(accepted, () => cause.accepted(1));
      cause.refused(inFlight);
    }
    return cause;
  }

  it.each<[string, CauseOfRefusals, boolean]>([
    ['six', refusedAt([8, 8, 8, 8, 8, 8]), true],
    ['five', refusedAt([8, 8, 8, 8, 8]), false],
    ['six of 48 accepted', refusedAt([8, 8, 8, 8, 8, 8], 8), true],
    ['six of fewer', refusedAt([8, 8, 8, 8, 8, 8], 7), false],
    ['one of them with few under way', refusedAt([8, 8, 8, 1, 8, 8]), true],
    ['two of them with few under way', refusedAt([8, 1, 8, 1, 8, 8]), false],
  ])('have their number as the cause: %s', (_what, cause, isConcurrency) => {
    expect(cause.isConcurrency).toBe(isConcurrency);
  });

  /** Sixty accepted, so many of them with eight under way. */
  function refusedAfter(count: number): boolean {
    const cause = new CauseOfRefusals();
    times(60, (at) => {
      cause.accepted(at < count ? 8 : 7);
      if (at % 10 === 9) cause.refused(8);
    });
    return cause.isConcurrency;
  }

  it.each([
    [5, true],
    [6, false],
  ])('have another cause where a tenth was accepted with as many under way: %i of 60', (count, expected) => {
    expect(refusedAfter(count)).toBe(expected);
  });

  it('count once where several are refused at once, and no more once there are enough', () => {
    const cause = refusedAt([8, 8, 8, 8, 8]);
    cause.accepted(1);
    cause.refused(8);
    expect(cause.isConcurrency).toBe(false);
    cause.accepted(1);
    cause.refused(8);
    expect(cause.isConcurrency).toBe(true);
    times(100, () => cause.accepted(8));
    times(2, () => {
      cause.refused(1);
      times(2, () => cause.accepted(1));
    });
    expect(cause.isConcurrency).toBe(true);
  });

  it('are compared as numbers', () => {
    const cause = new CauseOfRefusals();
    for (const inFlight of [9, 100, 10, 10, 10, 9]) {
      times(10, (at) => cause.accepted(at < 3 ? 9 : 1));
      cause.refused(inFlight);
    }
    expect(cause.isConcurrency).toBe(false);
  });
});

describe('a limit that was refused', () => {
  it('is raised as usual while nothing was refused', () => {
    const history = new ThrottleHistory();
    expect(history.isBeyond(1_000)).toBe(false);
    expect(history.raise(20, 4)).toBe(4);
  });

  it('is raised up to where it was, and further after enough answers', () => {
    const history = new ThrottleHistory();
    history.lowered(20, false);
    expect([history.isBeyond(20), history.isBeyond(21)]).toEqual([false, true]);
    expect([10, 18, 20].map((limit) => history.raise(limit, 4))).toEqual([4, 2, 0]);
    expect(history.judge(20, 15, 0)).toBe(0);
    expect(history.raise(20, 4)).toBe(0);
    history.judge(20, 1, 0);
    expect(history.raise(20, 4)).toBe(5);
    expect([24, 24].map((limit) => history.raise(limit, 4))).toEqual([5, 6]);
  });

  it('is raised by one at first if it was refused right after it was raised, and then by twice as much', () => {
    const history = new ThrottleHistory();
    history.lowered(20, true);
    history.judge(20, 16, 0);
    expect([20, 20, 20, 20].map((limit) => history.raise(limit, 4))).toEqual([1, 2, 4, 5]);
    expect(history.raise(2, 4)).toBe(4);
  });

  it('is raised by one at least', () => {
    const history = new ThrottleHistory();
    history.lowered(2, false);
    history.judge(2, 16, 0);
    expect([2, 2].map((limit) => history.raise(limit, 4))).toEqual([1, 1]);
  });

  /** How many answers without a refusal it takes until the limit is raised again. */
  function patienceOf(history: ThrottleHistory, limit: number): number {
    for (let answers = 0; answers <= 1_000; answers += 1) {
      if (history.raise(limit, 1) > 0) return answers;
      history.judge(limit, 1, 0);
    }
    return Infinity;
  }

  it('is tried again after more and more answers, up to a bound', () => {
    const history = new ThrottleHistory();
    const patience = [20, 20, 20, 20, 20, 20, 20].map((limit) => {
      history.lowered(limit, true);
      return patienceOf(history, limit);
    });
    expect(patience).toEqual([16, 32, 64, 128, 256, 400, 400]);
  });

  it.each([
    [17, 32],
    [23, 32],
    [16.9, 16],
    [23.1, 16],
  ])('is another one if it is far from where it was: %d after 20', (limit, expected) => {
    const history = new ThrottleHistory();
    history.lowered(20, true);
    history.judge(20, 1, 0);
    history.lowered(limit, true);
    expect(patienceOf(history, limit)).toBe(expected);
  });

  it('is the same one if it is refused once more before anything was accepted', () => {
    const history = new ThrottleHistory();
    history.lowered(20, true);
    expect(history.judge(20, 9, 1)).toBe(0.1);
    history.lowered(20, true);
    expect(patienceOf(history, 20)).toBe(16);
  });

  it('begins to be patient anew after a refusal', () => {
    const history = new ThrottleHistory();
    history.lowered(20, true);
    history.judge(20, 15, 0);
    history.judge(20, 9, 1);
    expect(history.raise(20, 4)).toBe(0);
    history.judge(20, 15, 0);
    expect(history.raise(20, 4)).toBe(0);
  });
});

describe('a share that is refused whatever the load', () => {
  it('is known from requests that were sent one at a time', () => {
    const history = new ThrottleHistory();
    history.judge(1, 30, 1);
    expect(history.areStray).toBe(false);
    history.judge(1, 0, 1);
    expect(history.areStray).toBe(true);
  });

  it.each([
    ['a tenth', 36, 4, true],
    ['more', 35, 5, false],
    ['nothing', 40, 0, false],
  ])('is %s at most', (_what, answers, refused, expected) => {
    const history = new ThrottleHistory();
    history.judge(1, answers, refused);
    expect(history.areStray).toBe(expected);
    // What was counted is judged once.
    history.judge(1, 30, 1);
    expect(history.areStray).toBe(expected);
    history.judge(1, 1, 0);
    expect(history.areStray).toBe(true);
  });

  it('is counted anew after several at once', () => {
    const history = new ThrottleHistory();
    history.judge(1, 30, 1);
    history.judge(2, 30, 1);
    history.judge(1, 30, 1);
    expect(history.areStray).toBe(false);
    history.judge(1, 1, 0);
    expect(history.areStray).toBe(true);
  });

  it('shortens the patience to the least', () => {
    const history = new ThrottleHistory();
    times(3, () => {
      history.lowered(1, true);
      history.judge(1, 1, 0);
    });
    history.judge(1, 29, 0);
    expect(history.raise(1, 4)).toBeGreaterThan(0);
  });

  it('is not held against the limit, nor is a single one above it', () => {
    const history = new ThrottleHistory(0.05);
    expect(history.areStray).toBe(true);
    expect(history.judge(5, 18, 2)).toBe(0);
    expect(new ThrottleHistory(0.05).judge(5, 10, 10)).toBeCloseTo(0.35, 10);
  });

  it('fades while nothing is refused, and grows by a tenth at most', () => {
    const history = new ThrottleHistory(0.05);
    times(35, () => history.judge(5, 20, 0));
    expect(history.areStray).toBe(true);
    history.judge(5, 20, 0);
    expect(history.areStray).toBe(false);
    const grown = new ThrottleHistory(0.05);
    times(1_000, () => grown.judge(5, 0, 20));
    expect(grown.judge(5, 0, 20)).toBeCloseTo(1 - 0.2 - 0.05, 5);
  });
});
