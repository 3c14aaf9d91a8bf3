import { describe, expect, it } from 'vitest';
import { formatDecimal } from '../../../src/domain/decimal.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import { readMoney } from '../../../src/domain/money.ts';
import type { Problem } from '../../../src/domain/problem.ts';
import type { AccountPlan } from '../../../src/mapping/plan.ts';
import type { PlansPart } from '../../../src/run/reading/elsewhere.ts';
import { checkAccount, sharedValues, type AccountRules } from '../../../src/run/threads/check-account.ts';
import { eachAccount, oneThread, threadsOf, type Work } from '../../../src/run/threads/each-account.ts';
import { exportedAccount } from '../../../src/run/threads/exported-account.ts';
import { aheadPlan, plannedAccount } from '../../../src/run/threads/planned-account.ts';
import { readiedAccount } from '../../../src/run/threads/readied-account.ts';
import type { Recognise } from '../../../src/source/export.ts';
import { defaultSettings, planOf, rules } from '../../pipeline/harness.ts';

const how: AccountRules = { rules, cutting: defaultSettings };
const reference = { notes: [{ notes: [{ body: 'a' }, { body: 'b' }] }], 'payment-instruction': [{ vendor: 'V', reference: 'r', type: 'CARD' }] }; // prettier-ignore
const problem = (severity: Problem['severity'], code = 'own'): Problem => ({
  ...{ account: 'A', code, path: '', detail: 'No.', severity },
});
const plan = (more: Partial<AccountPlan> = {}): AccountPlan => ({
  ...planOf('A', reference, { email: 'wrong' }),
  ...{ ignoredRows: 3, problems: [problem('warning')] },
  ...more,
});
const ofNobody = (problems: readonly Problem[]) => plan({ key: { supplier: '', account: 'A' }, problems });
const other = plan().key.supplier + ' 2';
const rows = { print: 'print', found: 'unknown' } as const;
const codes = (problems: readonly Problem[]) => problems.map(({ code }) => code);

describe('an account that is checked', () => {
  it('has its own problems, then those of its payloads, then those of its size', () => {
    const { key, ignoredRows, problems, values } = checkAccount(plan(), { ...how, bytesPerRequest: 10 });
    expect([key, ignoredRows]).toEqual([plan().key, 3]);
    expect(codes(problems)[0]).toBe('own');
    expect(codes(problems).length).toBeGreaterThan(4);
    expect(codes(problems).slice(1)).toEqual([
      ...codes(checkAccount(plan({ problems: [] }), how).problems),
      ...Array.from({ length: 4 }, () => 'request_too_large'),
    ]);
    expect(values).toEqual(sharedValues(plan(), how).values);
    expect(values.length).toBeGreaterThan(0);
  });

  it('of another supplier has none, and shares nothing', () => {
    const { key } = plan();
    const none = { key, values: [] };
    expect(checkAccount(plan(), { ...how, supplier: other })).toEqual({
      ...none,
      ignoredRows: 3,
      problems: [],
    });
    expect(sharedValues(plan(), { ...how, supplier: other })).toEqual(none);
    const own = { ...how, supplier: key.supplier };
    expect(checkAccount(plan(), own)).toEqual(checkAccount(plan(), how));
    expect(sharedValues(plan(), own)).toEqual(sharedValues(plan(), how));
  });
});

