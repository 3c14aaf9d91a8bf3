import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/client/platform-client.ts';
import { nothingSent } from '../../../src/contract/sent-values.ts';
import type { JsonValue } from '../../../src/domain/json.ts';
import type { PartEntry, Settlement } from '../../../src/journal/journal.ts';
import {
  deliver,
  leaveToPerson,
  missedSettlement,
  refusedBy,
  wordsOf,
  type Part,
  type PartPolicy,
} from '../../../src/pipeline/request/part.ts';
import type { RunContext } from '../../../src/pipeline/run/context.ts';

type AnyAnswer = Answer<JsonValue | undefined>;

const ok: AnyAnswer = { kind: 'ok', status: 201, body: { said: 1 } };
const lost: AnyAnswer = { kind: 'unknown', cause: 'connection_reset' };
const serverError: AnyAnswer = { kind: 'unknown', cause: 'http_500', status: 500, isOver: true };
const notSent: AnyAnswer = { kind: 'not-sent', cause: 'connection_refused' };
const throttled: AnyAnswer = { kind: 'throttled', status: 429 };
const mismatch: AnyAnswer = { kind: 'unknown', cause: 'answer_mismatch', status: 200 };
const refusalOf = (code: string, ...codes: string[]) => ({
  ...{ code, detail: 'All.', wouldImport: false },
  problems: codes.map((one) => ({ code: one, path: 'x', detail: 'No.', severity: 'error' as const })),
});
const refused = (code: string, ...codes: string[]) => ({
  ...({ kind: 'refused', status: 400 } as const),
  refusal: refusalOf(code, ...codes),
});

const ref = { accountId: 7, step: 'notes', part: 0 } as const;
const entry = (state: PartEntry['state'], outcome?: string, more: Partial<PartEntry> = {}): PartEntry => ({
  ...{ step: 'notes', part: 0, attempt: 1, hash: 'h', run: 1, sentAt: 0, state },
  ...(outcome === undefined ? {} : { outcome }),
  ...more,
});
const created: PartEntry = { ...entry('done', 'ok'), step: 'process' };

interface Given {
  /** What is answered to one request after the other; the last one from then on. */
  readonly answers?: readonly AnyAnswer[];
  readonly policy?: Partial<PartPolicy>;
  readonly prior?: PartEntry;
  /** All attempts of the account before. */
  readonly attempts?: readonly PartEntry[];
  readonly part?: Partial<Part>;
  readonly isHeld?: boolean;
  readonly isTooLarge?: boolean;
}

