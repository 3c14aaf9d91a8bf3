import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/client/platform-client.ts';
import { parseJson, type JsonObject, type JsonValue } from '../../src/domain/json.ts';
import { AccountReader, UnfitQuery } from '../../src/read-back/account-reader.ts';
import { present, type PlatformAccount } from '../../src/read-back/platform-account.ts';
import { shapeOf, type ReadSettings } from '../../src/read-back/read-shape.ts';

interface Asked {
  readonly query: string;
  readonly variables: JsonObject;
}

const number = 'A-1';
const page = (nodes: JsonValue[], next: string | null = null): JsonObject => ({
  pageInfo: { hasNextPage: next !== null, endCursor: next },
  edges: nodes.map((node) => ({ node })),
});

/** An account as the published schema has it. */
const whole: JsonObject = {
  number,
  balance: 1234,
  createdAt: '2024-07-01T10:00:00+00:00',
  ledgers: [{ number: 'L', ledgerType: 'ENERGY', balance: 1234 }],
  notes: [{ body: 'Called', isPinned: true, createdAt: '2024-01-01T00:00:00Z' }],
  agreements: [{ validFrom: '2024-01-01T00:00:00+00:00', validTo: null, product: { code: 'T' } }],
  metadata: [],
  transactions: page([{ __typename: 'Charge', id: '1', postedDate: '2024-01-02', amount: 99, note: null }]),
  bills: page([]),
  paymentMethods: page([{ instructionType: 'CARD', vendor: 'PAY' }]),
};

const ok = (body: JsonValue): Answer<JsonValue> => ({ kind: 'ok', status: 200, body });
const data = (account: JsonValue, errors: JsonValue[] = []): Answer<JsonValue> =>
  ok({ data: { account }, ...(errors.length === 0 ? {} : { errors }) });
const failed = (errorCode: string, more: JsonObject = {}): JsonObject => ({
  message: 'no',
  extensions: { errorCode },
  ...more,
});

function reading(answer: (asked: Asked, times: number) => Answer<JsonValue>, settings: ReadSettings = {}) {
  const asked: Asked[] = [];
  const discarded: number[] = [];
  const reader = new AccountReader({
    shape: shapeOf(settings),
    post: (body) => {
      asked.push(parseJson(body) as never);
      return Promise.resolve(answer(asked.at(-1) as Asked, asked.length));
    },
    discardToken: (id) => void discarded.push(id),
    pause: () => Promise.resolve(),
    attempts: { unanswered: 3, throttled: 3 },
  });
  return { reader, asked, discarded };
}

async function accountOf(reader: AccountReader): Promise<PlatformAccount> {
  const read = await reader.read(number);
  if (read.kind !== 'read') throw new Error(read.kind);
  return read.account;
}

