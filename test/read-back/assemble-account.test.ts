import { describe, expect, it } from 'vitest';
import { ofEachStep } from '../../src/domain/steps.ts';
import { parseJson, type JsonObject } from '../../src/domain/json.ts';
import { AnswerValues } from '../../src/read-back/answer-values.ts';
import { assembled, type ReadPart } from '../../src/read-back/assemble-account.ts';
import { compareAccount } from '../../src/read-back/compare-account.ts';
import { expectedAccount } from '../../src/read-back/expected-account.ts';
import type { PlatformAccount } from '../../src/read-back/platform-account.ts';
import { partNames, shapeOf, type ReadSettings } from '../../src/read-back/read-shape.ts';

/** The account of an answer as text, so that its numbers are as the platform wrote them. */
function accountOf(answer: string, settings: ReadSettings = {}, timeZone?: string): PlatformAccount {
  const values = new AnswerValues(
    { data: { account: parseJson(answer) as JsonObject }, errors: [] },
    new Map(),
  );
  const shape = shapeOf(settings);
  const parts = partNames.map((name): [string, ReadPart] => {
    const { found, hidden } = values.elements(shape.parts[name]?.at ?? '');
    return [name, { elements: found.map((element) => ({ element, values })), hidden }];
  });
  return assembled('A-1', Object.fromEntries(parts), { ...shape, timeZone });
}

/** What comparing it tells, where these payloads were sent. */
function told(
  account: PlatformAccount,
  extras: Partial<Record<'notes' | 'payment-instruction', JsonObject[]>>,
) {
  const none = { transactions: [], 'billing-documents': [], statements: [], agreements: [] };
  const sent = { payload: {}, extras: { ...none, notes: [], 'payment-instruction': [], ...extras } };
  const steps = ofEachStep(() => 'done' as const);
  const found = compareAccount(expectedAccount({ ...sent, steps, datesMoved: false }, 2), account);
  return {
    differences: found.differences.map(({ field, kind }) => `${field} ${kind}`),
    // Of parts that the answer has none of, nothing is said here.
    hidden: [...found.hidden].map((one) => one.join(' ')).filter((one) => one.includes('.')),
  };
}

describe('the type of a payment instruction', () => {
  const settings: ReadSettings = {
    values: {
      paymentInstructions: { query: 'account', at: 'account.paid', type: '__typename', vendor: 'vendor' },
    },
    instructionTypes: { Karte: 'CARD', Lastschrift: 'DIRECT_DEBIT' },
  };
  const sent = { 'payment-instruction': [{ type: 'CARD', vendor: 'PAY', reference: 'r' }] };
  const paid = (type: string) => accountOf(`{"paid":[{"__typename":"${type}","vendor":"PAY"}]}`, settings);

  it.each(['Karte', 'CARD', 'card'])('%s is the one that was sent', (type) => {
    expect(told(paid(type), sent)).toEqual({ differences: [], hidden: [] });
  });

  it.each(['Lastschrift', 'DIRECT_DEBIT'])('%s is another one', (type) => {
    expect(told(paid(type), sent).differences).toEqual(['paymentInstructions.type type']);
  });

  it('is not readable if nothing explains it, and no difference', () => {
    expect(told(paid('Einzug'), sent)).toEqual({
      differences: [],
      hidden: ['paymentInstructions.type type_not_readable'],
    });
  });

  it('may be one of the tenancy alone, if the platform has it as it was sent', () => {
    const own = { 'payment-instruction': [{ type: 'GIRO', vendor: 'PAY' }] };
    expect(told(paid('Giro'), own)).toEqual({ differences: [], hidden: [] });
    expect(told(paid('CARD'), own).differences).toEqual(['paymentInstructions.type type']);
  });
});

describe('a note without a text', () => {
  const sent = { notes: [{ notes: [{ document_paths: [] }] }] };
  const having = (...bodies: string[]) =>
    accountOf(
      `{"notes":[${bodies.map((body) => `{"body":${body},"isPinned":false,"createdAt":null}`).join()}]}`,
    );

  it('is one with an empty text, and told once if it is held twice, or not at all', () => {
    for (const body of ['null', '""']) expect(told(having(body), sent).differences).toEqual([]);
    expect(told(having('null', '""'), sent).differences).toEqual(['notes doubled']);
    expect(told(having('null', 'null', '""'), sent).differences).toEqual(['notes doubled', 'notes doubled']);
    expect(told(having(), sent).differences).toEqual(['notes missing']);
  });
});

