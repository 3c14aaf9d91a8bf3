import { expect, test } from 'vitest';
import { dumpAccounts, dumpRequests } from '../../src/platform/dump.ts';
import { readPlatformId } from '../../src/platform/platform-id.ts';
import { accountPayload, extraPayload, paths, processPayload, statusPath } from './sample-payloads.ts';
import { rehearse } from './running-platform.ts';

test('an account is staged, updated, tried, created once and found in the lists', async () => {
  const { post, get } = await rehearse();
  const payload = accountPayload('OLD/1 é%');
  expect(await post(paths.validate, payload)).toMatchObject({ status: 200, body: payload });
  expect((await get(statusPath('OLD/1 é%'))).status).toBe(404);

  expect(await post(paths.stage, payload)).toMatchObject({
    status: 201,
    body: { import_supplier: 'TENTACLE_ENERGY', external_account_number: 'OLD/1 é%' },
  });
  expect((await post(paths.stage, payload)).status).toBe(200);
  expect((await get(statusPath('OLD/1 é%'))).body).toEqual({ status: 'UNKNOWN', kraken_account_number: '' });

  const dry = await post(paths.process, processPayload('OLD/1 é%', { dry_run: true }));
  expect(dry.status).toBe(400);
  expect(dry.body.detail).toBe('Account would successfully import. Rolled back due to Dry Run.');
  expect((await get('pending-account-import-processes/TENTACLE_ENERGY/')).body).toEqual([
    { external_account_number: 'OLD/1 é%', kraken_account_number: null, account_created_at: null },
  ]);

  expect(await post(paths.process, processPayload('OLD/1 é%'))).toMatchObject({
    status: 201,
    body: { kraken_account_number: 'A-00000001' },
  });
  expect((await get(statusPath('OLD/1 é%'))).body).toEqual({
    status: 'COMPLETED',
    kraken_account_number: 'A-00000001',
  });
  for (const path of [paths.process, paths.stage]) {
    const again = await post(path, path === paths.stage ? payload : processPayload('OLD/1 é%'));
    expect(again.status).toBe(400);
    expect(again.body).toMatchObject({
      code: 'account_import_process_already_imported',
      external_account_number: 'OLD/1 é%',
      kraken_account_number: 'A-00000001',
    });
  }
  const imported = {
    external_account_number: 'OLD/1 é%',
    kraken_account_number: 'A-00000001',
    account_created_at: '2024-06-15T12:00:00Z',
  };
  expect((await get('imported-account-import-processes/TENTACLE_ENERGY/')).body).toEqual([imported]);
  expect((await get('all-account-import-processes/TENTACLE_ENERGY/')).body).toEqual([imported]);
  expect((await get('pending-account-import-processes/TENTACLE_ENERGY/')).body).toEqual([]);
});

