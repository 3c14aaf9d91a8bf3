import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/client/platform-client.ts';
import type { FlowRequest, Flowed } from '../../../src/pipeline/flow/flow-request.ts';
import { BodySizes } from '../../../src/pipeline/request/body-sizes.ts';
import type { RetriedRequest } from '../../../src/pipeline/request/retried-request.ts';
import { pause, waitAfter } from '../../../src/pipeline/request/retry.ts';
import { sendWithRetry } from '../../../src/pipeline/request/send-with-retry.ts';
import type { RequestContext } from '../../../src/pipeline/run/context.ts';
import type { AccessVerdict } from '../../../src/pipeline/run/credential-watch.ts';
import type { RunEvent } from '../../../src/pipeline/run/run-events.ts';
import { ownClock } from '../own-clock.ts';

type One = Flowed<string>;

const ok: One = { kind: 'ok', status: 201, body: 'yes' };
const lost: One = { kind: 'unknown', cause: 'connection_reset' };
const serverError: One = { kind: 'unknown', cause: 'http_500', status: 500, isOver: true };
const notSent: One = { kind: 'not-sent', cause: 'connection_refused' };
const denied: One = { kind: 'unauthorized', status: 403, tokenId: 1, detail: 'Not yours.' };
const throttled = (status: 429 | 413 = 429, more = {}): One => ({ kind: 'throttled', status, ...more });
const refused = (code: string, status = 400): One => ({
  ...{ kind: 'refused', status },
  refusal: { problems: [], code, detail: '', wouldImport: false },
});
const absent: One = { ...refused('http_404', 404), kind: 'not-found' } as One;
const tooLarge: One = { kind: 'unknown', cause: 'gateway_http_413', status: 413 };

interface Given {
  readonly answers?: readonly One[];
  readonly request?: Partial<RetriedRequest<string>>;
  readonly sizes?: BodySizes;
  readonly verdicts?: readonly AccessVerdict[];
  /** The answer to the question whether the access is accepted elsewhere. */
  readonly elsewhere?: Flowed<unknown>;
  /** The outage, by its number, in which each answer came. */
  readonly outages?: readonly number[];
  /** Ends the run: while the platform is unavailable, or in a wait of this kind. */
  readonly ends?: 'outage' | 'pause' | 'aside' | 'access' | 'answers';
  readonly retry?: object;
  /** From a request to its answer, in ms. */
  readonly takesMs?: number;
}

