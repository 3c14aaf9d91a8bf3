import { describe, expect, it } from 'vitest';
import type { PartEntry } from '../../src/journal/journal.ts';
import {
  contradictionCode,
  pauseAfterContradiction,
  saysAbsent,
  type ContradictingAnswer,
} from '../../src/pipeline/account/contradiction.ts';
import {
  creationOf,
  isCreatedSince,
  suspicionOf,
  type Contradiction,
  type Known,
} from '../../src/pipeline/account/evidence.ts';
import {
  firstAttempt,
  isToHoldBack,
  isUnsent,
  isWantedAgain,
  thereBefore,
} from '../../src/pipeline/account/first-attempt.ts';
import {
  adoptedOutcome,
  nothingOpen,
  openAmong,
  openAttempts,
  readOutcome,
  restoredOutcome,
} from '../../src/pipeline/account/open-attempts.ts';
import type { RunContext } from '../../src/pipeline/run/context.ts';

type Attempt = Partial<PartEntry>;

const attempt = (
  step: PartEntry['step'],
  state: PartEntry['state'],
  outcome?: string,
  more: Attempt = {},
): PartEntry => ({
  ...{ step, part: 0, attempt: 1, hash: 'h', run: 1, sentAt: 0, state },
  ...(outcome === undefined ? {} : { outcome }),
  ...more,
});

describe('an account', () => {
  it.each<[string, PartEntry[], string]>([
    ['here by the first request', [attempt('process', 'done', 'ok')], 'here'],
    [
      'here, whatever a person had to rule of its notes',
      [attempt('process', 'done', 'ok'), attempt('notes', 'uncertain'), attempt('notes', 'done', 'ruling')],
      'here',
    ],
    [
      'by a ruling on what was uncertain',
      [attempt('process', 'sent'), attempt('process', 'uncertain')],
      'ruled',
    ],
    [
      'by a ruling',
      [attempt('process', 'refused', 'refused'), attempt('process', 'done', 'ruling')],
      'ruled',
    ],
    ['elsewhere, by others', [attempt('process', 'done', 'adopted')], 'elsewhere'],
    [
      'elsewhere, before a restore',
      [attempt('process', 'done', 'ok'), attempt('notes', 'sent', 'restored')],
      'elsewhere',
    ],
    [
      'elsewhere, with a ruling too',
      [attempt('process', 'uncertain'), attempt('process', 'done', 'adopted')],
      'elsewhere',
    ],
  ])('was created %s', (_what, attempts, expected) => {
    expect(creationOf(attempts)).toBe(expected);
  });

  it.each([
    [undefined, 1_000, 1_000, false],
    [undefined, 1_000, 1_001, true],
    [5_000, 9_000, 4_000, false],
    [5_000, 9_000, 4_001, true],
  ])(
    'is newer than the journal (last record %s, begun %i, created %i): %s',
    (recordedAt, begunAt, at, is) => {
      expect(isCreatedSince(at, { recordedAt, begunAt })).toBe(is);
    },
  );
});

describe('what contradicts the journal', () => {
  const thereNow: Contradiction = { is: 'there', isOfThisRun: true };
  const there: Contradiction = { is: 'there', isOfThisRun: false };
  const meanwhile: Contradiction = { is: 'created', isOfThisRun: true };
  const created = (createdAt?: number): Contradiction => ({ is: 'created', isOfThisRun: false, createdAt });
  const [other, behind] = [created(2_000), created(1_999)];

  it.each<[string, Contradiction[], Partial<Known>, string]>([
    ['what this run sent first', [thereNow], {}, 'doubled_requests'],
    ['accounts that this run staged', [meanwhile], {}, 'doubled_requests'],
    ['what an earlier run may have sent', [there], {}, 'journal_behind'],
    ['the same, among four that were new', [there], { clean: 4 }, 'journal_behind'],
    ['the same, among five that were new', [there], { clean: 5 }, 'doubled_requests'],
    ['accounts created before this run', [behind], {}, 'journal_behind'],
    ['accounts created at an unknown time', [created()], { clean: 5 }, 'journal_behind'],
    ['accounts created since this run began', [other], {}, 'other_journal'],
    ['accounts that no run can have created', [behind], { recordedAt: undefined }, 'other_journal'],
    ['as many of both', [other, behind], {}, 'other_journal'],
    ['more of the earlier ones', [other, behind, behind], {}, 'journal_behind'],
    ['others while this run stages', [other, meanwhile, behind, behind], {}, 'other_journal'],
    [
      'others often while this run stages',
      [other, meanwhile, meanwhile, behind, behind],
      {},
      'other_journal',
    ],
    ['something of each', [other, thereNow, behind], {}, 'journal_behind'],
    ['more that was sent twice', [other, thereNow, thereNow], {}, 'doubled_requests'],
    ['as much sent twice as an earlier run may have sent', [thereNow, there], {}, 'journal_behind'],
    ['as much sent twice as missing', [thereNow, behind], {}, 'journal_behind'],
  ])('looks like what it is: %s', (_what, contradictions, known, expected) => {
    expect(suspicionOf(contradictions, { recordedAt: 1_000, begunAt: 2_000, clean: 0, ...known })).toBe(
      expected,
    );
  });
});