const shown = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('an account that is read back', () => {
  it('has exact amounts, with the sign of their type', async () => {
    const account = await accountOf(reading(() => data(whole)).reader);
    expect(shown(account)).toMatchObject({
      balance: { value: '12.34' },
      ledgers: { value: [{ code: { value: 'ENERGY' }, balance: { value: '12.34' } }] },
      transactions: {
        value: [{ date: { value: '2024-01-02' }, amount: { value: '-0.99' }, note: { kind: 'absent' } }],
      },
      agreements: { value: [{ from: { value: '2024-01-01' }, to: { kind: 'absent' } }] },
      paymentInstructions: { value: [{ reference: { kind: 'not-readable', reason: 'not_configured' } }] },
    });
  });

  it('is read page by page, to the end', async () => {
    const nodes = ['1', '2', '3'].map((id) => ({
      __typename: 'Credit',
      id,
      postedDate: '2024-01-01',
      amount: 1,
    }));
    const { reader } = reading(({ variables }) => {
      const at = Number(variables['after'] ?? 0);
      return data({ ...whole, transactions: page(nodes.slice(at, at + 1), at < 2 ? String(at + 1) : null) });
    });
    const { transactions } = await accountOf(reader);
    expect(transactions).toMatchObject({ kind: 'present', value: [{}, {}, {}] });
  });

  it('has a smaller page after a request was too complex, and keeps it', async () => {
    const { reader, asked } = reading(({ variables }) =>
      Number(variables['first'] ?? 0) > 30 ? ok({ errors: [failed('KT-CT-1188')] }) : data(whole),
    );
    expect((await accountOf(reader)).transactions.kind).toBe('present');
    const before = asked.length;
    await accountOf(reader);
    expect(asked.slice(before).map(({ variables }) => variables['first'] ?? null)).toEqual([
      null,
      24,
      24,
      24,
    ]);
  });

  it.each([
    ['forbidden', failed('KT-CT-4177', { path: ['account', 'notes'] })],
    ['disabled', failed('KT-CT-1113', { path: ['account', 'notes'] })],
  ])('says which value is %s, and reads the others', async (_what, error) => {
    const account = await accountOf(reading(() => data({ ...whole, notes: null }, [error])).reader);
    expect(account.notes).toEqual({
      kind: 'not-readable',
      reason: (error['extensions'] as JsonObject)['errorCode'],
    });
    expect(account.ledgers.kind).toBe('present');
  });

  it('does not take a missing value for an empty one', async () => {
    const { notes: _notes, ...rest } = whole;
    const account = await accountOf(reading(() => data(rest)).reader);
    expect(account.notes).toEqual({ kind: 'not-readable', reason: 'not_in_answer' });
  });

  it('does not take a list that is null, or lacks an element, for an empty one', async () => {
    const none = { kind: 'not-readable', reason: 'not_in_answer' };
    const nulls = {
      notes: null,
      agreements: [null],
      bills: { pageInfo: { hasNextPage: false }, edges: [null] },
    };
    const account = await accountOf(
      reading(() => data({ ...whole, ...nulls, transactions: null, paymentMethods: page([null]) })).reader,
    );
    for (const part of ['notes', 'agreements', 'bills', 'transactions', 'paymentInstructions'] as const)
      expect([part, account[part]]).toEqual([part, none]);
  });

  it('has nothing of a connection whose elements are refused', async () => {
    const error = failed('KT-CT-4177', { path: ['account', 'transactions', 'edges'] });
    const refused = { pageInfo: { hasNextPage: false, endCursor: null }, edges: null };
    const { reader } = reading(() => data({ ...whole, transactions: refused, bills: refused }, [error]));
    const { transactions, bills } = await accountOf(reader);
    expect(transactions).toEqual({ kind: 'not-readable', reason: 'KT-CT-4177' });
    expect(bills).toEqual({ kind: 'not-readable', reason: 'not_in_answer' });
    const left = reading(({ query }) => {
      const line = query.split('\n').findIndex((text) => text.trim() === 'edges {');
      if (!query.includes('ReadBills') || line < 0)
        return data({ ...whole, bills: { pageInfo: { hasNextPage: false, endCursor: null } } });
      const at = { line: line + 1, column: (query.split('\n')[line] ?? '').indexOf('edges') + 1 };
      return ok({ errors: [failed('KT-CT-1113', { locations: [at] })] });
    });
    expect((await accountOf(left.reader)).bills).toEqual({ kind: 'not-readable', reason: 'KT-CT-1113' });
  });

  it('is not whole where a page does not say whether there is another one', async () => {
    const silent = ({ pageInfo: _pageInfo, ...connection }: JsonObject): JsonObject => connection;
    const credit = { __typename: 'Credit', id: '1', postedDate: '2024-01-02', amount: 1 };
    for (const transactions of [
      silent(page([credit])),
      { ...page([credit]), pageInfo: { endCursor: null } },
      { ...page([credit]), pageInfo: null },
    ]) {
      const account = await accountOf(reading(() => data({ ...whole, transactions })).reader);
      expect(account.transactions).toEqual({ kind: 'not-readable', reason: 'more_pages' });
      expect(account.bills).toEqual(present([]));
    }
  });

  it('does not read a null for a value that every such item has', async () => {
    const entry = { __typename: 'Credit', id: '1', postedDate: null, amount: null, note: null };
    const account = await accountOf(
      reading(() => data({ ...whole, balance: null, transactions: page([entry]) })).reader,
    );
    const hidden = { kind: 'not-readable', reason: 'not_in_answer' };
    expect(account.balance).toEqual(hidden);
    expect(account.transactions).toMatchObject({
      value: [{ date: hidden, amount: hidden, note: { kind: 'absent' } }],
    });
  });

  it('has no sign for a type that nothing explains', async () => {
    const entry = (__typename: string) => ({ __typename, id: '1', postedDate: '2024-01-02', amount: 100 });
    const types = ['Payout', 'SUPPLY_CHARGE', 'Payment'];
    const { transactions } = await accountOf(
      reading(() => data({ ...whole, transactions: page(types.map(entry)) })).reader,
    );
    expect(shown(transactions)).toMatchObject({
      value: [
        { amount: { kind: 'not-readable', reason: 'type_not_readable' } },
        { amount: { value: '-1' } },
        { amount: { value: '1' } },
      ],
    });
  });

  it('is asked for without a field that the schema lacks', async () => {
    const { reader, asked } = reading(({ query }) => {
      const line = query.split('\n').findIndex((text) => text.trim() === 'metadata {');
      if (line < 0)
        return data(Object.fromEntries(Object.entries(whole).filter(([name]) => name !== 'metadata')));
      const column = (query.split('\n')[line] ?? '').indexOf('metadata') + 1;
      const message = 'Cannot query field "metadata" on type "AccountType".';
      return ok({ errors: [{ message, locations: [{ line: line + 1, column }] }] });
    });
    const account = await accountOf(reader);
    expect(account.metadata).toEqual({ kind: 'not-readable', reason: 'unknown_field' });
    expect(account.notes.kind).toBe('present');
    const before = asked.length;
    await accountOf(reader);
    expect(asked.length - before).toBe(4);
  });

  it('is not believed where the answer is about another account', async () => {
    const account = await accountOf(reading(() => data({ ...whole, number: 'A-2' })).reader);
    expect(account.balance).toEqual({ kind: 'not-readable', reason: 'answer_mismatch' });
    const once = reading((_asked, times) => data(times === 1 ? { ...whole, number: 'A-2' } : whole));
    expect((await accountOf(once.reader)).balance.kind).toBe('present');
  });

  it('is told apart from an account that is not there, and from one that may not be read', async () => {
    expect((await reading(() => data(null)).reader.read(number)).kind).toBe('no-account');
    const forbidden = reading(() => data(null, [failed('KT-CT-4177', { path: ['account'] })]));
    expect((await accountOf(forbidden.reader)).balance).toEqual({
      kind: 'not-readable',
      reason: 'KT-CT-4177',
    });
  });

  it('waits while there are too many requests, and stops when they go on', async () => {
    const late = reading((_asked, times) =>
      times < 3 ? ok({ errors: [failed('KT-CT-1199')] }) : data(whole),
    );
    expect((await accountOf(late.reader)).balance.kind).toBe('present');
    const never = reading(() => ok({ errors: [failed('KT-CT-1199')] }));
    expect(await never.reader.read(number)).toMatchObject({ kind: 'stopped', reason: 'throttled' });
  });

  it('asks for a new token once one is refused', async () => {
    const { reader, discarded } = reading((_asked, times) =>
      times === 1 ? { kind: 'unauthorized', status: 401, tokenId: 7, detail: 'x' } : data(whole),
    );
    expect((await accountOf(reader)).balance.kind).toBe('present');
    expect(discarded).toEqual([7]);
  });
});