/** Sends one request, and says what became of it and what happened on the way. */
async function sent({ answers = [ok], request = {}, ends, outages = [], ...given }: Given) {
  const { sizes = new BodySizes(), verdicts = [], elsewhere = ok, retry, takesMs = 10 } = given;
  const clock = ownClock();
  const went: string[] = [];
  const events: RunEvent[] = [];
  const asked: unknown[] = [];
  const left: Omit<FlowRequest<unknown>, 'before' | 'send'>[] = [];
  const tally = { requests: 0, retries: 0, answered: 0 };
  let tries = 0;
  let accepted = 0;
  const wait = (kind: string) => (_request: unknown, ms: number) => {
    went.push(`${kind} ${ms}`);
    if (Number.isFinite(ms)) clock.pass(ms);
    return Promise.resolve(kind !== ends);
  };
  const context = {
    ...{ clock, tally, sizes, random: () => 1 },
    emit: (event: RunEvent) => void events.push(event),
    settings: {
      retry: {
        ...{ attempts: 3, throttledAttempts: 3, baseMs: 100, capMs: 300, retryAfterCapMs: 5000 },
        ...retry,
      },
      patience: { laggingMs: 600 },
    },
    flow: {
      get outages() {
        return outages[tries - 1] ?? 0;
      },
      send: async (one: FlowRequest<unknown>) => {
        const { account, step, isProcess, isDelicate, isQuestion } = one;
        left.push({ account, step, isProcess, isDelicate, isQuestion } as (typeof left)[number]);
        await one.before?.();
        const answer = await one.send(new AbortController().signal);
        clock.pass(takesMs);
        return answer;
      },
      pause: wait('pause'),
      waitAside: wait('aside'),
      waitInPlace: wait('in place'),
      platformIsBack: () => Promise.resolve(ends !== 'outage'),
      refusedFor: (ms: number) => void went.push(`refused for ${ms}`),
    },
    client: {
      transferStatus: (key: unknown, options: object) => {
        asked.push(key, Object.keys(options));
        return Promise.resolve(elsewhere);
      },
    },
    answers: {
      see: (step: string, answer?: Answer<unknown>) => void went.push(`see ${step} ${answer?.kind ?? '-'}`),
      denied: (...one: unknown[]) => void went.push(`denied ${one.join(' ')}`),
      admits: (_step: string, hold: (ms: number) => Promise<boolean>) =>
        ends === 'answers' ? hold(7).then(() => false) : Promise.resolve(true),
    },
    credentials: {
      pass: (hold: (ms: number) => Promise<boolean>) =>
        ends === 'access' ? hold(8).then(() => false) : Promise.resolve(true),
      accepted: () => void (accepted += 1),
      refused: async (
        _answer: unknown,
        own: { count: number; since: number },
        isAcceptedElsewhere: () => Promise<boolean>,
      ) => {
        own.count += 1;
        const verdict = verdicts[own.count - 1] ?? 'believed';
        went.push(`${verdict} ${own.since}${verdict === 'again' ? '' : ` ${await isAcceptedElsewhere()}`}`);
        return verdict;
      },
    },
    quiet: { afterLoss: (sentAt: number) => sentAt + 300 },
    stop: { stop: (...one: unknown[]) => void went.push(`stop ${one.join(' ')}`) },
  } as unknown as RequestContext;
  const outcome = await sendWithRetry(context, {
    ...{ supplier: 'S', account: '1', step: 'notes' },
    send: () => Promise.resolve((answers[Math.min(++tries, answers.length) - 1] ?? ok) as Answer<string>),
    ...request,
  });
  return { ...{ outcome, tries, went, events, tally, accepted, asked, left }, waited: waitsIn(went) };
}

function waitsIn(went: readonly string[]): string[] {
  return went.filter((one) => /^(pause|aside|in place) /.test(one));
}

describe('a request', () => {
  it('ends with what the platform says', async () => {
    const { outcome, tally, accepted, went } = await sent({});
    expect(outcome).toEqual({ kind: 'said', answer: ok, afterUnknown: false });
    expect(tally).toEqual({ requests: 0, retries: 0, answered: 1 });
    expect(accepted).toBe(1);
    expect(went).toEqual(['see notes ok']);
    expect((await sent({ request: { afterUnknown: true } })).outcome).toMatchObject({ afterUnknown: true });
  });

  it.each([refused('no'), absent])('ends with a refusal that denies nothing acknowledged', async (answer) => {
    expect((await sent({ answers: [answer] })).outcome).toEqual({
      ...{ kind: 'said', answer, afterUnknown: false },
    });
  });

  it('leaves as what it is', async () => {
    const base = { account: '1', step: 'notes' };
    expect((await sent({})).left).toEqual([{ ...base, isProcess: false, isDelicate: false }]);
    const kinds = { isProcess: true, isDelicate: true };
    expect((await sent({ request: kinds })).left).toEqual([{ ...base, ...kinds }]);
  });

  it('does not leave before its intent is written', async () => {
    let isWritten = false;
    let wasWritten: boolean | undefined;
    await sent({
      request: {
        before: () => new Promise((resolve) => setImmediate(() => resolve(void (isWritten = true)))),
        send: () => Promise.resolve(((wasWritten = isWritten), ok) as Answer<string>),
      },
    });
    expect(wasWritten).toBe(true);
  });

  it('is repeated until it is answered, and each repeat is told', async () => {
    const { outcome, events, tally, accepted } = await sent({
      answers: [notSent, throttled(), refused('no'), ok],
      request: { contradicts: ({ refusal }) => refusal.code === 'no' },
    });
    expect(outcome).toMatchObject({ kind: 'said', afterUnknown: false });
    const told = { type: 'retry', account: '1', step: 'notes' };
    expect(events).toEqual([
      { ...told, cause: 'connection_refused', waitMs: 100 },
      { ...told, cause: 'throttled', waitMs: 100 },
      { ...told, cause: 'no', waitMs: 250 },
    ]);
    expect(tally).toEqual({ requests: 0, retries: 3, answered: 3 });
    expect(accepted).toBe(3);
  });

  it('that gets no answer says nothing of the platform', async () => {
    expect(await sent({ answers: [notSent] })).toMatchObject({ accepted: 0, tally: { answered: 0 } });
  });

  it.each<[One, object, string[]]>([
    [{ kind: 'stopped' }, { kind: 'stopped', unknown: false }, ['see notes -']],
    [{ kind: 'overdue' }, { kind: 'gave-up', cause: 'step_timeout', unknown: false }, ['see notes -']],
  ])('ends with its run or its time: %j', async (answer, outcome, went) => {
    expect(await sent({ answers: [answer] })).toMatchObject({ outcome, went });
  });

  it.each(['pause', 'outage', 'answers', 'access'] as const)('ends with its run: %s', async (ends) => {
    const outcome = { kind: 'stopped', unknown: true };
    const tries = ends === 'answers' || ends === 'access' ? 0 : 1;
    expect(await sent({ answers: [lost], ends, request: { afterUnknown: true } })).toMatchObject({
      ...{ outcome, tries, tally: { retries: 0 } },
    });
  });

  it('waits in its place for the access, and aside for a step that is held', async () => {
    expect((await sent({ ends: 'access' })).went).toEqual(['in place 8']);
    expect((await sent({ ends: 'answers' })).went).toEqual(['aside 7']);
  });
});