/** Sends one request, and says what became of it and what was written. */
async function delivered({ answers = [ok], policy, prior, attempts = [], part, isHeld, isTooLarge }: Given) {
  const written: string[] = [];
  const waits: string[] = [];
  const said: string[] = [];
  const intents: unknown[] = [];
  const sizes: unknown[] = [];
  let isDelicate: boolean | undefined;
  let asked = 0;
  let fresh: boolean | undefined;
  const answered = () => answers[Math.min(++asked, answers.length) - 1] ?? ok;
  const context = {
    ...{ run: 3, random: () => 1, emit: () => undefined, record: () => undefined },
    settings: {
      retry: { attempts: 3, throttledAttempts: 2, baseMs: 100, capMs: 1000, retryAfterCapMs: 5000 },
      patience: { laggingMs: 600 },
      keepWords: false,
    },
    clock: { now: () => 9, monotonic: () => 1000 },
    journal: {
      intend: (_ref: unknown, intent: unknown) => {
        intents.push(intent);
        return Promise.resolve(void written.push('intent'));
      },
      settle: (_ref: unknown, { state, outcome, code, money }: Settlement) =>
        void written.push([state, outcome, code, money].filter((one) => one !== undefined).join(' ')),
      async *attempts() {
        await Promise.resolve();
        yield* attempts;
      },
    },
    client: {
      post: (_endpoint: unknown, _body: unknown, options: { fresh?: boolean }) => {
        fresh = options.fresh;
        return Promise.resolve(answered());
      },
    },
    flow: {
      outages: 0,
      send: async (request: {
        isDelicate: boolean;
        before: () => Promise<void>;
        send: (signal?: AbortSignal) => unknown;
      }) => {
        isDelicate = request.isDelicate;
        await request.before();
        return request.send();
      },
      pause: (_request: unknown, ms: number) => Promise.resolve(waits.push(`${ms}`) > 0),
      waitAside: (_request: unknown, ms: number) => Promise.resolve(waits.push(`aside ${ms}`) > 0),
      platformIsBack: () => Promise.resolve(true),
      refusedFor: () => undefined,
    },
    answers: { see: () => undefined, admits: () => Promise.resolve(true) },
    credentials: { pass: () => Promise.resolve(true), accepted: () => undefined },
    tally: { requests: 0, retries: 0, answered: 0 },
    sizes: {
      forbids: (...one: unknown[]) => {
        sizes.push(one);
        return isTooLarge === true;
      },
      passed: () => false,
      refused: () => true,
      problem: () => ({ code: 'request_too_large', path: '', detail: '', severity: 'error' }),
    },
    quiet: { afterLoss: () => 1300, ofRecorded: ({ attempt }: PartEntry) => 1000 + 100 * attempt },
    contradictions: {
      holds: () => isHeld === true,
      add: () => void said.push('add'),
      addNew: () => void said.push('new'),
      hold: () => void said.push('hold'),
    },
  } as unknown as RunContext;
  const request = {
    ...{ ref, key: { supplier: 'S', account: '1' }, krakenAccountNumber: 'A-1', endpoint: 'notes' },
    ...{ body: '{}', about: nothingSent, hash: 'h', money: undefined },
    ...part,
  } as const satisfies Part;
  const result = await deliver(context, request, { whenLost: 'repeat', ...policy }, prior);
  const problems = result.problems.map(({ code, path }) => `${code} ${path}`.trim());
  return { ...result, problems, written, waits, asked, said, fresh, intents, sizes, isDelicate };
}