describe('a configured query', () => {
  it.each([
    ['mutation { a }', 'contains a mutation'],
    ['query A { a } mutation B { b }', 'contains a mutation'],
    ['subscription { a }', 'contains a subscription'],
    ['query { a', 'is not a GraphQL document'],
  ])('%s is refused', (text, reason) => {
    const made = () => reading(() => data(whole), { queries: { account: text } });
    expect(made).toThrow(UnfitQuery);
    expect(made).toThrow(`readBack.queries.account ${reason}`);
  });

  it('reads another schema, with signs of its own', async () => {
    const settings: ReadSettings = {
      queries: {
        all: {
          text: 'query ($id: ID!) { customer(id: $id) { ref owed entries { day cents kind } } }',
          variables: { id: '{account}' },
          number: 'customer.ref',
        },
      },
      values: {
        account: { query: 'all', at: 'customer', balance: 'owed' },
        transactions: { query: 'all', at: 'customer.entries', date: 'day', amount: 'cents', type: 'kind' },
        ...{ ledgers: null, notes: null, bills: null, agreements: null },
        ...{ paymentInstructions: null, metadata: null },
      },
      amounts: 'signed',
      credit: 'negative',
    };
    const entries = [{ day: '2024-05-05', cents: -5, kind: 'X' }];
    const { reader, asked } = reading(
      () => ok({ data: { customer: { ref: number, owed: 250, entries } } }),
      settings,
    );
    const account = await accountOf(reader);
    expect(shown(account)).toMatchObject({
      balance: { value: '-2.5' },
      transactions: { value: [{ amount: { value: '-0.05' } }] },
      notes: { kind: 'not-readable', reason: 'not_configured' },
    });
    expect(asked).toMatchObject([{ variables: { id: number } }]);
  });
});