describe('after a lost answer', () => {
  it('waits longer from failure to failure, and gives up', async () => {
    const { outcome, waited, tries } = await sent({ answers: [lost] });
    expect(outcome).toEqual({ kind: 'gave-up', cause: 'connection_reset', unknown: true });
    expect(waited).toEqual(['pause 100', 'pause 200']);
    expect(tries).toBe(3);
  });

  it('waits for as long as a gateway asks', async () => {
    const busy: One = { kind: 'unknown', cause: 'http_503', status: 503, retryAfterMs: 4000 };
    expect((await sent({ answers: [busy, ok] })).waited).toEqual(['pause 4000']);
  });

  it('failures while the platform is unavailable do not count', async () => {
    const { outcome, waited } = await sent({ answers: [lost, lost, lost, lost, ok], outages: [0, 0, 1, 1] });
    expect(outcome).toEqual({ kind: 'said', answer: ok, afterUnknown: true });
    expect(waited).toEqual(['pause 100', 'pause 200', 'pause 100', 'pause 100']);
  });

  it('is lost where it may not be repeated', async () => {
    const { outcome, tries } = await sent({ answers: [lost], request: { lostRepeats: () => 0 } });
    expect(outcome).toEqual({ kind: 'lost', cause: 'connection_reset', quietUntil: 300 });
    expect(tries).toBe(1);
  });

  it('does not meet an attempt that may be under way', async () => {
    const request = { quietUntil: 50 };
    const { outcome, waited, tries } = await sent({ answers: [lost, ok], request });
    expect(outcome).toMatchObject({ kind: 'said', afterUnknown: true });
    // The second leaves 300 ms after the first.
    expect(waited).toEqual(['aside 50', 'pause 100', 'aside 190']);
    expect(tries).toBe(2);
    const { waited: before, tries: none } = await sent({ request, ends: 'aside' });
    expect([before, none]).toEqual([['aside 50'], 0]);
    expect((await sent({ request: { quietUntil: 0 } })).waited).toEqual([]);
    const { waited: notLeft } = await sent({ answers: [notSent, ok], request: { quietUntil: 0 } });
    expect(notLeft).toEqual(['pause 100']);
  });

  it('tells what was missed, and whether it may have had its effect', async () => {
    const told: unknown[] = [];
    const missed: RetriedRequest<string>['missed'] = (answer, unknown) => told.push(answer.kind, unknown);
    await sent({ answers: [notSent, lost, throttled(), ok], request: { missed } });
    expect(told).toEqual(['not-sent', false, 'unknown', true, 'throttled', true]);
  });

  it('may be repeated after an answer that asks for it, and only after one', async () => {
    const request = { mayRepeat: () => true, lostRepeats: () => 0 };
    expect((await sent({ answers: [serverError, ok], request })).outcome).toMatchObject({
      ...{ kind: 'said', afterUnknown: true },
    });
    const harmless = { ...request, isRepeatHarmless: true };
    expect((await sent({ answers: [serverError, notSent, ok], request: harmless })).outcome).toMatchObject({
      ...{ kind: 'said', afterUnknown: false },
    });
    expect((await sent({ answers: [notSent, ok], request })).outcome).toMatchObject({ afterUnknown: false });
  });
});

