import { expect, test } from 'vitest';
import { freshDirectory, rehearse, type Answered, type Rehearsal } from './running-platform.ts';
import { accountPayload, extraPayload, paths, processPayload } from './sample-payloads.ts';

const query = `query ($account: String!, $first: Int = 50, $after: String) {
  account(accountNumber: $account) {
    number balance createdAt accountType
    ledgers { number ledgerType balance }
    notes { body isPinned createdAt }
    agreements { validFrom validTo product { code } }
    metadata { key value }
    transactions(first: $first, after: $after) {
      pageInfo { hasNextPage endCursor }
      edges { node { __typename postedDate amount reasonCode billingDocumentIdentifier } }
    }
    bills(first: 50, includeBillsWithoutPDF: true) { edges { node { fromDate toDate issuedDate } } }
    paymentMethods(first: 50) { edges { node { instructionType vendor } } }
  }
}`;

const number = 'A-00000001';

async function ask(
  platform: Rehearsal,
  text: string,
  variables: Record<string, unknown> = { account: number },
  authorization?: string,
): Promise<Answered['body']> {
  const answered = await platform.send(
    'POST',
    '/v1/graphql/',
    {
      'content-type': 'application/json',
      authorization: authorization ?? `Token ${await platform.token()}`,
    },
    JSON.stringify({ query: text, variables }),
  );
  return answered.body;
}

async function tokenOf(platform: Rehearsal, key: string): Promise<string> {
  const mutation = 'mutation ($k: String) { obtainKrakenToken(input: { APIKey: $k }) { token } }';
  return String((await ask(platform, mutation, { k: key }, '')).data.obtainKrakenToken.token);
}

function transaction(id: string, date: string, amount: string, type: string) {
  return { transaction_id: id, transaction_date: date, amount, type, reason: 'IMPORTED_CREDIT' };
}

/** A platform with two accounts; the first has something of every step. */
async function filled(operator: Parameters<typeof rehearse>[0] = {}): Promise<Rehearsal> {
  const platform = await rehearse(operator);
  const ledgers = [
    {
      ledger_code: 'ENERGY',
      ledger_balance: -12.3,
      last_statement_balance: 0,
      current_statement_transactions: [transaction('1', '2024-05-01', '12.30', 'CHARGE')],
    },
  ];
  for (const [account, more] of [
    ['EXT-1', { transfer_balance: '-12.30', ledgers, metadata: [{ key: 'k', value: { a: 1 } }] }],
    ['EXT-2', {}],
  ] as const) {
    await platform.post(paths.stage, accountPayload(account, more));
    await platform.post(paths.process, processPayload(account));
  }
  for (const [path, more] of [
    [paths.notes, { notes: [{ body: 'Called', created_at: '2024-01-02T03:04:05Z' }] }],
    [paths.transactions, { transactions: [transaction('2', '2024-05-02', '2.29', 'PAYMENT')] }],
    [
      paths.agreements,
      { supply_point_identifier: '12', agreement: { effective_from: '2024-01-01', tariff_code: 'T-1' } },
    ],
    [
      paths.statements,
      {
        statements: [
          { statement_id: 'S', bill_period_from_date: '2024-01-01', bill_period_to_date: '2024-01-31' },
        ],
      },
    ],
    [paths.paymentInstruction, { vendor: 'PAY', reference: 'r', type: 'CARD' }],
  ] as const)
    expect((await platform.post(path, extraPayload('EXT-1', more))).status).toBe(201);
  return platform;
}

test('an account is read back with all that was added to it, in minor units', async () => {
  const { data } = await ask(await filled(), query);
  expect(data.account).toMatchObject({
    number,
    balance: -1001,
    accountType: 'DOMESTIC',
    ledgers: [{ ledgerType: 'ENERGY', balance: -1001 }],
    notes: [{ body: 'Called', isPinned: false, createdAt: '2024-01-02T03:04:05Z' }],
    agreements: [{ validFrom: '2024-01-01T00:00:00+00:00', validTo: null, product: { code: 'T-1' } }],
    metadata: [{ key: 'k', value: '{"a":1}' }],
    bills: { edges: [{ node: { fromDate: '2024-01-01', toDate: '2024-01-31', issuedDate: null } }] },
    paymentMethods: { edges: [{ node: { instructionType: 'CARD', vendor: 'PAY' } }] },
  });
  expect(data.account.transactions.edges).toMatchObject([
    { node: { __typename: 'Charge', postedDate: '2024-05-01', amount: 1230 } },
    { node: { __typename: 'Payment', postedDate: '2024-05-02', amount: 229 } },
  ]);
});

test('an account that nobody has is null, and none is read without a token', async () => {
  const platform = await filled();
  expect(await ask(platform, query, { account: 'A-00000009' })).toEqual({ data: { account: null } });
  const { data, errors } = await ask(platform, query, { account: number }, '');
  expect(data).toEqual({ account: null });
  expect(errors).toMatchObject([{ path: ['account'], extensions: { errorCode: 'KT-CT-1112' } }]);
});

