import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/domain/json.ts';
import { parseJson } from '../../../src/domain/json.ts';
import { defaultTransactionsQuery } from '../../../src/contract/schemas/transactions.ts';
import { changedAfterImport, dateMovedCode, differsCode } from '../../../src/domain/shared-codes.ts';
import type { Likeness } from '../../../src/pipeline/steps/item-prints.ts';
import type { RequestItems } from '../../../src/pipeline/steps/sent-items.ts';
import { transactions } from '../../../src/pipeline/steps/transactions.ts';

const requestSizes = { notes: 10, transactions: 20, statements: 30 };
const checked = transactions({ transactionsQuery: { ...defaultTransactionsQuery, checkPreviouslyAdded: true }, requestSizes }); // prettier-ignore
const unchecked = transactions({ transactionsQuery: { ...defaultTransactionsQuery, checkPreviouslyAdded: false }, requestSizes }); // prettier-ignore

const charge = (id: string, more: JsonObject = {}): JsonObject => ({
  ...{ transaction_id: id, transaction_date: '2024-01-31', amount: '1.50', type: 'CHARGE', reason: 'Water' },
  ...more,
});
const added = (data?: JsonValue): JsonObject => ({
  status: 'TRANSACTION_ADDED_TO_ACCOUNT',
  ...(data === undefined ? {} : { transaction_data: data }),
});
const there = (data: JsonValue = null): JsonObject => ({
  status: 'TRANSACTION_ALREADY_EXISTS',
  transaction_data: data,
});

/** What of an item was sent in another form before. */
interface Before {
  readonly likeness?: Likeness;
  readonly wasSent?: (item: JsonObject) => boolean;
  readonly members?: readonly string[];
}

function sentOf(items: readonly JsonObject[], { likeness, wasSent, members }: Before = {}): RequestItems {
  return {
    ...{ count: items.length, items, all: items },
    likeness: () => likeness,
    wasSent: wasSent ?? (() => false),
    changedMembers: () => members ?? [],
  };
}

function read(items: readonly JsonObject[], body: JsonValue | undefined, before?: Before) {
  return checked.policy(sentOf(items, before)).read?.(body);
}

/** The same, with its problems as lines. */
function told(items: readonly JsonObject[], results: JsonValue[], before?: Before) {
  const { problems = [], ...verdict } = read(items, { results }, before) ?? {};
  return { ...verdict, problems: problems.map(({ code, path, severity }) => `${severity} ${code} ${path}`) };
}

const done = { state: 'done', existed: [], code: undefined, problems: [] };
const [a, b] = [charge('a'), charge('b')];