describe('a request', () => {
  it('is written down before it leaves, and its answer after that', async () => {
    expect(await delivered({})).toMatchObject({
      state: 'done',
      code: '',
      problems: [],
      written: ['intent', 'done ok'],
      fresh: false,
    });
    expect(await delivered({ policy: { namesNothing: true } })).toMatchObject({ fresh: true });
  });

  it.each<[string, AnyAnswer, string, string[]]>([
    ['with the code of its first error', refused('failed', 'no', 'nor'), 'no', ['no x', 'nor x']],
    [
      'with that of the answer where the error has none',
      refused('failed', 'invalid'),
      'failed',
      ['invalid x'],
    ],
    ['with that of the error where the answer has none', refused('', 'invalid'), 'invalid', ['invalid x']],
    ['with that of the answer alone', refused('failed'), 'failed', ['failed']],
    ['with its status where there is no code', refused(''), 'http_400', ['http_400']],
    ['with the one that is kept', refused('failed', 'no', 'kept'), 'kept', ['no x', 'kept x']],
  ])('is refused %s', async (_what, answer, code, problems) => {
    expect(await delivered({ answers: [answer], policy: { keptCode: 'kept' } })).toMatchObject({
      ...{ state: 'refused', code, problems, written: ['intent', `refused refused ${code}`] },
    });
  });

  it('is refused with the message of the answer where no error has one', () => {
    expect(refusedBy(refused('failed')).problems).toEqual([
      { code: 'failed', path: '', detail: 'All.', severity: 'error' },
    ]);
  });

  it.each<[string, AnyAnswer[], string[], string[]]>([
    ['what never left', [notSent, ok], ['failed not-sent connection_refused'], ['100']],
    ['what was refused for its number', [throttled, ok], ['failed throttled throttled'], ['100']],
    [
      'what was lost',
      [lost, lost, ok],
      Array<string>(2).fill('sent unknown connection_reset'),
      ['100', '200'],
    ],
  ])('repeats %s', async (_what, answers, written, waits) => {
    const result = await delivered({ answers });
    expect(result).toMatchObject({ state: 'done', waits });
    expect(result.written.filter((line) => line !== 'intent')).toEqual([...written, 'done ok']);
  });

  it.each<[string, AnyAnswer, string, number]>([
    ['never leaves', notSent, 'connection_refused', 3],
    ['is refused for its number', throttled, 'throttled', 2],
  ])('fails after so many attempts if it %s', async (_what, answer, code, asked) => {
    expect(await delivered({ answers: [answer] })).toMatchObject({ state: 'failed', code, asked });
  });

  it.each<[PartPolicy['whenLost'], number, string]>([
    ['repeat', 3, 'failed'],
    ['once', 2, 'uncertain'],
    ['settle', 1, 'lost'],
    ['uncertain', 1, 'uncertain'],
  ])('whose answers are lost is sent by its rule: %s', async (whenLost, asked, state) => {
    const result = await delivered({ answers: [lost], policy: { whenLost } });
    expect(result).toMatchObject({ state, asked, code: 'connection_reset' });
    const last = state === 'uncertain' ? 'uncertain unknown' : 'sent unknown';
    expect(result.written.at(-1)).toBe(`${last} connection_reset`);
  });

  it('is lost after two answers about something else', async () => {
    expect(await delivered({ answers: [mismatch] })).toMatchObject({ state: 'uncertain', asked: 2 });
  });

  it('waits until a lost one is no longer under way, if it cannot be undone', async () => {
    const irrevocable = { isIrrevocable: true, whenLost: 'once' } as const;
    expect((await delivered({ answers: [lost, ok], policy: irrevocable })).waits).toEqual([
      '100',
      'aside 300',
    ]);
    expect((await delivered({ answers: [serverError, ok], policy: irrevocable })).waits).toEqual(['100']);
    const attempts = [entry('sent', 'unknown'), entry('sent', 'unknown', { attempt: 2 })];
    const before = { prior: entry('sent', 'unknown'), attempts };
    expect((await delivered({ ...before, policy: { ...irrevocable, whenLost: 'repeat' } })).waits).toEqual([
      'aside 200',
    ]);
    expect((await delivered(before)).waits).toEqual([]);
  });

  it('is repeated unchanged after an answer that asks for it, any number of times', async () => {
    const policy = { whenLost: 'once', mayRepeat: (status?: number) => status === 500 } as const;
    const result = await delivered({ answers: [serverError, serverError, refused('no')], policy });
    expect(result).toMatchObject({ state: 'uncertain', asked: 3 });
    const harmless = { ...policy, isRepeatHarmless: true };
    const other = await delivered({ answers: [serverError, serverError, refused('no')], policy: harmless });
    expect(other).toMatchObject({ state: 'refused', asked: 3 });
  });

  it('that denies what was acknowledged is repeated for a while', async () => {
    const denied = refused('account_not_found');
    expect(await delivered({ answers: [denied, ok] })).toMatchObject({ state: 'done', waits: ['aside 250'] });
  });

  it('is written down with what it carries', async () => {
    const part = { money: 'money', prints: 'prints' };
    expect(await delivered({ part })).toMatchObject({
      intents: [{ hash: 'h', run: 3, at: 9, money: 'money', prints: 'prints' }],
      sizes: [['notes', 2, false]],
      isDelicate: false,
    });
    const policy = { isRecognised: true, whenLost: 'uncertain' } as const;
    expect(await delivered({ policy })).toMatchObject({ sizes: [['notes', 2, true]], isDelicate: true });
  });

  it('ends with the run', async () => {
    const answers = [{ kind: 'stopped' } as unknown as AnyAnswer];
    expect(await delivered({ answers })).toMatchObject({ state: 'stopped', code: '', asked: 1 });
  });

  it('of several items is done or has failed as any other', async () => {
    const policy = { isSeveral: true };
    expect(await delivered({ policy })).toMatchObject({ state: 'done', written: ['intent', 'done ok'] });
    expect(await delivered({ policy, answers: [notSent] })).toMatchObject({ state: 'failed' });
  });

  it('of an account that is held does not leave', async () => {
    const held = await delivered({ isHeld: true });
    expect(held).toMatchObject({ state: 'uncertain', code: 'journal_contradicted', asked: 0, written: [] });
    expect(await delivered({ isHeld: true, policy: { isRecognised: true } })).toMatchObject({ asked: 1 });
  });

  it.each<[Partial<PartPolicy>, Partial<Awaited<ReturnType<typeof delivered>>>]>([
    [{}, { state: 'failed', problems: ['request_too_large'] }],
    [{ isSeveral: true }, { state: 'too-large', isLost: false, problems: [] }],
  ])('that is too large does not leave: %j', async (policy, expected) => {
    const result = await delivered({ isTooLarge: true, policy });
    expect(result).toMatchObject({ ...expected, code: 'request_too_large', asked: 0 });
  });

  it.each<[Partial<PartPolicy>, string]>([
    [{ isSeveral: true }, 'too-large'],
    [{ whenLost: 'uncertain' }, 'uncertain'],
    [{}, 'failed'],
  ])('that a gateway finds too large may have arrived: %j', async (policy, state) => {
    const answers: AnyAnswer[] = [{ kind: 'unknown', cause: 'gateway_http_413', status: 413 }];
    expect(await delivered({ answers, policy })).toMatchObject({
      state,
      asked: 1,
      code: 'request_too_large',
    });
  });
});