describe('a denial of what was acknowledged', () => {
  const request = { contradicts: () => true };

  it('is heard for a while, and then believed', async () => {
    const { outcome, waited, tries } = await sent({ answers: [absent], request });
    expect(outcome).toEqual({ kind: 'gave-up', cause: 'http_404', unknown: false });
    // 600 ms in all, of which each attempt takes 10.
    expect(waited).toEqual(['aside 250', 'aside 340']);
    expect(tries).toBe(3);
    expect((await sent({ answers: [absent], request, takesMs: 0 })).waited).toEqual([
      'aside 250',
      'aside 350',
    ]);
  });

  it('leaves it open whether the account is created', async () => {
    const process = { ...request, isProcess: true };
    expect((await sent({ answers: [refused('no')], request: process })).outcome).toMatchObject({
      ...{ kind: 'gave-up', unknown: true },
    });
    expect((await sent({ answers: [notSent], request: process })).outcome).toMatchObject({ unknown: false });
  });

  it('ends with its run', async () => {
    expect((await sent({ answers: [absent], request, ends: 'aside' })).outcome).toEqual({
      ...{ kind: 'stopped', unknown: false },
    });
  });
});

describe('a refused access', () => {
  it('is tried again at once', async () => {
    const { outcome, waited } = await sent({ answers: [denied, denied, ok], verdicts: ['again', 'again'] });
    expect(outcome).toMatchObject({ kind: 'said' });
    expect(waited).toEqual(['pause 0', 'pause 0']);
  });

  it('of this account alone fails the account', async () => {
    const { outcome, went, asked, left } = await sent({ answers: [denied], verdicts: ['own'] });
    expect(outcome).toEqual({ kind: 'gave-up', cause: 'http_403', unknown: false });
    expect(went).toEqual(['see notes unauthorized', 'own 0 true', 'denied notes 1 403']);
    expect(asked).toEqual([{ supplier: 'S', account: 'migrate-asks-for-access' }, ['signal']]);
    expect(left[1]).toEqual({ account: '1', step: 'notes', isQuestion: true });
  });

  it('of everything ends the run', async () => {
    const { outcome, went } = await sent({ answers: [denied], elsewhere: denied });
    expect(outcome).toEqual({ kind: 'stopped', unknown: false });
    expect(went.slice(1)).toEqual(['believed 0 false', 'stop credentials Not yours.']);
  });

  it.each<[Flowed<unknown>, boolean]>([
    [{ kind: 'stopped' }, false],
    [{ kind: 'overdue' }, false],
    [absent, false],
    [refused('unknown_supplier'), true],
  ])('is compared with an answer of the platform: %j', async (elsewhere, isAccepted) => {
    const { went } = await sent({ answers: [denied], elsewhere });
    expect(went).toContain(`believed 0 ${isAccepted}`);
  });
});

describe('a request that was refused for its number', () => {
  it('waits as long as the platform asks, and so do the others', async () => {
    const { went } = await sent({ answers: [throttled(429, { retryAfterMs: 1500 }), ok] });
    expect(went.slice(1, 3)).toEqual(['refused for 1500', 'pause 1500']);
  });

  it('is given up after so many', async () => {
    const { outcome, waited } = await sent({ answers: [throttled()] });
    expect(outcome).toEqual({ kind: 'gave-up', cause: 'throttled', unknown: false });
    expect(waited).toEqual(['pause 100', 'pause 200']);
  });
});

