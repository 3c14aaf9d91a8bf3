import { describe, expect, test } from 'vitest';
import { datetime, expectInvalid } from './expectations.ts';
import {
  accountPayload,
  createPayload,
  freshAccount,
  importedAccount,
  supplier,
  target,
  type Json,
} from './target.ts';

const platform = target();

describe('4 rule 1: validate', () => {
  test('answers 200 with the validated data, and stores nothing', async () => {
    const account = freshAccount();
    const payload = accountPayload(account);
    expect(await platform.post('validate', payload)).toMatchObject({ status: 200, body: payload });
    expect((await platform.get('transferStatus', account)).status).toBe(404);
  });

  test('answers 400 with detail, code and errors', async () => {
    expectInvalid(
      await platform.post('validate', accountPayload(freshAccount(), { customers: 'none' })),
      'customers',
    );
  });
});

describe('4 rule 2: stage', () => {
  test('answers with the supplier and the account', async () => {
    const account = freshAccount();
    const { body } = await platform.post('stage', accountPayload(account));
    expect(body).toMatchObject({ import_supplier: supplier, external_account_number: account });
  });

  test('holds the payload to the rules of validate before it is stored', async () => {
    const account = freshAccount();
    const wrong = accountPayload(account, { customers: 'none' });
    const [checked, staged] = [await platform.post('validate', wrong), await platform.post('stage', wrong)];
    expectInvalid(staged, 'customers');
    const codes = (answered: { body: { errors: { code: string; attr: string }[] } }) =>
      answered.body.errors.map(({ code, attr }) => `${attr}: ${code}`);
    expect(codes(staged)).toEqual(codes(checked));
    expect((await platform.get('transferStatus', account)).status).toBe(404);
  });
});

describe('4 rule 3: process', () => {
  test('needs staged data', async () => {
    expect((await platform.post('process', createPayload(freshAccount()))).status).toBe(400);
  });

  test('needs a team that exists', async () => {
    const account = freshAccount();
    await platform.post('stage', accountPayload(account));
    const answered = await platform.post(
      'process',
      createPayload(account, { operations_team_name: 'No such team' }),
    );
    expect(answered.status).toBe(400);
    expect((await platform.get('transferStatus', account)).body.kraken_account_number).toBe('');
  });

  test('says to a dry run that the account would import, and creates nothing', async () => {
    const account = freshAccount();
    await platform.post('stage', accountPayload(account));
    const dry = await platform.post('process', createPayload(account, { dry_run: true }));
    expect(dry.status).toBe(400);
    expect(dry.text).toContain('Account would successfully import. Rolled back due to Dry Run.');
    expect((await platform.get('transferStatus', account)).body).toEqual({
      status: 'UNKNOWN',
      kraken_account_number: '',
    });
    expect((await platform.post('process', createPayload(account, { dry_run: false }))).status).toBe(201);
  });

  test('tells an account that was imported already, with both numbers', async () => {
    const account = freshAccount();
    await platform.post('stage', accountPayload(account));
    const { body } = await platform.post('process', createPayload(account));
    for (const more of [{}, { dry_run: true }]) {
      const again = await platform.post('process', createPayload(account, more));
      expect(again.status).toBe(400);
      expect(again.body).toMatchObject({
        external_account_number: account,
        kraken_account_number: body.kraken_account_number,
      });
    }
  });

  test('creates one account however many requests race', async () => {
    const account = freshAccount();
    await platform.post('stage', accountPayload(account));
    const racing = await Promise.all(
      Array.from({ length: 12 }, () => platform.post('process', createPayload(account))),
    );
    expect(racing.filter(({ status }) => status === 201)).toHaveLength(1);
    const numbers = racing.flatMap(({ body }) => (body.kraken_account_number as string | undefined) ?? []);
    expect(new Set(numbers).size).toBe(1);
  });
});

describe('4 rule 4: status', () => {
  test('is 404 when no process exists, and 200 whether or not an account was created', async () => {
    const account = freshAccount();
    expect((await platform.get('transferStatus', account)).status).toBe(404);
    await platform.post('stage', accountPayload(account));
    expect(await platform.get('transferStatus', account)).toMatchObject({
      status: 200,
      body: { status: 'UNKNOWN', kraken_account_number: '' },
    });
    await platform.post('process', createPayload(account));
    expect(await platform.get('transferStatus', account)).toMatchObject({
      status: 200,
      body: { status: 'COMPLETED', kraken_account_number: expect.stringMatching(/\S/) },
    });
  });

  test('finds an account number that holds a slash, a space or a percent sign', async () => {
    const account = `${freshAccount()}/a b%2F`;
    await platform.post('stage', accountPayload(account));
    expect((await platform.get('transferStatus', account)).status).toBe(200);
  });
});

describe('4 endpoints 5 to 7 and 2.5: lists', () => {
  const find = async (name: 'allProcesses' | 'pendingProcesses' | 'importedProcesses', account: string) => {
    const { status, body } = await platform.get(name);
    expect(status).toBe(200);
    return (body as Json[]).filter((record) => record['external_account_number'] === account);
  };

  test('a pending account is in the lists of all and of pending ones, its number and time null', async () => {
    const account = freshAccount();
    await platform.post('stage', accountPayload(account));
    const record = {
      external_account_number: account,
      kraken_account_number: null,
      account_created_at: null,
    };
    expect(await find('allProcesses', account)).toEqual([expect.objectContaining(record)]);
    expect(await find('pendingProcesses', account)).toEqual([expect.objectContaining(record)]);
    expect(await find('importedProcesses', account)).toEqual([]);
  });

  test('an imported account is in the lists of all and of imported ones, with its number and time', async () => {
    const account = await importedAccount(platform);
    const number = (await platform.get('transferStatus', account)).body.kraken_account_number;
    const record = {
      external_account_number: account,
      kraken_account_number: number,
      account_created_at: expect.stringMatching(datetime),
    };
    expect(await find('allProcesses', account)).toEqual([expect.objectContaining(record)]);
    expect(await find('importedProcesses', account)).toHaveLength(1);
    expect(await find('pendingProcesses', account)).toEqual([]);
  });
});
