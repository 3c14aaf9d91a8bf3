import { describe, expect, it } from 'vitest';
import { defaultTransactionsQuery } from '../../../src/contract/schemas/transactions.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import { ofEachExtraStep } from '../../../src/domain/steps.ts';
import type { PartEntry } from '../../../src/journal/journal.ts';
import { ItemList, itemsOf } from '../../../src/pipeline/steps/item-list.ts';
import type { ItemsStep } from '../../../src/pipeline/steps/items-step.ts';
import { notes } from '../../../src/pipeline/steps/notes.ts';
import type { PlanToSend } from '../../../src/pipeline/steps/recorded-parts.ts';
import { transactions } from '../../../src/pipeline/steps/transactions.ts';

const requestSizes = { notes: 2, transactions: 2, statements: 2 };
const stepWith = (checkPreviouslyAdded: boolean) =>
  transactions({ transactionsQuery: { ...defaultTransactionsQuery, checkPreviouslyAdded }, requestSizes });
/** The platform recognises what it has, or not. */
const [checked, unchecked] = [stepWith(true), stepWith(false)];
const noteStep = notes({ requestSizes });

const charge = (id: string, more: JsonObject = {}): JsonObject => ({
  ...{ transaction_id: id, transaction_date: '2024-01-31', amount: '1.50', type: 'CHARGE', reason: 'Water' },
  ...more,
});
const [a, b, c, d] = [charge('a'), charge('b'), charge('c'), charge('d')];

function listOf(
  step: ItemsStep,
  items: readonly JsonObject[],
  parts: readonly PartEntry[] = [],
  requests?: PlanToSend['requests'],
) {
  const plan = {
    key: { supplier: 'S', account: '1' },
    extras: { ...ofEachExtraStep(() => []), [step.step]: [{ [step.array]: [...items] }] },
    ...(requests === undefined ? {} : { requests }),
  } as unknown as PlanToSend;
  return new ItemList(step, plan, parts);
}

/** The journal's entry of a request with these items. */
function sent(
  step: ItemsStep,
  items: readonly JsonObject[],
  state: PartEntry['state'] = 'done',
  more: Partial<PartEntry> = {},
): PartEntry {
  const { hash, prints } = listOf(step, items).requestOf({ from: 0, to: items.length });
  return {
    ...{ step: step.step, part: 0, attempt: 1, state, hash, run: 1, sentAt: 0 },
    ...(prints === undefined ? {} : { prints }),
    ...more,
  };
}

const { prints: _, ...unprinted } = sent(checked, [a]);

/** What is left to do, in short. */
function outstanding(list: ItemList) {
  const { requests, results, lost, failed, recognised, isBeside, isDoubted } = list.outstanding();
  return {
    requests: requests.map(({ from, to }) => [from, to]),
    results: results.map(({ state, code, problems }) =>
      [state, code, ...problems.map(({ path }) => path)].join(' ').trim(),
    ),
    ...{ lost: lost.length, failed: failed.length, recognised: recognised.length, isBeside },
    doubted: list.items.map((_item, index) => isDoubted(index)),
  };
}

const nothing = { results: [], lost: 0, failed: 0, recognised: 0, isBeside: false };