describe('a body', () => {
  const size = { bytes: 5000, isHarmless: false };

  it('that is too large does not leave', async () => {
    const { outcome, tries } = await sent({ sizes: new BodySizes(4999), request: { size } });
    expect(outcome).toEqual({ kind: 'gave-up', cause: 'request_too_large', unknown: false });
    expect(tries).toBe(0);
    expect((await sent({ sizes: new BodySizes(5000), request: { size } })).tries).toBe(1);
  });

  it('that a gateway refuses for its size is not repeated, and the limit is told', async () => {
    const told: unknown[] = [];
    const missed: RetriedRequest<string>['missed'] = ({ kind }, unknown) => told.push(kind, unknown);
    const { outcome, events, tries } = await sent({ answers: [tooLarge], request: { size, missed } });
    expect(outcome).toEqual({ kind: 'gave-up', cause: 'request_too_large', unknown: true });
    expect(told).toEqual(['unknown', true]);
    expect(tries).toBe(1);
    expect(events).toEqual([{ type: 'body-limit', limit: { refusedBytes: 5000, acceptedBytes: 0 } }]);
    // Without a listener.
    expect((await sent({ answers: [tooLarge], request: { size } })).outcome).toMatchObject({ unknown: true });
  });

  it('that never arrived by the profile is not in doubt, and no limit is told', async () => {
    const { outcome, events } = await sent({ answers: [throttled(413)], request: { size } });
    expect(outcome).toEqual({ kind: 'gave-up', cause: 'request_too_large', unknown: false });
    expect(events).toEqual([]);
  });

  it('that is small or of no size was refused for another cause', async () => {
    const small = { bytes: 100, isHarmless: false };
    expect((await sent({ answers: [tooLarge], request: { size: small } })).tries).toBe(3);
    expect((await sent({ answers: [tooLarge] })).tries).toBe(3);
  });

  it.each<[string, One, boolean]>([
    ['a success', ok, true],
    ['a refusal', refused('no'), true],
    ['an error of the platform', serverError, true],
    ['a refusal for its size', refused('http_413', 413), false],
    ['a lost answer', lost, false],
    ['a connection that failed', notSent, false],
  ])('that passes disproves the limit: %s', async (_what, answer, disproves) => {
    const sizes = new BodySizes();
    sizes.refused('notes', 5000);
    const request = { size: { bytes: 6000, isHarmless: true } };
    const { events } = await sent({ answers: [answer, ok], sizes, request });
    const [first] = events;
    expect(first?.type === 'body-limit' && first.limit === undefined).toBe(disproves);
    // Without a limit there is nothing to tell.
    const free = await sent({ answers: [answer === lost ? ok : answer, ok], request });
    expect(free.events.filter(({ type }) => type === 'body-limit').length).toBe(
      answer.kind === 'refused' && answer.status === 413 ? 1 : 0,
    );
  });
});

describe('a wait before a repeat', () => {
  const retry = { attempts: 3, throttledAttempts: 2, baseMs: 100, capMs: 300, retryAfterCapMs: 5000 };
  const random = () => 0.5;

  it.each<[number | undefined, number, number]>([
    [undefined, 1, 50],
    [undefined, 2, 100],
    [undefined, 3, 150],
    [0, 1, 50],
    [-1, 1, 50],
    [1, 1, 1],
    [4000, 1, 4000],
    [6000, 1, 5000],
  ])('is as long as the platform asks, or grows: %s ms asked, repeat %s', (asked, repetition, ms) => {
    expect(waitAfter(asked, repetition, retry, random)).toBe(ms);
  });

  it('ends with the run, and no error is taken for that', async () => {
    const { signal } = new AbortController();
    expect(await pause(ownClock(), 5, signal)).toBe(true);
    expect(await pause(ownClock(), 5, AbortSignal.abort())).toBe(false);
    const broken = { ...ownClock(), sleep: () => Promise.reject(new Error('no timer')) };
    await expect(pause(broken, 5, signal)).rejects.toThrow('no timer');
  });
});