describe('after an attempt whose answer was lost', () => {
  const prior = entry('sent', 'unknown');
  const before = { prior, attempts: [prior] };
  const no = { answers: [refused('failed', 'no')] };
  const proves = { provesOurs: ({ code }: { code: string }) => code === 'failed' };

  it.each<[PartPolicy['whenLost'], string, string, number]>([
    ['repeat', 'done', '', 1],
    ['once', 'done', '', 1],
    ['settle', 'lost', 'lost_answer', 0],
    ['uncertain', 'uncertain', 'lost_answer', 0],
  ])('a request is sent by its rule: %s', async (whenLost, state, code, asked) => {
    expect(await delivered({ ...before, policy: { whenLost } })).toMatchObject({ state, code, asked });
  });

  it('it is repeated once, and no more', async () => {
    const twice = { prior, attempts: [prior, entry('sent', 'unknown', { attempt: 2 })] };
    const once = { whenLost: 'once' } as const;
    expect(await delivered({ ...twice, policy: once })).toMatchObject({
      state: 'uncertain',
      code: 'lost_answer',
      asked: 0,
    });
    expect(await delivered({ ...before, answers: [lost], policy: once })).toMatchObject({
      state: 'uncertain',
      asked: 1,
    });
    expect(await delivered({ ...twice, policy: { whenLost: 'repeat' } })).toMatchObject({ state: 'done' });
  });

  it('a refusal says nothing about that one, unless it proves that it arrived', async () => {
    expect(await delivered({ ...before, ...no })).toMatchObject({ state: 'uncertain', code: 'no' });
    expect(await delivered({ ...before, ...no, policy: proves })).toMatchObject({
      state: 'done',
      code: 'failed',
    });
    expect(await delivered({ ...no, policy: proves })).toMatchObject({ state: 'refused' });
    const now = { answers: [lost, refused('failed', 'no')] };
    expect(await delivered(now)).toMatchObject({ state: 'uncertain' });
    expect(await delivered({ ...now, policy: proves })).toMatchObject({ state: 'done' });
  });

  it('a refusal says nothing about it, whatever came of the attempt after it', async () => {
    expect(await delivered({ ...no, prior: entry('failed', 'not-sent'), attempts: [prior] })).toMatchObject({
      state: 'uncertain',
    });
    const unsettled = entry('sent', 'throttled');
    expect(await delivered({ ...no, prior: unsettled, attempts: [unsettled] })).toMatchObject({
      state: 'uncertain',
    });
    const policy = { provesOurs: () => true };
    expect(await delivered({ ...before, answers: [refused('', 'no')], policy })).toMatchObject({
      ...{ state: 'done', code: 'no' },
    });
  });

  it.each(['settle', 'uncertain'] as const)('it is sent if the last one failed: %s', async (whenLost) => {
    const failed = { prior: entry('failed', 'not-sent'), policy: { whenLost } };
    expect(await delivered(failed)).toMatchObject({ state: 'done', asked: 1 });
  });

  it('only what may be under way is waited for', async () => {
    const attempts = [prior, entry('uncertain', 'unknown', { attempt: 5 })];
    const policy = { isIrrevocable: true } as const;
    const wanted = await delivered({ prior: entry('failed', 'ruling'), attempts, policy });
    expect(wanted.waits).toEqual(['aside 100']);
  });

  it('a refusal of several leaves each to be settled', async () => {
    const result = await delivered({ ...before, ...no, policy: { isSeveral: true } });
    expect(result).toMatchObject({
      state: 'lost',
      code: 'lost_answer',
      written: ['intent', 'sent refused no'],
    });
  });

  it('a ruling that it did not arrive is overridden by a proof', async () => {
    const cleared = { prior: entry('failed', 'ruling'), attempts: [prior, entry('uncertain', 'unknown')] };
    expect(await delivered({ ...cleared, ...no, policy: proves })).toMatchObject({ state: 'done' });
    expect(await delivered({ ...cleared, ...no })).toMatchObject({ state: 'refused' });
  });

  it('what a success says of it counts, but not what was there before', async () => {
    const policy = {
      read: () => ({ state: 'done', existed: [0] }) as const,
      ownMoney: (existed?: readonly number[]) => `money ${existed?.length ?? 'unknown'}`,
    };
    const open = await delivered({ ...before, policy });
    expect(open).toMatchObject({ existed: undefined, written: ['intent', 'done ok money unknown'] });
    expect(await delivered({ policy })).toMatchObject({
      existed: [0],
      written: ['intent', 'done ok money 1'],
    });
  });

  it('a conflict is refused, whichever attempt sent it', async () => {
    const conflict = { state: 'refused', code: 'differs', problems: [], isConflict: true } as const;
    expect(await delivered({ ...before, policy: { read: () => conflict } })).toMatchObject({
      state: 'refused',
    });
    const plain = { ...conflict, isConflict: false };
    expect(await delivered({ ...before, policy: { read: () => plain } })).toMatchObject({
      state: 'uncertain',
    });
    const others = { isNoProof: () => true, saysThere: () => true, ownMoney: () => 'money' };
    expect(await delivered({ attempts: [created], policy: { read: () => plain, ...others } })).toMatchObject({
      state: 'refused',
      written: ['intent', 'refused ok differs'],
    });
  });

  it('a refusal that says nothing about an effect leaves it open', async () => {
    expect(await delivered({ ...no, policy: { isNoProof: () => true } })).toMatchObject({
      state: 'uncertain',
    });
    expect(await delivered({ ...no, policy: { isNoProof: () => false } })).toMatchObject({
      state: 'refused',
    });
  });
});