describe('the items of a step', () => {
  it('are sent in requests of the size that is allowed', () => {
    const list = listOf(checked, [a, b, c]);
    expect(outstanding(list)).toEqual({
      ...nothing,
      requests: [
        [0, 2],
        [2, 3],
      ],
      doubted: [false, false, false],
    });
    expect(list.hasSent()).toBe(false);
  });

  it('are sent one by one where a refusal would not tell which arrived', () => {
    expect(outstanding(listOf(unchecked, [a, b])).requests).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it('are sent together only with others that are', () => {
    const scan = { document_paths: [{ document_path: '/a.pdf' }] };
    const mixed = [scan, { body: 'x' }, { body: 'y' }];
    expect(outstanding(listOf(noteStep, mixed)).requests).toEqual([
      [0, 1],
      [1, 3],
    ]);
    const beside = listOf(noteStep, mixed, [sent(noteStep, [{ body: 'old' }])]);
    expect(outstanding(beside).isBeside).toBe(true);
  });

  it('are none where the payload has no list', () => {
    const plan = {
      key: { supplier: 'S', account: '1' },
      extras: { ...ofEachExtraStep(() => []), transactions: [{}] },
    };
    expect(new ItemList(checked, plan as unknown as PlanToSend, []).items).toEqual([]);
  });

  it('are sent as they were prepared, if nothing of the step was sent', () => {
    const ready = listOf(checked, [a, b, c]).requestOf({ from: 0, to: 3 });
    const prepared = () => [ready];
    const expected = { ...nothing, requests: [[0, 3]], doubted: [false, false, false] };
    expect(outstanding(listOf(checked, [a, b, c], [], prepared))).toEqual(expected);
    const ofNotes = sent(noteStep, [{ body: 'x' }]);
    expect(outstanding(listOf(checked, [a, b, c], [ofNotes], prepared))).toEqual(expected);
    const parts = [sent(checked, [a])];
    expect(outstanding(listOf(checked, [a, b, c], parts, prepared)).requests).toEqual([[1, 3]]);
  });

  it('are left out once they are done, whatever was added around them', () => {
    const list = () => listOf(checked, [d, a, b, c], [sent(checked, [a, b])]);
    expect(outstanding(list())).toMatchObject({
      ...nothing,
      requests: [
        [0, 1],
        [3, 4],
      ],
    });
    expect(list().hasSent()).toBe(true);
    expect(list().hasSent()).toBe(true);
    const apart = listOf(checked, [a, c, b], [sent(checked, [a, b])]);
    expect(outstanding(apart)).toMatchObject({ ...nothing, requests: [[1, 2]] });
  });

  it('are sent again in the division in which an answer was lost', () => {
    const parts = [sent(checked, [b, c], 'sent', { part: 1 })];
    const list = listOf(checked, [a, b, c, d], parts);
    expect(outstanding(list)).toMatchObject({
      requests: [
        [0, 1],
        [1, 3],
        [3, 4],
      ],
      doubted: [false, false, false, false],
    });
  });
});

describe('an item that is no longer in the export as it was sent', () => {
  const changed = charge('a', { amount: '2.50' });

  it('is sent in its new form where the platform would tell, beside what was sent', () => {
    const expected = { ...nothing, requests: [[0, 2]], isBeside: true };
    expect(outstanding(listOf(checked, [changed, b], [sent(checked, [a])]))).toMatchObject(expected);
    expect(outstanding(listOf(checked, [changed, b], [unprinted]))).toMatchObject({
      ...expected,
      recognised: 1,
    });
    expect(listOf(checked, [changed, b], [sent(checked, [a])]).wasSentOtherwise(0)).toBe(false);
    const list = listOf(checked, [changed, b], [sent(checked, [a])]);
    list.outstanding();
    expect([0, 1, 2].map((index) => list.wasSentOtherwise(index))).toEqual([true, false, false]);
  });

  it('is refused, and not sent, where the platform would not', () => {
    const list = () => listOf(unchecked, [changed, b], [sent(unchecked, [a])]);
    const expected = {
      requests: [[1, 2]],
      results: ['refused changed_after_import transactions.0.amount'],
      isBeside: false,
    };
    expect(outstanding(list())).toMatchObject(expected);
    const all = listOf(unchecked, [changed], [unprinted]);
    expect(outstanding(all)).toMatchObject({
      results: ['refused changed_after_import transactions.0'],
      requests: [],
      recognised: 0,
      isBeside: false,
    });
  });

  it('is told where it has gone', () => {
    const parts = [sent(checked, [a]), sent(checked, [b], 'done', { part: 1 })];
    expect(outstanding(listOf(checked, [b], parts))).toMatchObject({
      requests: [],
      results: ['done  transactions'],
      recognised: 0,
      isBeside: true,
    });
    expect(outstanding(listOf(unchecked, [b], parts))).toMatchObject({
      requests: [],
      results: ['done  transactions'],
    });
    const other = listOf(checked, [charge('e')], [sent(checked, [a])]);
    expect(outstanding(other)).toMatchObject({ requests: [[0, 1]], results: ['done  transactions'] });
  });

  it('is told alone, beside what is as it was sent', () => {
    const gone = sent(checked, [d], 'sent', { part: 3 });
    expect(outstanding(listOf(checked, [a], [gone, sent(checked, [a])]))).toMatchObject({ lost: 1 });
    const apart = listOf(checked, [a, c, b], [gone, sent(checked, [a, b])]);
    expect(outstanding(apart)).toMatchObject({ requests: [[1, 2]], lost: 1 });
    const unknown = listOf(checked, [a, c, b], [sent(checked, [a, b], 'sent')]);
    expect(outstanding(unknown)).toMatchObject({ lost: 1 });
    const unprintedGone = { ...unprinted, hash: sent(checked, [d]).hash };
    expect(outstanding(listOf(unchecked, [a], [sent(unchecked, [a]), unprintedGone]))).toMatchObject({
      results: ['done  transactions'],
    });
    expect(outstanding(listOf(checked, [], [unprinted]))).toMatchObject({ results: ['done  transactions'] });
  });

  it('is left to a person where its answer was lost', () => {
    const lost = (step: ItemsStep) => outstanding(listOf(step, [changed, b], [sent(step, [a], 'sent')]));
    const results = ['uncertain changed_since_lost_answer'];
    expect(lost(checked)).toMatchObject({ requests: [[0, 2]], results, lost: 1, doubted: [true, false] });
    expect(lost(unchecked)).toMatchObject({ requests: [[1, 2]], results, lost: 1, doubted: [true, false] });
  });

  it('stays with the person that it was left to', () => {
    const parts = [sent(checked, [a], 'uncertain', { code: 'lost_answer' })];
    expect(outstanding(listOf(checked, [changed, b], parts))).toMatchObject({
      ...{ results: ['uncertain lost_answer'], lost: 0, doubted: [true, false] },
    });
  });

  it('may be any where it is not known what was sent', () => {
    const parts = [{ ...unprinted, state: 'sent' } as const];
    expect(outstanding(listOf(checked, [changed, b], parts))).toMatchObject({
      lost: 1,
      doubted: [true, true],
    });
    expect(outstanding(listOf(unchecked, [changed, b], parts))).toMatchObject({ requests: [], lost: 1 });
    const some = [...parts, sent(checked, [b], 'sent', { part: 1 })];
    expect(outstanding(listOf(checked, [d], some)).doubted).toEqual([true]);
    expect(outstanding(listOf(unchecked, [d], some)).requests).toEqual([]);
  });

  it.each(['failed', 'refused'] as const)('is sent in its new form where it was %s', (state) => {
    const parts = [sent(unchecked, [a], state, { code: 'x' })];
    expect(outstanding(listOf(unchecked, [changed, b], parts))).toMatchObject({
      ...{
        requests: [
          [0, 1],
          [1, 2],
        ],
        results: [],
        failed: state === 'failed' ? 1 : 0,
        doubted: [false, false],
      },
    });
  });
});

describe('the body of a request', () => {
  const list = listOf(checked, [a, b]);
  const head = '{"import_supplier":"S","external_account_number":"1","transactions":[';

  it('is written with its account, and known again by its fingerprint', () => {
    expect(list.head).toBe(head);
    const ready = list.requestOf({ from: 0, to: 2 });
    expect(ready).toMatchObject({
      body: `${head}${JSON.stringify(a)},${JSON.stringify(b)}]}`,
      items: 2,
      money: '{"CHARGE":"3"}',
    });
    expect(list.requestOf({ from: 1, to: 2 })).toMatchObject({ items: 1, money: '{"CHARGE":"1.5"}' });
    expect(listOf(noteStep, [{ body: 'x' }]).requestOf({ from: 0, to: 1 }).prints).toHaveLength(10);
    expect(list.sentIn({ from: 1, to: 2 })).toMatchObject({ count: 1, items: [b], all: [a, b] });
    expect(ready.hash).toBe(list.hashOf({ from: 0, to: 2 }));
    expect(list.hashOf({ from: 0, to: 1, ready })).toBe(ready.hash);
    expect(itemsOf(sent(checked, [a, b]))).toBe(2);
    expect(list.rangeOf(sent(checked, [b]))).toEqual({ from: 1, to: 2 });
    expect(list.rangeOf(sent(checked, [c]))).toBeUndefined();
  });

  it('is told from a payload that has more, or is of another account', () => {
    const payload = { import_supplier: 'S', external_account_number: '1', transactions: [] };
    const others: (JsonObject | undefined)[] = [
      undefined,
      {},
      { ...payload, more: 1 },
      { ...payload, import_supplier: 'T' },
      { ...payload, external_account_number: '2' },
      { ...payload, transactions: {} },
      { external_account_number: '1', import_supplier: 'S', transactions: [] },
    ];
    expect(list.isBodyOf(payload)).toBe(true);
    expect(others.map((other) => list.isBodyOf(other))).toEqual(others.map(() => false));
  });

  it('is divided where it is larger than allowed, and an item that is larger is alone', () => {
    const size = (items: number) =>
      Buffer.byteLength(listOf(checked, [a, b].slice(0, items)).requestOf({ from: 0, to: items }).body);
    const both = { from: 0, to: 2 };
    expect([size(2), size(2) - 1, Infinity].map((bytes) => list.isLarger(both, bytes))).toEqual([
      false,
      true,
      false,
    ]);
    expect(list.isLarger({ from: 0, to: 1 }, 1)).toBe(false);
    expect(list.isLarger({ from: 1, to: 2 }, 1)).toBe(false);
    const ready = { ...list.requestOf(both), body: 'x'.repeat(50) };
    expect(list.isLarger({ ...both, ready }, 49)).toBe(true);
    expect(list.isLarger({ ...both, ready }, 50)).toBe(false);
    const three = listOf(checked, [a, b, c]);
    const all = { from: 0, to: 3 };
    expect(three.divide(all, size(2) + 1)).toEqual([
      { from: 0, to: 2 },
      { from: 2, to: 3 },
    ]);
    expect(three.divide(all, size(2) - 1)).toEqual([
      { from: 0, to: 1 },
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ]);
    expect(three.divide({ from: 1, to: 3 }, 1)).toEqual([
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ]);
  });

  it('has a number of its own in the journal', () => {
    const parts = [sent(checked, [charge('a', { amount: '9' })])];
    const numbered = listOf(checked, [a, b], parts);
    expect(numbered.numberOf({ from: 0, to: 1 })).toBe(2);
    expect(numbered.numberOf({ from: 1, to: 2 })).toBe(1);
    expect(numbered.numberOf({ from: 1, to: 2, number: 7 })).toBe(7);
    expect(
      numbered.numberOf({ from: 1, to: 2, number: 7, prior: sent(checked, [b], 'sent', { part: 5 }) }),
    ).toBe(5);
    expect(
      numbered.numberOf({ from: 1, to: 2, number: 7, ready: numbered.requestOf({ from: 1, to: 2 }) }),
    ).toBe(1);
  });
});
