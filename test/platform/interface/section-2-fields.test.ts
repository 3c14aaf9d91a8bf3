import { expect, test } from 'vitest';
import { expectInvalid } from './expectations.ts';
import {
  accountPayload,
  createPayload,
  daysAgo,
  extraPayload,
  freshAccount,
  importedAccount,
  target,
} from './target.ts';

const platform = target();
const validate = (more: Record<string, unknown>) =>
  platform.post('validate', accountPayload(freshAccount(), more));

test('2: a field with an empty value is refused; it is to be omitted', async () => {
  expectInvalid(await validate({ sales_channel: '' }), 'sales_channel');
});

test('2.1: a date is YYYY-MM-DD and exists', async () => {
  const ledger = (date: string) => ({
    ledgers: [{ ledger_code: 'ENERGY', last_statement_closing_date: date }],
  });
  for (const date of ['31/12/2023', '2023-2-1', '2023-02-30', '2023-01-01T00:00:00Z'])
    expectInvalid(await validate(ledger(date)), 'ledgers.0.last_statement_closing_date');
  expect((await validate(ledger('2024-02-29'))).status).toBe(200);
});

test('2.1: a datetime is YYYY-MM-DDTHH:MM:SSZ', async () => {
  const account = await importedAccount(platform);
  const note = (created_at: string) =>
    platform.post('notes', extraPayload(account, { notes: [{ body: 'A note.', created_at }] }));
  for (const time of ['2020-02-30T12:00:00Z', '2020-02-01 12:00:00', 'yesterday'])
    expectInvalid(await note(time), 'notes.0.created_at');
  expect((await note('2020-02-01T12:00:00Z')).status).toBe(201);
});

test('2.1: an optional object that is provided needs its required fields and keeps the rules of each', async () => {
  expectInvalid(await validate({ metadata: [{ key: 'origin' }] }), 'metadata.0.value');
  expectInvalid(
    await validate({ metadata: [{ key: 'origin', value: 'not an object' }] }),
    'metadata.0.value',
  );
  expect((await validate({ metadata: [{ key: 'origin', value: { system: 'old' } }] })).status).toBe(200);
});

test('2.1: an amount is a JSON number or a decimal string', async () => {
  for (const [balance, total] of [
    [12.5, '12.50'],
    ['12.50', '12.50'],
    [-3, '-3.00'],
  ])
    expect(
      (
        await validate({
          ledgers: [{ ledger_code: 'ENERGY', ledger_balance: balance }],
          transfer_balance: total,
        })
      ).status,
    ).toBe(200);
  expectInvalid(
    await validate({ ledgers: [{ ledger_code: 'ENERGY', ledger_balance: 'much' }] }),
    'ledgers.0.ledger_balance',
  );
});

test('2.2: every payload names the import supplier and the account; create-account has import_supplier_code', async () => {
  const account = freshAccount();
  const { import_supplier: _supplier, ...nameless } = accountPayload(account);
  expectInvalid(await platform.post('validate', nameless), 'import_supplier');
  const { external_account_number: _number, ...numberless } = accountPayload(account);
  expectInvalid(await platform.post('stage', numberless), 'external_account_number');
  const { import_supplier_code: code, ...order } = createPayload(account);
  expectInvalid(await platform.post('process', { ...order, import_supplier: code }), 'import_supplier_code');
});

test('2.3: every field of an account that the interface shows is accepted', async () => {
  const address = {
    street_address: '2 Test Street',
    locality: 'Sampleton',
    administrative_area: 'Shire',
    postal_code: 'SW1A 1AA',
    country: 'GB',
  };
  const payload = accountPayload(freshAccount(), {
    account_billing_options: { use_industry_billing: false },
    account_type: 'DOMESTIC',
    communication_preference: 'ONLINE',
    customers: [
      {
        email: 'sample@example.com',
        family_name: 'Person',
        given_name: 'Sample',
        landline: '+442079460123',
        portfolio_roles: ['ADMIN'],
        title: 'Dr',
        unable_to_read_meters: false,
      },
    ],
    ledgers: [
      {
        ledger_code: 'ENERGY',
        last_statement_balance: -10,
        last_statement_closing_date: daysAgo(30),
        ledger_balance: 2.5,
        current_statement_transactions: [
          {
            transaction_id: 'C1',
            transaction_date: daysAgo(20),
            amount: '12.50',
            type: 'PAYMENT',
            reason: 'ACCOUNT_CHARGE_PAYMENT',
            reference: 'R1',
            payment_type: 'DIRECT_CREDIT',
            note: 'Internal',
          },
        ],
        historical_statement_transactions: [
          {
            transaction_id: 'H1',
            transaction_date: daysAgo(40),
            amount: 10,
            type: 'CHARGE',
            reason: 'IMPORTED_CHARGE',
            display_note: 'For the customer',
          },
        ],
      },
    ],
    metadata: [{ key: 'origin', value: { system: 'old', batch: 7 } }],
    sales_channel: 'EVENTS',
    sales_subchannel: 'MIGRATION',
    supply_addresses: [
      {
        customer_at_supply_address_from_date: '2020-01-01',
        supply_address: address,
        supply_points: [
          {
            agreements: [{ effective_from: '2020-01-01', tariff_code: 'STANDARD' }],
            last_billed_to_date: daysAgo(30),
            supply_start_date: '2020-01-01',
            identifier: '1200000000000',
            supply_type: 'ELECTRICITY',
            load_zone: 'NORTH',
          },
        ],
      },
    ],
    transfer_balance: '2.50',
    unknown_occupier: false,
  });
  const answered = await platform.post('validate', payload);
  expect(answered.text === '' ? answered.status : answered).toMatchObject({ status: 200, body: payload });
});

test('2.3: a landline is validated as a phone number', async () => {
  const customers = [{ given_name: 'Sample', family_name: 'Person', email: 's@example.com', landline: '12' }];
  const answered = await validate({ customers });
  expectInvalid(answered, 'customers.0.landline');
  expect(answered.body.errors).toContainEqual(expect.objectContaining({ code: 'invalid_phone_number' }));
});