test('everything that can be added to an account is there afterwards, and survives a restart', async () => {
  const first = await rehearse();
  const { post } = first;
  const add = (path: string, more: Record<string, unknown>) => post(path, extraPayload('1', more));
  const note = { body: 'A note.', created_at: '2020-01-01T12:00:00Z', is_pinned: true };
  expect((await add(paths.notes, { notes: [note] })).status).toBe(404);
  await post(paths.stage, accountPayload('1'));
  expect((await add(paths.notes, { notes: [note] })).status).toBe(404);
  await post(paths.process, processPayload('1'));

  expect(
    (await add(paths.notes, { notes: [note, { ...note, created_at: '2021-01-01T12:00:00Z' }] })).body,
  ).toEqual([
    { created_at: '2020-01-01T12:00:00Z', body: 'A note.', status: 'NOTE_CREATION_SUCCESS' },
    { created_at: '2021-01-01T12:00:00Z', body: 'A note.', status: 'NOTE_CREATION_SUCCESS' },
  ]);
  expect((await add(paths.notes, { notes: [{ body: 'A note.' }] })).body[0].status).toBe(
    'NOTE_ALREADY_EXISTS',
  );

  const transaction = {
    transaction_id: 'T1',
    transaction_date: '2024-06-01',
    amount: '12.30',
    type: 'CHARGE',
    reason: 'IMPORTED_CHARGE',
  };
  expect((await add(paths.transactions, { transactions: [transaction] })).body).toEqual({
    results: [{ status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: transaction }],
  });
  expect((await add(paths.transactions, { transactions: [transaction] })).body).toEqual({
    results: [
      {
        status: 'TRANSACTION_ALREADY_EXISTS',
        transaction_data: { ...transaction, status: 'TRANSACTION_IMPORT_SUCCESS' },
      },
    ],
  });

  const agreement = { agreements: [{ effective_from: '2020-01-01', tariff_code: 'T' }] };
  expect(await add(paths.agreements, agreement)).toMatchObject({ status: 201, text: '' });
  expect(await add(paths.agreements, agreement)).toMatchObject({ status: 200, text: '' });

  const documents = {
    ledger_code: 'ENERGY',
    ledger_number: 'L1',
    billing_document_type: 'PERIOD_BASED',
    historical_billing_documents: [
      {
        billing_document_identifier: 'B1',
        billing_document_type: 'PERIOD_BASED',
        issued_date: '2023-02-01',
        bill_period_from_date: '2023-01-01',
        bill_period_to_date: '2023-01-31',
        transactions: [{ ...transaction, transaction_id: 'T2', transaction_date: '2023-01-15' }],
      },
    ],
    additional_historical_transactions: [],
  };
  expect(await add(paths.billingDocuments, documents)).toMatchObject({ status: 201, text: '' });
  expect((await add(paths.billingDocuments, documents)).body.errors[0].attr).toBe('ledger_code');
  expect((await add(paths.billingDocuments, { ...documents, ledger_number: 'L2' })).status).toBe(201);

  const statements = {
    statements: [
      {
        statement_id: 'S1',
        bill_period_from_date: '2023-01-01',
        bill_period_to_date: '2023-01-31',
        issued_date: '2023-02-01',
        number: '1',
        gross_amount: 10.5,
      },
    ],
  };
  expect(await add(paths.statements, statements)).toMatchObject({
    status: 201,
    body: extraPayload('1', statements),
  });
  expect((await add(paths.statements, statements)).body.errors).toMatchObject([
    { code: 'historical_statement_already_exists', attr: 'statements.0.statement_id' },
  ]);

  const instruction = { vendor: 'STRIPE', reference: 'R1', type: 'CARD' };
  for (let times = 0; times < 2; times++)
    expect(await add(paths.paymentInstruction, instruction)).toMatchObject({
      status: 201,
      body: { kraken_account_number: 'A-00000001', reference: 'R1' },
    });
  expect((await add(paths.paymentInstruction, { ...instruction, reference: 'R2' })).status).toBe(400);

  const before = [...dumpAccounts(first.stateFile)];
  expect(before).toHaveLength(1);
  expect(before[0]).toMatchObject({ account: '1', krakenAccountNumber: 'A-00000001', team: 'MIGRATIONS' });
  expect(before[0]?.notes).toHaveLength(2);
  expect(before[0]?.transactions).toHaveLength(1);
  expect(before[0]?.agreements).toHaveLength(1);
  expect(before[0]?.billingDocuments).toHaveLength(2);
  expect(before[0]?.statements).toHaveLength(1);
  expect(before[0]?.paymentInstructions).toEqual(['{"reference":"R1","type":"CARD","vendor":"STRIPE"}']);
  expect(dumpRequests(first.stateFile)).toContainEqual({
    endpoint: 'notes',
    supplier: 'TENTACLE_ENERGY',
    account: '1',
    status: 404,
    times: 2,
  });

  const token = await first.token();
  const second = await first.restart();
  expect([...dumpAccounts(second.stateFile)]).toEqual(before);
  expect(second.platform).toMatchObject({
    apiKey: first.platform.apiKey,
    platformId: first.platform.platformId,
  });
  expect(readPlatformId(second.stateFile)).toBe(first.platform.platformId);
  const asked = await second.send('GET', `/v1/data-import/${statusPath('1')}`, {
    authorization: `Token ${token}`,
  });
  expect(asked).toMatchObject({ status: 200, headers: { 'x-platform-id': first.platform.platformId } });
});

test('a number that a dry run tried is given to the next account, and racing requests create one account', async () => {
  const { post, get } = await rehearse();
  for (const account of ['a', 'b']) await post(paths.stage, accountPayload(account));
  await post(paths.process, processPayload('a', { dry_run: true }));
  const racing = await Promise.all(
    Array.from({ length: 20 }, () => post(paths.process, processPayload('b'))),
  );
  expect(racing.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const { body } of racing) expect(body.kraken_account_number).toBe('A-00000001');
  expect((await post(paths.process, processPayload('a'))).body.kraken_account_number).toBe('A-00000002');
  expect((await get('all-account-import-processes/TENTACLE_ENERGY/')).body).toHaveLength(2);
});