describe('a refusal that denies what was acknowledged', () => {
  const refusal = (code: string, ...codes: string[]) => ({
    ...{ detail: '', wouldImport: false, code },
    problems: codes.map((one) => ({ code: one, path: '', detail: '', severity: 'error' as const })),
  });
  const refused = (code: string, ...codes: string[]): ContradictingAnswer => ({
    ...{ kind: 'refused', status: 400, refusal: refusal(code, ...codes) },
  });
  const notFound: ContradictingAnswer = { kind: 'not-found', status: 404, refusal: refusal('') };

  it.each<[ContradictingAnswer, boolean, string]>([
    [notFound, true, 'http_404'],
    [{ ...notFound, refusal: refusal('gone') }, true, 'gone'],
    [refused('x', 'account_not_found'), true, 'account_not_found'],
    [refused('import_process_does_not_exist'), true, 'import_process_does_not_exist'],
    [refused('x', 'y'), false, 'x'],
  ])('is known by its kind or its code: %j', (answer, isAbsent, code) => {
    expect([saysAbsent(answer), contradictionCode(answer)]).toEqual([isAbsent, code]);
  });

  it('is repeated ever more slowly', () => {
    expect([0, 1, 2, 4, 5, 20].map(pauseAfterContradiction)).toEqual([250, 500, 1000, 4000, 5000, 5000]);
  });
});

describe('of the attempts at a request', () => {
  const request = { step: 'notes', part: 1, hash: 'h' } as const;
  const of = (number: number, state: PartEntry['state'], outcome?: string, more: Attempt = {}) =>
    attempt('notes', state, outcome, { part: 1, attempt: number, ...more });
  const numbers = (attempts: readonly PartEntry[], mayRepeat?: (status?: number) => boolean) => {
    const { unknown, lost, ever } = openAmong(attempts, request, mayRepeat);
    return [unknown, lost, ever.map((one) => one.attempt)];
  };

  it.each<[string, PartEntry[], [number, number, number[]]]>([
    ['one that was cut short', [of(1, 'sent')], [1, 1, [1]]],
    ['one whose answer was lost', [of(1, 'sent', 'unknown')], [1, 1, [1]]],
    ['one before a restore', [of(1, 'sent', 'restored')], [1, 1, [1]]],
    ['one that had no effect', [of(1, 'sent', 'throttled')], [0, 0, []]],
    ['one that failed', [of(1, 'failed', 'unknown')], [0, 0, []]],
    [
      'each once, however often it is written',
      [of(1, 'sent'), of(1, 'sent', 'unknown'), of(2, 'sent')],
      [2, 2, [1, 1, 2]],
    ],
    ['those since the last ruling', [of(1, 'sent'), of(2, 'uncertain'), of(3, 'sent')], [1, 1, [1, 2, 3]]],
    [
      'none of another step, part, or content',
      [
        attempt('stage', 'sent', undefined, { part: 1 }),
        of(1, 'sent', 'unknown', { part: 2 }),
        of(1, 'sent', 'unknown', { hash: 'i' }),
      ],
      [0, 0, []],
    ],
  ])('are open: %s', (_what, attempts, expected) => {
    expect(numbers(attempts)).toEqual(expected);
  });

  it('the journal is asked for those of one account', async () => {
    const journal = {
      async *attempts(account: number) {
        await Promise.resolve();
        yield* account === 7 ? [of(1, 'sent'), attempt('stage', 'sent')] : [];
      },
    } as unknown as RunContext['journal'];
    expect(await openAttempts(journal, { accountId: 7, ...request })).toMatchObject({ unknown: 1, lost: 1 });
    expect(await openAttempts(journal, { accountId: 8, ...request })).toEqual(nothingOpen);
    expect(nothingOpen).toEqual({ unknown: 0, lost: 0, ever: [] });
  });

  it('the journal has their outcomes under names that stay', () => {
    expect([restoredOutcome, adoptedOutcome, readOutcome]).toEqual(['restored', 'adopted', 'reading']);
  });

  it('none is lost after an answer with which it may be repeated', () => {
    const attempts = [
      of(1, 'sent', 'unknown', { status: 500 }),
      of(2, 'sent', 'unknown'),
      of(3, 'sent', 'unknown'),
    ];
    expect(numbers(attempts, (status) => status === 500)).toEqual([3, 2, [1, 2, 3]]);
  });

  it.each<[string, number, boolean | undefined, PartEntry | undefined, boolean]>([
    ['of an account that is held', 7, undefined, undefined, true],
    ['that the platform would recognise', 7, true, undefined, false],
    ['of another account', 8, false, undefined, false],
    ['that was sent before', 7, false, of(1, 'sent', 'unknown'), false],
    ['that a person wants repeated', 7, false, of(1, 'failed', 'ruling'), false],
  ])('the first is held back, or not: one %s', (_what, account, isRecognised, prior, expected) => {
    const context = { contradictions: { holds: (id: number) => id === 7 } } as unknown as RunContext;
    const policy = isRecognised === undefined ? {} : { isRecognised };
    expect(isToHoldBack(context, account, policy, prior)).toBe(expected);
  });

  it('the first is of this run if the account is', () => {
    const holdBack = () => Promise.resolve();
    const isExplained = () => true;
    const run = { progress: { isCreatedNow: true }, holdBack } as unknown as Parameters<
      typeof firstAttempt
    >[0];
    expect(firstAttempt(run, isExplained)).toEqual({ isExplained, isOfThisRun: true, holdBack });
  });

  it.each<[string, PartEntry | undefined, boolean, boolean]>([
    ['nothing', undefined, true, false],
    ['a failure', of(1, 'failed', 'throttled'), true, false],
    ['the wish of a person', of(1, 'failed', 'ruling'), false, true],
    ['a lost answer', of(1, 'sent', 'unknown'), false, false],
    ['a success', of(1, 'done', 'ok'), false, false],
    ['what a person found done', of(1, 'done', 'ruling'), false, false],
  ])('the journal tells %s', (_what, prior, isFirst, isWanted) => {
    expect([isUnsent(prior), isWantedAgain(prior)]).toEqual([isFirst, isWanted]);
  });
});