test('the schema tells itself to anybody', async () => {
  const { data } = await ask(await rehearse(), '{ __type(name: "AccountType") { fields { name } } }', {}, '');
  expect(data.__type.fields).toContainEqual({ name: 'transactions' });
});

test('pages follow one another by cursor, and have at most 99 items', async () => {
  const platform = await filled();
  const first = (await ask(platform, query, { account: number, first: 1 })).data.account.transactions;
  expect(first.pageInfo).toMatchObject({ hasNextPage: true });
  const variables = { account: number, first: 1, after: first.pageInfo.endCursor };
  const second = (await ask(platform, query, variables)).data.account.transactions;
  expect(second).toMatchObject({
    pageInfo: { hasNextPage: false },
    edges: [{ node: { __typename: 'Payment' } }],
  });
  const { errors } = await ask(platform, query, { account: number, first: 100 });
  expect(errors[0].extensions.errorCode).toBe('KT-CT-1189');
});

test('a request that is too complex, or asks for too much in an hour, is refused', async () => {
  const limited = { complexity: 60, pointsPerHour: 20 };
  const platform = await filled({ operator: { graphql: limited } });
  const code = async (text: string): Promise<unknown> =>
    (await ask(platform, text)).errors?.[0].extensions.errorCode;
  const small = 'query ($account: String!) { account(accountNumber: $account) { number balance } }';
  expect(await code(query)).toBe('KT-CT-1188');
  for (let times = 0; times < 6; times += 1) expect(await code(small)).toBeUndefined();
  expect(await code(small)).toBe('KT-CT-1199');
  platform.clock.advance(3_600_000);
  const token = `Token ${await platform.freshToken()}`;
  expect((await ask(platform, small, { account: number }, token)).data.account.number).toBe(number);
});

test('a key reads what the operator allows it, and a disabled field nobody', async () => {
  const graphql = {
    disabled: ['AccountType.metadata'],
    keys: { 'a-key': { forbidden: ['AccountType.notes'] } },
  };
  const platform = await filled({ operator: { apiKeys: ['a-key'], graphql } });
  const text =
    'query ($account: String!) { account(accountNumber: $account) { notes { body } metadata { key } } }';
  const codes = async (token?: string) => {
    const body = await ask(platform, text, { account: number }, token && `Token ${token}`);
    const errors = body.errors as { path: string[]; extensions: { errorCode: string } }[];
    return errors.map(({ path, extensions }) => [path.at(-1), extensions.errorCode]);
  };
  expect(await codes()).toEqual([['metadata', 'KT-CT-1113']]);
  expect(await codes(await tokenOf(platform, 'a-key'))).toEqual([
    ['notes', 'KT-CT-4177'],
    ['metadata', 'KT-CT-1113'],
  ]);
});

test('what is read back can be behind, partial, forbidden, about another account, or double', async () => {
  const text =
    'query ($account: String!) { account(accountNumber: $account) { number notes { body } transactions(first: 9) { edgeCount } } }';
  const under = async (rule: object) => {
    const platform = await filled({ operator: { faults: { rules: [rule as never] } } });
    return { platform, answer: await ask(platform, text) };
  };
  const late = await under({ kind: 'read_lag', on: ['graphql'], ms: 1000 });
  expect(late.answer.data.account).toBeNull();
  late.platform.clock.advance(1000);
  expect((await ask(late.platform, text)).data.account.notes).toHaveLength(1);
  const partial = (await under({ kind: 'read_partial', on: ['graphql'] })).answer;
  expect(partial).toMatchObject({
    data: { account: { number, transactions: null } },
    errors: [{ path: ['account', 'transactions'] }],
  });
  const forbidden = (await under({ kind: 'read_forbidden', on: ['graphql'] })).answer;
  expect(forbidden).toMatchObject({ data: { account: { notes: null } } });
  const wrong = (await under({ kind: 'read_wrong_account', on: ['graphql'] })).answer;
  expect(wrong.data.account.number).toBe('A-00000002');
  const double = (await under({ kind: 'hidden_double', on: ['notes'] })).answer;
  expect(double.data.account).toMatchObject({ notes: [{}, {}], transactions: { edgeCount: 2 } });
});

test('no message repeats what was sent, such as a key in a document that cannot be read', async () => {
  const platform = await rehearse({ stateFile: `${freshDirectory()}/p.db` });
  for (const text of [
    'mutation { obtainKrakenToken(input: {APIKey: "the-key"} "the-key") { token } }',
    'mutation { obtainKrakenToken(input: "the-key") { token } }',
    'mutation { obtainKrakenToken(input: {APIKey: "the-key"}) { token(key: "the-key") } }',
  ])
    expect(JSON.stringify(await ask(platform, text, {}, ''))).not.toContain('the-key');
  const asked = 'mutation ($i: Int) { obtainKrakenToken(input: {APIKey: "x"}) { token } }';
  expect(JSON.stringify(await ask(platform, asked, { i: 'the-key' }, ''))).not.toContain('the-key');
});