describe('a first request that the platform answers', () => {
  const first = { isExplained: () => false, isOfThisRun: true, holdBack: () => Promise.resolve() };
  const part = { first };
  const there = { answers: [refused('there')], attempts: [created] };

  it('bears witness where its answer tells', async () => {
    const asked = (policy: Partial<PartPolicy>, answers: AnyAnswer[] = [ok]) =>
      delivered({ part, policy, answers }).then(({ said }) => said);
    expect(await asked({ bearsWitness: true })).toEqual(['new']);
    expect(await asked({})).toEqual([]);
    expect(await asked({ bearsWitness: true, read: () => ({ state: 'done', existed: [] }) })).toEqual([
      'new',
    ]);
    expect(await asked({ bearsWitness: true, read: () => ({ state: 'done' }) })).toEqual([]);
    expect(await asked({ bearsWitness: true, read: () => ({ state: 'refused' }) })).toEqual([]);
    expect(await asked({ bearsWitness: true, read: () => ({ state: 'refused', existed: [] }) })).toEqual([]);
    expect(await asked({ bearsWitness: true }, [refused('no')])).toEqual([]);
  });

  it('is in doubt where the platform has what only this journal can have sent', async () => {
    const policy = { saysThere: ({ code }: { code: string }) => code === 'there' };
    expect(await delivered({ ...there, part, policy })).toMatchObject({ state: 'uncertain', said: ['add'] });
    const adopted = [{ ...created, outcome: 'adopted' }];
    expect(await delivered({ ...there, attempts: adopted, part, policy })).toMatchObject({
      state: 'refused',
      said: [],
    });
    expect(await delivered({ ...there, attempts: [entry('done', 'ok')], part, policy })).toMatchObject({
      state: 'refused',
    });
    const some = { saysSomeThere: () => true };
    expect(await delivered({ ...there, part, policy: some })).toMatchObject({
      state: 'refused',
      said: ['add'],
    });
  });

  it('is told at the items that were there, and the journal keeps that', async () => {
    const policy = { read: () => ({ state: 'done', existed: [1] }) as const };
    expect(await delivered({ part, policy, attempts: [created] })).toMatchObject({
      ...{ state: 'done', code: '', problems: ['already_there notes.1'] },
      written: ['intent', 'done ok already_there'],
    });
    const refusedBefore = { prior: entry('refused', 'refused'), attempts: [created] };
    expect(await delivered({ ...refusedBefore, part, policy })).toMatchObject({ problems: [], said: [] });
  });
});