describe('an answer to transactions', () => {
  it('of a tenancy that says nothing of them is a success', () => {
    expect(read([a], undefined)).toEqual({ state: 'done' });
  });

  it.each<[string, JsonValue[]]>([
    ['without their data', [added(), added()]],
    ['with it', [added(a), added(b)]],
    ['in another order', [added(b), added(a)]],
    ['one of them without its data', [added(), added(b)]],
    ['one of them with data that is none', [added({}), added(b)]],
    ['one of them with a number for its id', [added({ transaction_id: 5 }), added(b)]],
  ])('that names all as added is a success: %s', (_what, results) => {
    const { state, existed, problems } = told([a, b], results);
    expect({ state, existed, problems }).toEqual({ state: 'done', existed: [], problems: [] });
  });

  const missing = (index: number) => `error transaction_result_missing transactions.${index}`;

  it.each<[string, JsonValue[], string[]]>([
    ['none', [], [missing(0), missing(1)]],
    ['one', [added()], [missing(1)]],
    ['one that names the second', [added(b)], [missing(0)]],
    ['one that is none', [added(), 5], [missing(1)]],
    ['one that is nothing', [added(), null], [missing(1)]],
    ['one of another', [added(charge('c')), added()], [missing(0)]],
  ])('that leaves one out is not a success: with %s', (_what, results, problems) => {
    const code = 'transaction_result_missing';
    expect(told([a, b], results)).toEqual({ state: 'refused', code, isConflict: false, problems });
  });

  it.each<[JsonValue]>([[{}], [{ results: 'none' }], [[]], ['ok']])(
    'that has no list is none: %j',
    (body) => {
      expect(read([a], body)?.problems).toEqual([
        {
          ...{ code: 'transaction_result_missing', path: 'transactions.0', severity: 'error' },
          detail: 'The platform answered the request without a result for this transaction.',
        },
      ]);
    },
  );

  it('tells which could not be added', () => {
    const failed = { status: 'TRANSACTION_IMPORT_ERROR', transaction_data: b };
    expect(read([a, b], { results: [added(a), failed] })).toEqual({
      ...{ state: 'refused', code: 'TRANSACTION_IMPORT_ERROR', isConflict: false },
      problems: [
        {
          ...{ code: 'TRANSACTION_IMPORT_ERROR', path: 'transactions.1', severity: 'error' },
          detail: 'The platform could not add it.',
        },
      ],
    });
  });

  it('tells of a failure without its data too', () => {
    expect(told([a], [{ status: 'TRANSACTION_IMPORT_ERROR' }])).toMatchObject({ state: 'refused' });
  });

  it('that has another amount of one is a conflict beside a warning too', () => {
    const results = [there(charge('a', { amount: '2.50' })), there(charge('b', { reason: 'Gas' }))];
    expect(told([a, b], results)).toMatchObject({ code: differsCode, isConflict: true });
  });

  it('tells which were there', () => {
    expect(told([a, b], [added(a), there(b)])).toEqual({ ...done, existed: [1] });
    expect(told([a, b], [there(), there()])).toEqual({ ...done, existed: [0, 1] });
  });

  it('that has another amount of one is a conflict, whichever attempt sent it', () => {
    const other = there(charge('a', { amount: '2.50' }));
    expect(read([a], { results: [other] })).toEqual({
      ...{ state: 'refused', code: differsCode, isConflict: true },
      problems: [
        {
          ...{ code: differsCode, path: 'transactions.0', severity: 'error' },
          detail: 'The platform has another transaction with this id: its amount or type differs.',
        },
      ],
    });
    expect(told([a, b], [other])).toMatchObject({
      isConflict: false,
      problems: [expect.anything(), missing(1)],
    });
    expect(told([a], [added(charge('a', { amount: '2.50' }))])).toEqual(done);
  });

  it.each<[string, JsonObject, JsonObject, string[]]>([
    ['another text', a, charge('a', { reason: 'Gas' }), ['reason']],
    ['no text', a, { transaction_id: 'a' }, []],
    ['another notation of a number', charge('a', { units: '5' }), charge('a', { units: '5.0' }), []],
    ['a text for nothing', charge('a', { units: null }), charge('a', { units: 'x' }), []],
    ['a number for a text', a, charge('a', { reason: 5 }), []],
    ['a text for a number', charge('a', { units: 5 }), charge('a', { units: '6' }), []],
  ])('warns of what the platform has instead: %s', (_what, item, data, names) => {
    const problems = names.map((name) => `warning transaction_details_differ transactions.0.${name}`);
    expect(told([item], [there(data)])).toEqual({ ...done, existed: [0], problems });
    expect(told([item], [added(data)])).toEqual(done);
  });

  it('says why it warns', () => {
    const results = [there(charge('a', { reason: 'Gas' }))];
    expect(read([a], { results })?.problems?.[0]?.detail).toBe(
      'The platform has a different value here for this transaction, and keeps it.',
    );
  });

  it('tells a date that was moved, and the journal keeps that', () => {
    const moved = charge('a', { transaction_date: '2024-02-01T00:00:00Z' });
    const problem = {
      ...{ code: dateMovedCode, path: 'transactions.0.transaction_date', severity: 'warning' },
      detail: 'The platform moved the date into the open statement period, to 2024-02-01.',
    };
    const expected = { state: 'done', problems: [problem], existed: [], code: dateMovedCode };
    expect(read([a], { results: [added(moved)] })).toEqual(expected);
    expect(read([a], { results: [there(moved)] })).toEqual({ ...expected, existed: [0] });
    expect(told([a], [added(charge('a', { transaction_date: null }))])).toEqual(done);
  });
});