describe('an account that is planned', () => {
  it('can be given to another thread, with all that is to be sent', () => {
    const notOffered = new Map([['statements', 2]] as const);
    const whole = plan({ rows, notOffered });
    const planned = structuredClone(plannedAccount(whole, how));
    expect(planned).toMatchObject({ key: plan().key, ignoredRows: 3, rows, notOffered: ['statements'] });
    expect(planned.texts.map(([step]) => step).toSorted()).toEqual(['notes', 'payment-instruction']);
    const ahead = aheadPlan(planned, [problem('error', 'shared')]);
    const { problems } = checkAccount(whole, how);
    expect(codes(ahead.problems)).toEqual(['own', 'shared', ...codes(problems.slice(1))]);
    expect(['notes', 'agreements'].map((step) => ahead.isPlanned(step as 'notes'))).toEqual([true, false]);
    const sent = (extras: readonly JsonObject[]) => JSON.parse(JSON.stringify(extras)) as unknown;
    expect(sent(ahead.extras.notes)).toEqual(sent(plan().extras.notes));
    expect(ahead.extras.agreements).toEqual([]);
    expect(Object.keys(plannedAccount(plan(), how))).not.toContain('rows');
  });

  it('has another fingerprint with other payloads', () => {
    const prints = [
      plan(),
      planOf('A', { notes: reference.notes }, { email: 'wrong' }),
      planOf('A', reference),
    ].map((one) => plannedAccount(one, how).print.planHash);
    expect(new Set(prints).size).toBe(3);
  });

  it.each<[string, AccountPlan, Partial<AccountRules>, boolean]>([
    ['of another supplier', plan(), { supplier: other }, false],
    ['that is not asked for', plan(), { accounts: new Set(['B']) }, false],
    ['that is asked for', plan(), { accounts: new Set(['A']), supplier: plan().key.supplier }, true],
    ['of nobody, whose supplier the journal may know', ofNobody([]), { supplier: other }, true],
  ])('is looked at closely unless it is one %s', (_what, one, more, isPlanned) => {
    const { key, ignoredRows, texts, problems, notOffered, print } = plannedAccount(one, { ...how, ...more });
    expect([key, ignoredRows]).toEqual([one.key, 3]);
    expect([texts.length > 0, print.planHash !== '', problems.checked.length > 0]).toEqual(
      Array.from({ length: 3 }, () => isPlanned),
    );
    const empty = { payloadBody: '', payloadHash: '', planHash: '' };
    if (!isPlanned)
      expect([texts, problems, notOffered, print]).toEqual([[], { read: [], checked: [] }, [], empty]);
  });
});

describe('an account that is ready', () => {
  it('has its requests as bytes, its problems apart, and what others may share', () => {
    const ready = readiedAccount(plan({ rows }), how);
    expect(ready).toMatchObject({ ...sharedValues(plan(), how), ignoredRows: 3, rows });
    expect(codes(ready.problems.read)).toEqual(['own']);
    expect(codes(ready.problems.checked)).toEqual(codes(checkAccount(plan(), how).problems).slice(1));
    const text = Buffer.from(ready.bytes).toString();
    expect(text).toContain('"unknown_occupier":true');
    expect(text).toContain('"body":"b"');
    expect(Object.keys(readiedAccount(plan(), how))).not.toContain('rows');
  });

  it('has no requests where these are too large', () => {
    const { bytes, packed } = readiedAccount(plan(), { ...how, mostBytes: 10 });
    expect(bytes).toHaveLength(0);
    expect(codes(packed.problems)).toEqual(['account_too_large']);
  });
});

describe('an account that is reconciled', () => {
  it('has its amounts and its fingerprint', () => {
    const paid = (amount: string): AccountPlan =>
      planOf('A', { transactions: [{ transactions: [{ transaction_id: 'T', amount, type: 'PAYMENT' }] }] });
    const exported = exportedAccount({ ...paid('12.50'), ignoredRows: 3, rows });
    expect(exported).toEqual({
      ...{ key: plan().key, ignoredRows: 3, rows },
      planHash: plannedAccount(paid('12.50'), how).print.planHash,
      money: exported.money,
    });
    expect([...(readMoney(exported.money) ?? [])].map(([kind, sum]) => [kind, formatDecimal(sum)])).toEqual([
      ['PAYMENT', '12.5'],
    ]);
    expect(readMoney(exportedAccount(paid('a lot')).money)).toBeUndefined();
  });

  it('says why it has no supplier', () => {
    const problems = [problem('warning', 'w'), problem('error', 'e'), problem('error', 'f')];
    expect(exportedAccount(ofNobody(problems)).whyStray?.code).toBe('e');
    expect(exportedAccount(ofNobody([])).whyStray).toBeUndefined();
    expect(exportedAccount(plan({ problems }))).not.toHaveProperty('whyStray');
  });
});