it('what was sent and is no longer in the export is left to a person', () => {
  const written: unknown[] = [];
  const context = {
    ...{ clock: { now: () => 9 }, record: () => undefined },
    journal: { settle: (...one: unknown[]) => void written.push(one) },
  } as unknown as RunContext;
  leaveToPerson(context, 7, [entry('sent', 'unknown', { part: 2 })]);
  expect(written).toEqual([
    [
      { accountId: 7, step: 'notes', part: 2 },
      { state: 'uncertain', outcome: 'unknown', code: 'changed_since_lost_answer', at: 9 },
    ],
  ]);
});

it('the outcome of what was missed has the status of its answer, if it has one', () => {
  const missed = { kind: 'unknown', cause: 'http_500', status: 500 } as const;
  const base = { outcome: 'unknown', code: 'http_500', at: 9 };
  expect(missedSettlement(missed, false, 9)).toEqual({ ...base, state: 'failed', status: 500 });
  const { status: _, ...unanswered } = missed;
  expect(missedSettlement(unanswered, true, 9)).toStrictEqual({ ...base, state: 'sent' });
});

it('the words of a refusal are kept, unless that is not wanted', () => {
  const words = (answer: Parameters<typeof wordsOf>[1], keepWords?: boolean) =>
    wordsOf({ settings: { keepWords } } as unknown as RunContext, answer, nothingSent);
  expect(words(refused('no', 'no'))).toContain('No.');
  expect(words(refused('no', 'no'), false)).toBeUndefined();
  expect(words({ kind: 'ok', status: 201, body: undefined })).toBeUndefined();
});
