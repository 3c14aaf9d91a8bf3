import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { dumpAccounts } from '../../src/platform/dump.ts';
import { defaultOperator } from '../../src/platform/operator.ts';
import { readOperatorFile } from '../../src/platform/read-operator.ts';
import { startPlatform } from '../../src/platform/platform.ts';
import { freshDirectory, rehearse, type Rehearsal } from './running-platform.ts';
import { accountPayload, extraPayload, paths, processPayload, statusPath } from './sample-payloads.ts';
import { SteppingClock, until } from './stepping-clock.ts';

function operatorFile(text: string): string {
  const file = join(freshDirectory(), 'operator.yaml');
  writeFileSync(file, text);
  return file;
}

function codesOf(answered: { readonly body: { readonly errors: readonly { code: string }[] } }): string[] {
  return answered.body.errors.map(({ code }) => code);
}

test('an operator file keeps the defaults of what it does not name', () => {
  const file = operatorFile('teams: [OPS, MIGRATIONS]\nprocess:\n  cap: 4\n');
  expect(readOperatorFile(file)).toMatchObject({
    ok: true,
    operator: {
      teams: ['OPS', 'MIGRATIONS'],
      process: { cap: 4, durationMs: 0 },
      suppliers: { TENTACLE_ENERGY: { status: 'Ongoing' }, CLOSED_ENERGY: { status: 'Complete' } },
    },
  });
  expect(readOperatorFile(operatorFile('# nothing\n'))).toMatchObject({ ok: true });
});

test('an operator file keeps the suppliers and teams of a contract, unless it names others', () => {
  const listed = { suppliers: { MARSH_POWER: {} }, teams: ['MARSH'] };
  const faults = operatorFile('faults: { seed: 7 }\n');
  expect(readOperatorFile(faults, listed)).toMatchObject({
    ok: true,
    operator: { suppliers: { MARSH_POWER: { status: 'Ongoing' } }, teams: ['MARSH'], faults: { seed: 7 } },
  });
  expect(readOperatorFile(operatorFile('# nothing\n'), listed)).toMatchObject({
    operator: { suppliers: { MARSH_POWER: {} } },
  });
  expect(readOperatorFile(operatorFile('teams: [FEN]\n'), listed)).toMatchObject({
    operator: { suppliers: { MARSH_POWER: {} }, teams: ['FEN'] },
  });
});