describe('accounts', () => {
  // eslint-disable-next-line @typescript-eslint/require-await -- as they are read
  async function* plansOf(...numbers: string[]): AsyncGenerator<AccountPlan> {
    for (const number of numbers) {
      if (number === 'broken') throw new Error('cannot be read');
      yield planOf(number);
    }
  }

  function part(
    numbers: string[],
    more: Partial<PlansPart> = {},
  ): PlansPart & { readonly asked: () => number } {
    let asked = 0;
    const elsewhere = () => {
      asked += 1;
      return Promise.resolve(undefined);
    };
    return { accounts: numbers.length, plans: plansOf(...numbers), elsewhere, asked: () => asked, ...more };
  }

  const work = (more: Partial<Work<'share'>> = {}): Work<'share'> => ({
    ...{ job: 'share', here: (one) => sharedValues(one, how), settings: {} as never, threads: oneThread },
    reporter: {} as never,
    ...more,
  });

  async function found(parts: readonly PlansPart[], more: Partial<Work<'share'>> = {}) {
    const all: string[] = [];
    for await (const { key, fix, plan: own } of eachAccount(parts, work(more))) {
      expect(own?.key).toEqual(key);
      all.push(fix === undefined ? key.account : `${key.account} of ${JSON.stringify(fix)}`);
    }
    return all;
  }

  const several = { count: 2, fewest: 2 };

  it('come once each in the order of their parts, with the fix that they come from', async () => {
    const fixOf = (account: string) => ({ fix: { file: account } as never });
    const parts = [part(['B', 'A']), part([]), part(['C'], { fixOf }), part(['D'])];
    expect(await found(parts)).toEqual(['B', 'A', 'C of {"file":"C"}', 'D']);
  });

  it.each([
    [oneThread, 5, 0],
    [several, 1, 0],
    [several, 2, 1],
    [{ count: 2, fewest: 6 }, 5, 0],
  ])('are read here if other threads would find others: %j, %i accounts', async (threads, count, times) => {
    const numbers = Array.from({ length: count }, (_, at) => `A${String(at)}`);
    const one = part(numbers);
    expect(await found([one], { threads })).toEqual(numbers);
    expect(one.asked()).toBe(times);
  });

  it('are those of another reading where they are known by their rows', async () => {
    const recognise: Recognise = (asked) => Promise.resolve(asked.map(() => 'unknown'));
    const given: Recognise[] = [];
    const plansSince = (by: Recognise) => {
      given.push(by);
      return plansOf('since');
    };
    expect(await found([part(['A'], { plansSince })], { recognise })).toEqual(['since']);
    expect(given).toEqual([recognise]);
    expect(await found([part(['A'], { plansSince }), part(['B'])])).toEqual(['A', 'B']);
    expect(await found([part(['B'])], { recognise })).toEqual(['B']);
  });

  it('that cannot be read, or done, are told of after those before them', async () => {
    const before: string[] = [];
    const reading = async (numbers: string[], more: Partial<Work<'share'>> = {}) => {
      for await (const { key } of eachAccount([part(numbers)], work(more))) before.push(key.account);
    };
    await expect(reading(['A', 'broken', 'B'])).rejects.toThrow('cannot be read');
    const here: Work<'share'>['here'] = (one) => {
      if (one.key.account === 'D') throw new Error('cannot be done');
      return sharedValues(one, how);
    };
    await expect(reading(['C', 'D'], { here })).rejects.toThrow('cannot be done');
    expect(before).toEqual(['A', 'C']);
  });

  it('are read in as many threads as the setting says, however few they are', () => {
    expect(threadsOf({ threads: 3 })).toEqual({ count: 3, fewest: 0 });
    expect(threadsOf({})).toMatchObject({ fewest: 1_000 });
    expect(threadsOf({}).count).toBeGreaterThan(0);
  });
});