it('amounts may have a sign by which a charge is positive', () => {
  const entries = '[{"__typename":"Charge","postedDate":"2024-01-01","amount":150},{"__typename":"Payment","postedDate":"2024-01-01","amount":-20}]'; // prettier-ignore
  const { transactions } = accountOf(`{"transactions":{"nodes":${entries}}}`, { amounts: 'reversed' });
  const amounts = transactions.kind === 'present' ? transactions.value.map(({ amount }) => amount) : [];
  expect(JSON.parse(JSON.stringify(amounts))).toMatchObject([{ value: '-1.5' }, { value: '0.2' }]);
});

it('what may have come since is no difference where the time of creation cannot be read', () => {
  const account = (createdAt: string) =>
    told(accountOf(`{"createdAt":${createdAt},"notes":[{"body":"b","isPinned":false,"createdAt":"2024-01-01T00:00:00Z"}]}`), {}); // prettier-ignore
  expect(account('1704067199')).toEqual({ differences: [], hidden: [] });
  expect(account('1735689600').differences).toEqual(['notes extra']);
  for (const createdAt of ['"1.2.2024"', 'null', '20240101'])
    expect(account(createdAt)).toEqual({ differences: [], hidden: [] });
});

describe('a time that is a number', () => {
  const at = (created: string, settings: ReadSettings = {}) =>
    accountOf(`{"notes":[{"body":"b","isPinned":false,"createdAt":${created}}]}`, settings);
  const sent = { notes: [{ notes: [{ body: 'b', created_at: '2022-10-25T05:52:15+02:00' }] }] };
  const same = { differences: [], hidden: [] };

  it.each([
    '1666669935000',
    '"1666669935000"',
    '1666669935',
    '"1666669935"',
    '1.666669935e9',
    '1666669935.0',
  ])('%s is the instant of seconds or milliseconds', (created) => {
    expect(told(at(created), sent)).toEqual(same);
  });

  it('is another instant if it is', () => {
    expect(told(at('1666669936'), sent).differences).toEqual(['notes.created value']);
  });

  it('is not readable where it may be either, or a date', () => {
    const hidden = ['notes.created unexpected_form'];
    for (const created of ['20221025', '16666699350', 'true', '"25.10.2022"', '"soon"'])
      expect([created, told(at(created), sent)]).toEqual([created, { differences: [], hidden }]);
  });

  it('is what the profile says', () => {
    const early = { notes: [{ notes: [{ body: 'b', created_at: '1970-04-26T17:46:40Z' }] }] };
    expect(told(at('10000000', { times: 'seconds' }), early)).toEqual(same);
    expect(told(at('10000000000', { times: 'milliseconds' }), early)).toEqual(same);
    expect(told(at('"-86400"', { times: 'seconds' }), { notes: [{ notes: [{ body: 'b', created_at: '1969-12-31T00:00:00Z' }] }] })).toEqual(same); // prettier-ignore
    // Text that is a time is one all the same.
    expect(told(at('"2022-10-25T03:52:15Z"', { times: 'seconds' }), sent)).toEqual(same);
  });

  it('says no more than whole seconds', () => {
    const fraction = { notes: [{ notes: [{ body: 'b', created_at: '2022-10-25T03:52:15.481Z' }] }] };
    expect(told(at('1666669935'), fraction)).toEqual(same);
    expect(told(at('1666669935481'), fraction)).toEqual(same);
    expect(told(at('1666669935482'), fraction).differences).toEqual(['notes.created value']);
  });

  it('stands for the date in the time zone of the platform', () => {
    const from = (timeZone?: string) => {
      const { agreements } = accountOf(
        '{"agreements":[{"product":{"code":"T"},"validFrom":1704063600,"validTo":1.7040636e12}]}',
        {},
        timeZone,
      );
      return agreements.kind === 'present' ? agreements.value[0] : undefined;
    };
    expect(from('Europe/Berlin')).toMatchObject({
      from: { value: '2024-01-01' },
      to: { value: '2024-01-01' },
    });
    expect(from()).toMatchObject({ from: { value: '2023-12-31' } });
  });
});