describe('a schema of its own', () => {
  const settings: ReadSettings = {
    queries: {
      all: {
        text: 'query ($ref: ID!, $limit: Int!, $cursor: String) { customer(ref: $ref) { ref owed entries(limit: $limit, cursor: $cursor) { items { __typename ... on Debit { day sum } ... on Credit { day sum } } next } } }',
        variables: { ref: '{account}', limit: '{first}', cursor: '{after}' },
        number: 'customer.ref',
      },
    },
    values: {
      account: { query: 'all', at: 'customer', balance: 'owed' },
      transactions: {
        ...{ query: 'all', at: 'customer.entries.items', next: 'customer.entries.next' },
        ...{ date: 'day', amount: 'sum', type: '__typename' },
      },
      ...{
        ledgers: null,
        notes: null,
        bills: null,
        agreements: null,
        paymentInstructions: null,
        metadata: null,
      },
    },
    money: 'major',
    types: { Debit: 'charge', Credit: 'payment' },
    credit: 'negative',
  };
  const entry = (__typename: string, day: string, sum: string) => ({ __typename, day, sum });
  const answered = (items: JsonValue[], more: JsonObject) =>
    ok({ data: { customer: { ref: number, owed: '-12.30', entries: { items, ...more } } } });

  it('may have amounts in the currency, another cursor, and types of a union', async () => {
    const { reader, asked } = reading(
      ({ variables }) =>
        variables['cursor'] === 'c2'
          ? answered([entry('Credit', '2024-02-01', '0.5')], { next: null })
          : answered([entry('Debit', '2024-01-01', '10.05')], { next: 'c2' }),
      settings,
    );
    const account = await accountOf(reader);
    expect(account.balance).toMatchObject({ kind: 'present' });
    const amounts = account.transactions.kind === 'present' ? account.transactions.value : [];
    expect(amounts.map(({ amount }) => amount.kind === 'present' && amount.value.toFixed())).toEqual([
      '-10.05',
      '0.5',
    ]);
    expect(amounts.map(({ type }) => type)).toEqual([present('charge'), present('payment')]);
    expect(asked).toHaveLength(2);
  });

  it('is asked for by the cursor as it is, also by a number, and not past one that is refused', async () => {
    const { reader, asked } = reading(
      ({ variables }) =>
        answered([entry('Debit', '2024-01-01', '1')], { next: variables['cursor'] == null ? 40 : null }),
      settings,
    );
    expect((await accountOf(reader)).transactions).toMatchObject({ kind: 'present', value: [{}, {}] });
    expect(asked.map(({ variables }) => shown(variables['cursor'] ?? null))).toEqual([
      null,
      shown(parseJson('40')),
    ]);
    const refused = failed('KT-CT-4177', { path: ['customer', 'entries', 'next'] });
    const items = [entry('Debit', '2024-01-01', '1')];
    const hidden = reading(
      () =>
        ok({
          data: { customer: { ref: number, owed: '1', entries: { items, next: null } } },
          errors: [refused],
        }),
      settings,
    );
    expect((await accountOf(hidden.reader)).transactions).toEqual({
      kind: 'not-readable',
      reason: 'KT-CT-4177',
    });
  });

  it('may have page information beside a list of another name', async () => {
    const { transactions: place, ...others } = settings.values ?? {};
    const { next: _next, ...without } = place ?? {};
    const told = { ...settings, values: { ...others, transactions: without } };
    const items = [entry('Debit', '2024-01-01', '1')];
    const { reader } = reading(
      ({ variables }) =>
        answered(items, { pageInfo: { hasNextPage: variables['cursor'] == null, endCursor: 'c2' } }),
      told,
    );
    expect((await accountOf(reader)).transactions).toMatchObject({ kind: 'present', value: [{}, {}] });
  });

  it('lists in pages within several others cannot be followed', async () => {
    const customer = {
      ref: number,
      owed: '1',
      ledgers: [1, 2].map(() => ({ entries: page([entry('Debit', '2024-01-01', '1')], 'c2') })),
    };
    const { transactions: place, ...others } = settings.values ?? {};
    const { next: _next, ...without } = place ?? {};
    const text =
      'query ($ref: ID!, $limit: Int!, $cursor: String) { customer(ref: $ref) { ref owed ledgers { entries(first: $limit, after: $cursor) { pageInfo { hasNextPage endCursor } edges { node { __typename day sum } } } } } }';
    const { reader } = reading(() => ok({ data: { customer } }), {
      ...settings,
      queries: { all: { ...(settings.queries?.['all'] as JsonObject), text } },
      values: { ...others, transactions: { ...without, at: 'customer.ledgers.entries' } },
    });
    expect((await accountOf(reader)).transactions).toEqual({ kind: 'not-readable', reason: 'more_pages' });
    // Within one, they can.
    const alone = reading(
      ({ variables }) => {
        const next = variables['cursor'] == null ? 'c2' : null;
        const ledgers = [{ entries: page([entry('Debit', '2024-01-01', '1')], next) }];
        return ok({ data: { customer: { ...customer, ledgers } } });
      },
      {
        ...settings,
        queries: { all: { ...(settings.queries?.['all'] as JsonObject), text } },
        values: { ...others, transactions: { ...without, at: 'customer.ledgers.entries' } },
      },
    );
    expect((await accountOf(alone.reader)).transactions).toMatchObject({ kind: 'present', value: [{}, {}] });
  });

  it('a full page that does not say whether there is another one is not all', async () => {
    const full = ({ variables }: Asked) =>
      answered(
        Array.from({ length: Number(variables['limit']) }, () => entry('Debit', '2024-01-01', '1')),
        {},
      );
    const { reader } = reading(full, settings);
    expect((await accountOf(reader)).transactions).toEqual({ kind: 'not-readable', reason: 'more_pages' });
  });
});