describe('a transaction that was sent in another form before', () => {
  const changed = (...paths: string[]) => ({
    ...{ state: 'refused', code: changedAfterImport, isConflict: true },
    problems: paths.map((path) => `error ${changedAfterImport} ${path}`),
  });

  it('has another amount', () => {
    expect(told([a], [there(a)], { likeness: 'another' })).toEqual(changed('transactions.0.amount'));
    expect(told([a], [added(a)], { likeness: 'another' })).toEqual(done);
  });

  it('has another text', () => {
    const wasSent = ({ reason }: JsonObject) => reason === 'Gas';
    const before = { likeness: 'same-core', wasSent } as const;
    expect(told([a], [there(charge('a', { reason: 'Gas' }))], before)).toEqual(
      changed('transactions.0.reason'),
    );
  });

  it('has another date, and was moved from the one that was sent', () => {
    const wasSent = (item: JsonObject) => item['transaction_date'] === '2024-01-01';
    const before = { likeness: 'same-core', wasSent } as const;
    const results = [there(charge('a', { transaction_date: '2024-01-01' }))];
    expect(told([a], results, before)).toEqual(changed('transactions.0.transaction_date'));
  });

  it.each<[readonly string[], string[]]>([
    [[], ['transactions.0']],
    [
      ['reason', 'type'],
      ['transactions.0.reason', 'transactions.0.type'],
    ],
  ])('is told at what is known to differ: %j', (members, paths) => {
    expect(told([a], [there(a)], { likeness: 'same-core', members })).toEqual(changed(...paths));
  });

  it('is the same if it was sent as it is', () => {
    const before = { likeness: 'same-core', wasSent: () => true } as const;
    expect(told([a], [there(a)], before)).toEqual({ ...done, existed: [0] });
  });
});

describe('a request of transactions', () => {
  it.each([
    [checked, { whenLost: 'repeat', isRecognised: true, bearsWitness: true, namesNothing: false }],
    [unchecked, { whenLost: 'uncertain', isRecognised: false, bearsWitness: false, namesNothing: true }],
  ])('is repeated only if the platform checks for earlier ones', (step, expected) => {
    expect(step.policy(sentOf([a]))).toMatchObject({ ...expected, isSeveral: false, keptCode: undefined });
    expect(step.policy(sentOf([a, b]))).toMatchObject({
      isSeveral: true,
      keptCode: 'TRANSACTION_IMPORT_ERROR',
    });
    expect([step.isRecognised(a), step.isAlone(a)]).toEqual([expected.isRecognised, !expected.isRecognised]);
    expect([step.size, step.query]).toEqual([20, expect.objectContaining({ checkPreviouslyAdded: expected.isRecognised })]); // prettier-ignore
    expect(step).toMatchObject({
      kind: 'items',
      step: 'transactions',
      endpoint: 'transactions',
      array: 'transactions',
    });
    expect([step.keepsEarlier?.('TRANSACTION_IMPORT_ERROR'), step.keepsEarlier?.('invalid')]).toEqual([
      true,
      false,
    ]);
  });

  it('is known to have arrived only if each refusal says that it is there', () => {
    const proves = (...codes: string[]) =>
      checked.policy(sentOf([a])).provesOurs?.({
        ...{ code: '', detail: '', wouldImport: false },
        problems: codes.map((code) => ({ code, path: '', detail: '', severity: 'error' })),
      });
    const exists = 'TRANSACTION_ALREADY_EXISTS';
    expect([proves(), proves(exists), proves(exists, exists), proves(exists, 'invalid')]).toEqual([
      ...[false, true, true, false],
    ]);
  });

  it('has items that are told apart by their ids', () => {
    const { marks, nameOf, isLike, hasIds } = checked;
    expect(hasIds).toBe(true);
    expect([marks?.idOf?.(a), marks?.idOf?.({}), nameOf?.(a), nameOf?.({ transaction_id: 5 })]).toEqual([
      ...['"a"', 'null', 'a', undefined],
    ]);
    expect([isLike?.(a, charge('a', { amount: '9' })), isLike?.(a, b)]).toEqual([true, false]);
  });

  it.each([
    ['1.50', '1.5'],
    ['1.5', '"1.5" as a number'],
    ['100', '100.00'],
    ['0.00', '0'],
    ['-1.50', '-1.5'],
    ['01.5', '1.5'],
  ])('has one core for an amount in any notation: %s, %s', (one, other) => {
    const core = (amount: JsonValue) => checked.marks?.coreOf(charge('a', { amount }));
    const written = other.startsWith('"') ? parseJson('1.5') : other;
    expect(core(one)).toBe(core(written));
    expect(core(one)).not.toBe(core('7'));
  });

  it('has another core for anything else', () => {
    const core = (more: JsonObject) => checked.marks?.coreOf(charge('a', more));
    expect(core({})).toBe('["a","CHARGE","1.5"]');
    expect(core({ amount: '10' })).toBe('["a","CHARGE","10"]');
    expect(core({ amount: 'x' })).toBe('["a","CHARGE","x"]');
    expect(checked.marks?.coreOf({})).toBe('[null,null,""]');
  });
});