test('the operator file that the guide shows says the defaults', () => {
  const guide = readFileSync(fileURLToPath(new URL('../../docs/platform.md', import.meta.url)), 'utf8');
  const shown = /```yaml\n(suppliers:[^`]*)```/.exec(guide)?.[1] ?? '';
  expect(readOperatorFile(operatorFile(shown))).toEqual({ ok: true, operator: defaultOperator });
});

test('every fault of an operator file is named with its line', () => {
  const file = operatorFile(
    [
      'suppliers:',
      '  NORTH_ENERGY:',
      '    status: Going',
      '    ledger: [ENERGY]',
      'team: [OPS]',
      'rules:',
      '  invalid_phone_numbr: off',
      'faults:',
      '  rules:',
      '    - kind: reset',
      '    - kind: reset',
      '      rate: 2',
      '    - kind: lost',
    ].join('\n'),
  );
  const reading = readOperatorFile(file);
  const problems = reading.ok ? [] : reading.problems.map((text) => text.replace(file, ''));
  expect(problems).toHaveLength(6);
  expect(problems.join('\n')).toMatch(/:3: suppliers\.NORTH_ENERGY\.status: /);
  expect(problems.join('\n')).toMatch(/:4: Unknown key 'ledger'\. Did you mean 'ledgers'\?/);
  expect(problems.join('\n')).toMatch(/:5: Unknown key 'team'\. Did you mean 'teams'\?/);
  expect(problems.join('\n')).toMatch(/:7: .*invalid_phone_numbr/);
  expect(problems.join('\n')).toMatch(/:12: faults\.rules\.1\.rate: /);
  expect(problems.join('\n')).toMatch(
    /:13: faults\.rules\.2\.kind: Unknown kind of fault\. The kinds are latency, reset, /,
  );
  expect(readOperatorFile(operatorFile('apiKeys: [\n'))).toMatchObject({ ok: false });
  expect(readOperatorFile('/no/such/operator.yaml')).toMatchObject({ ok: false });
});

test('suppliers that are paused, complete or unknown, and skipped accounts, take nothing', async () => {
  const { post, get } = await rehearse({
    operator: { skipped: [{ supplier: 'TENTACLE_ENERGY', account: 'S' }] },
  });
  for (const [supplier, code] of [
    ['PAUSED_ENERGY', 'import_supplier_migration_not_ongoing'],
    ['CLOSED_ENERGY', 'import_supplier_migration_not_ongoing'],
    ['NO_ENERGY', 'import_supplier_does_not_exist'],
  ]) {
    expect(codesOf(await post(paths.stage, accountPayload('1', { import_supplier: supplier })))).toEqual([
      code,
    ]);
    const order = processPayload('1', { import_supplier_code: supplier });
    expect(codesOf(await post(paths.process, order))).toEqual([code]);
  }
  expect((await post(paths.validate, accountPayload('1', { import_supplier: 'PAUSED_ENERGY' }))).status).toBe(
    200,
  );
  expect(codesOf(await post(paths.stage, accountPayload('S')))).toEqual(['account_import_process_skipped']);
  expect((await get(statusPath('S'))).status).toBe(404);
  expect((await get('all-account-import-processes/NO_ENERGY/')).status).toBe(404);
});

test('a platform that knows any supplier lists the accounts of each', async () => {
  const { post, get } = await rehearse({ operator: { otherSuppliers: 'Ongoing' } });
  expect((await post(paths.stage, accountPayload('1', { import_supplier: 'SW_NORD' }))).status).toBe(201);
  const list = await get('all-account-import-processes/SW_NORD/');
  expect(list.status).toBe(200);
  expect(JSON.stringify(list.body)).toContain('"external_account_number":"1"');
});

test('the operator changes decisions while the platform runs, by loopback and API key alone', async () => {
  const { post, send, platform } = await rehearse({ control: true });
  const change = (patch: unknown, key = platform.apiKey) =>
    send(
      'PATCH',
      '/operator/',
      { 'content-type': 'application/json', authorization: `ApiKey ${key}` },
      JSON.stringify(patch),
    );
  expect((await post(paths.stage, accountPayload('1'))).status).toBe(201);
  expect((await change({}, 'wrong')).status).toBe(401);
  expect(await change({ suppliers: { TENTACLE_ENERGY: { status: 'Paused' } } })).toMatchObject({
    status: 200,
    body: { suppliers: { TENTACLE_ENERGY: { status: 'Paused' }, PAUSED_ENERGY: { status: 'Paused' } } },
  });
  expect((await post(paths.stage, accountPayload('1'))).status).toBe(400);
  expect((await change({ teem: [] })).body.errors).toMatchObject([{ attr: 'teem' }]);
  const shown = await change({ suppliers: { TENTACLE_ENERGY: { status: 'Ongoing' } }, dialect: 'fields' });
  expect(shown.text).not.toContain('apiKeys');
  expect((await post(paths.stage, accountPayload('', {}))).body).toEqual({
    external_account_number: ['This field may not be blank.'],
  });
  expect((await post(paths.process, processPayload('1', { import_supplier_code: 'NO' }))).body).toEqual({
    import_supplier_code: ['No import supplier has this code.'],
  });
});

test('the operator endpoints are not there unless asked for, and never beyond loopback', async () => {
  const { send, platform, clock } = await rehearse();
  const headers = { authorization: `ApiKey ${platform.apiKey}` };
  expect((await send('GET', '/operator/', headers)).status).toBe(404);
  await expect(
    startPlatform({
      stateFile: ':memory:',
      operator: defaultOperator,
      clock,
      random: () => 0,
      port: 0,
      host: '0.0.0.0',
      log: () => undefined,
      control: true,
    }),
  ).rejects.toThrow('loopback');
});

test('values that the interface shows only by example are not refused, unless the operator says so', async () => {
  const { post } = await rehearse({});
  const odd = {
    sales_channel: 'DOOR_TO_DOOR',
    ledgers: [
      {
        ledger_code: 'ENERGY',
        current_statement_transactions: [
          { transaction_id: 'T1', transaction_date: '2024-01-02', amount: '1.00', type: 'ADJUSTMENT' },
        ],
      },
    ],
  };
  expect((await post(paths.stage, accountPayload('1', odd))).status).toBe(201);
  const strict = await rehearse({ operator: { rules: { unknown_transaction_type: 'error' } } });
  expect(codesOf(await strict.post(paths.stage, accountPayload('1', odd)))).toEqual([
    'unknown_transaction_type',
  ]);
});

test('no more accounts are in progress than the cap allows, and the status endpoint says which are', async () => {
  const { post, get, clock } = await rehearse({ operator: { process: { cap: 2, durationMs: 1000 } } });
  for (const account of ['1', '2', '3']) await post(paths.stage, accountPayload(account));
  const started = ['1', '2'].map((account) => post(paths.process, processPayload(account)));
  await until(() => clock.asleep === 2);
  expect((await post(paths.process, processPayload('3'))).status).toBe(429);
  expect((await get(statusPath('1'))).body).toEqual({ status: 'IN_PROGRESS', kraken_account_number: '' });
  expect((await get(statusPath('3'))).body.status).toBe('UNKNOWN');
  clock.advance(1000);
  expect((await Promise.all(started)).map(({ status }) => status)).toEqual([201, 201]);
  expect((await get(statusPath('1'))).body.status).toBe('COMPLETED');
  const third = post(paths.process, processPayload('3'));
  await until(() => clock.asleep === 1);
  clock.advance(1000);
  expect((await third).status).toBe(201);
});

test('staged data that newer decisions of the operator make wrong is not imported', async () => {
  const ledger = { ledger_code: 'ENERGY', ledger_balance: 0 };
  const first = await rehearse();
  await first.post(paths.stage, accountPayload('1', { ledgers: [ledger], transfer_balance: '0.00' }));
  const second = await first.restart({ suppliers: { TENTACLE_ENERGY: { ledgers: ['GAS'] } } });
  expect(codesOf(await second.post(paths.process, processPayload('1')))).toEqual([
    'ledger_code_does_not_exist',
  ]);
  expect(
    codesOf(
      await second.post(paths.stage, accountPayload('2', { ledgers: [ledger], transfer_balance: '0' })),
    ),
  ).toEqual(['ledger_code_does_not_exist']);
  const third = await second.restart({
    suppliers: { TENTACLE_ENERGY: { ledgers: ['GAS'] } },
    rules: { ledger_code_does_not_exist: 'off' },
  });
  expect((await third.post(paths.process, processPayload('1'))).status).toBe(201);
});

test('a payload that passed a moment ago is refused once the operator has decided otherwise', async () => {
  const { post, send, platform } = await rehearse({ control: true });
  const ledger = { ledger_code: 'ENERGY', ledger_balance: 0 };
  const payload = accountPayload('1', { ledgers: [ledger], transfer_balance: '0.00' });
  expect((await post(paths.validate, payload)).status).toBe(200);
  const headers = { 'content-type': 'application/json', authorization: `ApiKey ${platform.apiKey}` };
  const patch = { suppliers: { TENTACLE_ENERGY: { ledgers: ['GAS'] } } };
  expect((await send('PATCH', '/operator/', headers, JSON.stringify(patch))).status).toBe(200);
  expect(codesOf(await post(paths.stage, payload))).toEqual(['ledger_code_does_not_exist']);
});

test('customers get an e-mail for a created account where the supplier says so, and none for a dry run', async () => {
  const { post, stateFile } = await rehearse({
    operator: { suppliers: { TENTACLE_ENERGY: { sendEmails: true } } },
  });
  await post(paths.stage, accountPayload('1'));
  await post(paths.process, processPayload('1', { dry_run: true }));
  expect([...dumpAccounts(stateFile)][0]?.emails).toEqual([]);
  await post(paths.process, processPayload('1'));
  expect([...dumpAccounts(stateFile)][0]?.emails).toEqual(['"sample@example.com"']);
});

test('a document that the file store lacks is refused once the operator asks for the check', async () => {
  const root = freshDirectory();
  mkdirSync(join(root, 'letters'));
  writeFileSync(join(root, 'letters', 'one.pdf'), 'PDF');
  const { post } = await imported(
    await rehearse({
      operator: {
        suppliers: { TENTACLE_ENERGY: { objectStoreRoot: root } },
        rules: { path_does_not_exist_in_file_store: 'error' },
      },
    }),
  );
  const note = (...documents: string[]) =>
    post(
      paths.notes,
      extraPayload('1', { notes: [{ document_paths: documents.map((path) => ({ document_path: path })) }] }),
    );
  expect((await note('letters/one.pdf')).status).toBe(201);
  expect(
    (await note('letters/one.pdf', 'letters/two.pdf', 'letters', '../../etc/passwd')).body.errors,
  ).toMatchObject([
    { code: 'document_path_escapes', attr: 'notes.0.document_paths.3.document_path' },
    { code: 'path_does_not_exist_in_file_store', attr: 'notes.0.document_paths.1.document_path' },
    { code: 'path_does_not_exist_in_file_store', attr: 'notes.0.document_paths.2.document_path' },
  ]);
});

test('transactions outside the open statement period are moved into it and noted, or refused', async () => {
  const { post, stateFile } = await imported(
    await rehearse({ operator: { openStatementPeriod: { from: '2024-06-01', to: '2024-06-10' } } }),
  );
  const transaction = (id: string, date: string) => ({
    transaction_id: id,
    transaction_date: date,
    amount: 5,
    type: 'CREDIT',
    reason: 'GENERAL_CREDIT',
  });
  const add = (query: string, ...transactions: unknown[]) =>
    post(paths.transactions + query, extraPayload('1', { transactions }));

  const refused = await add(
    '?force_add_to_current_statement=false',
    transaction('T0', '2024-06-05'),
    transaction('T1', '2024-05-31'),
    transaction('T2', '2024-06-11'),
  );
  expect(refused.status).toBe(400);
  expect(refused.body).toMatchObject({
    status: 'TRANSACTION_IMPORT_ERROR',
    transaction_data: transaction('T1', '2024-05-31'),
  });
  expect([...dumpAccounts(stateFile)][0]).toMatchObject({ transactions: [], notes: [] });

  const added = await add('', transaction('T1', '2024-05-31'), transaction('T2', '2024-06-11'));
  expect(added.body.results).toMatchObject([
    { status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: { transaction_date: '2024-06-01' } },
    { status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: { transaction_date: '2024-06-10' } },
  ]);
  expect(added.body.results[0].transaction_data.description).toContain('2024-05-31');
  const [dumped] = dumpAccounts(stateFile);
  expect(dumped?.notes).toHaveLength(2);
  for (const note of dumped?.notes ?? []) expect(note).toContain('"is_pinned":true');

  expect(
    (await add('?check_previously_added=false', transaction('T2', '2024-06-10'))).body.results[0].status,
  ).toBe('TRANSACTION_ADDED_TO_ACCOUNT');
  expect((await add('', transaction('T2', '2024-06-10'))).body.results[0].status).toBe(
    'TRANSACTION_ALREADY_EXISTS',
  );
  expect((await add('?check_previously_added=perhaps', transaction('T3', '2024-06-10'))).status).toBe(400);
});

test('the payment vendor knows, does not know, is slow, fails once or fails for good, by the reference', async () => {
  const { post, clock } = await imported(await rehearse({ operator: { vendorSlowMs: 3000 } }));
  const add = (reference: string) =>
    post(paths.paymentInstruction, extraPayload('1', { vendor: 'V', reference, type: 'CARD' }));
  expect((await add('UNKNOWN-1')).status).toBe(400);
  expect((await add('PERSISTENT-1')).status).toBe(400);
  expect((await add('INTERMITTENT-1')).status).toBe(500);
  expect((await add('INTERMITTENT-1')).status).toBe(201);
  const slow = add('SLOW-1');
  await until(() => clock.asleep === 1);
  clock.advance(3000);
  expect((await slow).body.error_detail).toContain('active instruction');
});

test('a rehearsal on a fixed date has that date, whatever the time is', async () => {
  const { post, get } = await rehearse({
    clock: new SteppingClock('2031-01-01T00:00:00Z'),
    operator: { now: '2024-02-29T10:00:00Z' },
  });
  await post(paths.stage, accountPayload('1'));
  await post(paths.process, processPayload('1'));
  expect((await get('imported-account-import-processes/TENTACLE_ENERGY/')).body[0].account_created_at).toBe(
    '2024-02-29T10:00:00Z',
  );
});

async function imported(rehearsal: Rehearsal): Promise<Rehearsal> {
  await rehearsal.post(paths.stage, accountPayload('1'));
  await rehearsal.post(paths.process, processPayload('1'));
  return rehearsal;
}