describe('a first attempt that the platform answers', () => {
  const detail =
    'The platform has this already, though the journal calls it never sent. Requests may be sent twice on the way, or the journal may be older than the platform.';
  const warning = (path: string) => [{ code: 'already_there', path, detail, severity: 'warning' }];

  async function answered(
    said: Partial<Parameters<typeof thereBefore>[3]>,
    attempts: readonly PartEntry[] = [attempt('process', 'done', 'ok')],
  ) {
    const done: string[] = [];
    const context = {
      journal: {
        async *attempts() {
          await Promise.resolve();
          yield* attempts;
        },
      },
      contradictions: {
        add: (...[id, , one]: [number, unknown, Contradiction]) =>
          done.push(`add ${id} ${JSON.stringify(one)}`),
        addNew: (id: number) => done.push(`new ${id}`),
        hold: (id: number) => done.push(`hold ${id}`),
      },
    } as unknown as RunContext;
    const ref = { accountId: 7, step: 'notes', part: 0 } as const;
    const first = {
      isExplained: (item: number) => item === 0,
      isOfThisRun: true,
      holdBack: () => {
        done.push('hold back');
        return Promise.resolve();
      },
    };
    const key = { supplier: 'S', account: '1' };
    const warnings = await thereBefore(context, { ref, key }, first, {
      ...{ isThere: false, existed: [], isNew: false },
      ...said,
    });
    return { done, warnings };
  }

  const added = 'add 7 {"is":"there","isOfThisRun":true}';

  it('as new bears witness for the journal, unless something of it was there', async () => {
    expect(await answered({ isNew: true })).toEqual({ done: ['new 7'], warnings: [] });
    expect(await answered({ isNew: true, existed: [0] })).toEqual({ done: [], warnings: [] });
    expect(await answered({})).toEqual({ done: [], warnings: [] });
  });

  it('as there contradicts the journal, and is told at the first such item', async () => {
    const said = { existed: [0, 2, 3] };
    expect(await answered(said)).toEqual({ done: [added, 'hold back'], warnings: warning('notes.2') });
    expect(await answered({ isThere: true })).toEqual({ done: [added, 'hold back'], warnings: [] });
  });

  it('as there is held back alone if a person ruled that the account was created', async () => {
    const ruled = await answered({ existed: [2] }, [attempt('process', 'done', 'ruling')]);
    expect(ruled).toEqual({ done: ['hold 7', 'hold back'], warnings: warning('notes.2') });
  });

  it('as there says nothing of an account that others created', async () => {
    const others = await answered({ existed: [2] }, [attempt('process', 'done', 'adopted')]);
    expect(others).toEqual({ done: [], warnings: [] });
  });
});
