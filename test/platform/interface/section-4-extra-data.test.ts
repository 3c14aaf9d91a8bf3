import { beforeAll, describe, expect, test } from 'vitest';
import { datetime, expectInvalid } from './expectations.ts';
import {
  accountPayload,
  daysAgo,
  extraPayload,
  freshAccount,
  importedAccount,
  paymentReference,
  target,
  vendor,
  type Json,
} from './target.ts';

const platform = target();
let account: string;

beforeAll(async () => {
  account = await importedAccount(platform);
});

const charge = (id: string, more: Json = {}): Json => ({
  transaction_id: id,
  transaction_date: daysAgo(1),
  amount: '10.00',
  type: 'CHARGE',
  reason: 'IMPORTED_CHARGE',
  ...more,
});

describe('4 rule 5 and 2.7: notes', () => {
  const add = (notes: Json[], to = account) => platform.post('notes', extraPayload(to, { notes }));

  test('answers 201 with created_at, body and status of each', async () => {
    const { status, body } = await add([
      { body: 'With a time.', created_at: '2020-01-01T12:00:00Z' },
      { body: 'Without one.' },
    ]);
    expect(status).toBe(201);
    expect(body).toMatchObject([
      { body: 'With a time.', created_at: '2020-01-01T12:00:00Z', status: 'NOTE_CREATION_SUCCESS' },
      { body: 'Without one.', created_at: expect.stringMatching(datetime), status: 'NOTE_CREATION_SUCCESS' },
    ]);
  });

  test('a note with the same body, and the same created_at if one is given, exists already', async () => {
    const first = { body: 'Said twice.', created_at: '2020-01-01T12:00:00Z' };
    await add([first]);
    const { body } = await add([
      first,
      { body: 'Said twice.' },
      { body: 'Said twice.', created_at: '2021-01-01T12:00:00Z' },
    ]);
    expect((body as Json[]).map(({ status }) => status)).toEqual([
      'NOTE_ALREADY_EXISTS',
      'NOTE_ALREADY_EXISTS',
      'NOTE_CREATION_SUCCESS',
    ]);
  });

  test('needs a body or document paths', async () => {
    expectInvalid(await add([{ is_pinned: true }]));
    expect((await add([{ document_paths: [{ document_path: 'letters/one.pdf' }] }])).status).toBe(201);
  });

  test('may be pinned, and say until when', async () => {
    const pinned = {
      body: 'Pinned.',
      created_at: daysAgo(1) + 'T00:00:00Z',
      is_pinned: true,
      unpin_at: '2099-06-01T12:00:00Z',
    };
    expect((await add([pinned])).status).toBe(201);
  });

  test('is 404 for an account that is not there, only staged, or of another supplier', async () => {
    const staged = freshAccount();
    await platform.post('stage', accountPayload(staged));
    for (const missing of [freshAccount(), staged])
      expect((await add([{ body: 'A note.' }], missing)).status).toBe(404);
    const elsewhere = {
      ...extraPayload(account, { notes: [{ body: 'A note.' }] }),
      import_supplier: 'NO_SUCH_SUPPLIER',
    };
    expect((await platform.post('notes', elsewhere)).status).toBe(404);
  });
});

describe('4 rule 6 and 2.6: transactions', () => {
  const add = (transactions: Json[], query = '', to = account) =>
    platform.post('transactions', extraPayload(to, { transactions }), query);

  test('every kind that the interface shows is added, and the result of each is told with its data', async () => {
    const sent = [
      charge('K1', { display_note: 'For the customer', note: 'Internal' }),
      charge('K2', { type: 'CREDIT', reason: 'IMPORTED_CREDIT', amount: 10 }),
      charge('K3', {
        type: 'PAYMENT',
        reason: 'ACCOUNT_CHARGE_PAYMENT',
        reference: 'P',
        payment_type: 'DD_REGULAR_COLLECTION',
      }),
      charge('K4', {
        type: 'REPAYMENT',
        reason: 'FULL_CREDIT_REFUND',
        reference: 'R',
        payment_type: 'DIRECT_CREDIT',
      }),
      {
        transaction_id: 'K5',
        transaction_date: daysAgo(1),
        amount: 53.24,
        type: 'SUPPLY_CHARGE',
        product_code: 'PRODUCT-1',
        display_note: 'Electricity',
        line_items: [
          {
            rate_band: 'CONSUMPTION_STANDARD',
            start_date: daysAgo(40),
            end_date: daysAgo(10),
            number_of_units: 4,
            net_amount: 44,
            price_per_unit: 11,
            units: [4, 8],
          },
        ],
        tax_items: [{ amount: 9.24, tax_type: 'VAT', value_taxed: 44, rate: 0.21, unit_type: 'PROPORTION' }],
      },
    ];
    const { status, body } = await add(sent);
    expect(status).toBe(201);
    expect(body.results).toHaveLength(5);
    for (const [at, result] of (body.results as Json[]).entries()) {
      expect(result['status']).toBe('TRANSACTION_ADDED_TO_ACCOUNT');
      expect(result['transaction_data']).toMatchObject({ transaction_id: sent[at]?.['transaction_id'] });
    }
  });

  test('one that was added earlier is skipped', async () => {
    await add([charge('E1')]);
    const { status, body } = await add([charge('E1'), charge('E2')]);
    expect(status).toBe(201);
    expect((body.results as Json[]).map((result) => result['status'])).toEqual([
      'TRANSACTION_ALREADY_EXISTS',
      'TRANSACTION_ADDED_TO_ACCOUNT',
    ]);
  });

  test('check_previously_added=false adds without looking', async () => {
    await add([charge('C1')]);
    const { body } = await add([charge('C1')], '?check_previously_added=false');
    expect(body.results[0].status).toBe('TRANSACTION_ADDED_TO_ACCOUNT');
  });

  test('a date outside the open period is moved into it by default, and described', async () => {
    const closed = await importedAccount(platform, { ledgers: [closedLedger()], transfer_balance: '0.00' });
    const { status, body } = await add([charge('M1', { transaction_date: daysAgo(90) })], '', closed);
    expect(status).toBe(201);
    const [{ transaction_data: data }] = body.results;
    expect(data.transaction_date).not.toBe(daysAgo(90));
    expect(data.transaction_date > daysAgo(30)).toBe(true);
    expect(JSON.stringify(data)).toContain(daysAgo(90));
  });

  test('force_add_to_current_statement=false fails instead: 400 with the first failing transaction only', async () => {
    const closed = await importedAccount(platform, { ledgers: [closedLedger()], transfer_balance: '0.00' });
    const answered = await add(
      [
        charge('F1'),
        charge('F2', { transaction_date: daysAgo(90) }),
        charge('F3', { transaction_date: daysAgo(91) }),
      ],
      '?force_add_to_current_statement=false',
      closed,
    );
    expect(answered.status).toBe(400);
    expect(answered.body).toMatchObject({
      status: 'TRANSACTION_IMPORT_ERROR',
      error_detail: expect.any(String),
      transaction_data: { transaction_id: 'F2' },
    });
    expect(answered.text).not.toContain('F3');
  });

  function closedLedger(): Json {
    return {
      ledger_code: 'ENERGY',
      ledger_balance: 0,
      last_statement_balance: 0,
      last_statement_closing_date: daysAgo(30),
    };
  }
});

describe('4 endpoint 10: historical agreements', () => {
  test('are taken for an imported account, with an empty body in the answer', async () => {
    const payload = extraPayload(account, {
      supply_point_identifier: '1200000000000',
      agreement: { effective_from: '2020-01-01', effective_to: '2021-01-01', tariff_code: 'STANDARD' },
    });
    const answered = await platform.post('agreements', payload);
    expect([200, 201]).toContain(answered.status);
    expect(answered.text).toBe('');
  });
});

describe('4 rule 7, 8.2 and 2.8: historical billing documents', () => {
  const documents = (ledger: string, type: 'ITEM_BASED' | 'PERIOD_BASED', more: Json = {}): Json =>
    extraPayload(account, {
      ledger_code: 'ENERGY',
      ledger_number: ledger,
      billing_document_type: type,
      historical_billing_documents: [
        {
          billing_document_identifier: `${ledger}-1`,
          billing_document_type: type,
          issued_date: '2023-02-01',
          transactions: [charge(`${ledger}-T1`, { transaction_date: '2023-01-15' })],
          ...(type === 'PERIOD_BASED'
            ? { bill_period_from_date: '2023-01-01', bill_period_to_date: '2023-01-31' }
            : {}),
        },
      ],
      ...more,
    });

  test.each(['ITEM_BASED', 'PERIOD_BASED'] as const)(
    '%s ones are taken, once per ledger, with an empty body',
    async (type) => {
      const first = await platform.post('billingDocuments', documents(`L-${type}`, type));
      expect([first.status, first.text]).toEqual([201, '']);
      expectInvalid(await platform.post('billingDocuments', documents(`L-${type}`, type)));
    },
  );

  test('transactions may come that are attached to no document', async () => {
    const more = {
      additional_historical_transactions: [charge('L-ADD-T2', { transaction_date: '2023-03-01' })],
    };
    expect((await platform.post('billingDocuments', documents('L-ADD', 'ITEM_BASED', more))).status).toBe(
      201,
    );
  });

  test('a PERIOD_BASED document has its period', async () => {
    const payload = documents('L-NONE', 'PERIOD_BASED');
    const [document] = payload['historical_billing_documents'] as Json[];
    delete document?.['bill_period_from_date'];
    expectInvalid(await platform.post('billingDocuments', payload));
  });
});

describe('4 endpoint 12 and 2.9: historical statements', () => {
  test('are taken, with or without a path, and come back as the validated data', async () => {
    const statement = (id: string, more: Json = {}): Json => ({
      statement_id: id,
      bill_period_from_date: '2022-01-01',
      bill_period_to_date: '2022-01-31',
      issued_date: '2022-02-02',
      number: '1',
      gross_amount: 100,
      ...more,
    });
    const payload = extraPayload(account, {
      statements: [statement('S1', { statement_path: 'path/to/statement-1.pdf' }), statement('S2')],
    });
    const answered = await platform.post('statements', payload);
    expect([200, 201]).toContain(answered.status);
    expect(answered.body).toMatchObject(payload);
  });
});

describe('4 rule 8 and 2.11: payment instruction', () => {
  const add = (to: string, reference = paymentReference) =>
    platform.post('paymentInstruction', extraPayload(to, { vendor, reference, type: 'CARD' }));

  test('answers 201 with the account number and the reference', async () => {
    const number = (await platform.get('transferStatus', account)).body.kraken_account_number;
    expect(await add(account)).toMatchObject({
      status: 201,
      body: { kraken_account_number: number, reference: paymentReference },
    });
  });

  test('persistent vendor trouble is 400; intermittent trouble is 500, and the repeat as it is passes', async () => {
    const another = await importedAccount(platform);
    expect((await add(another, 'PERSISTENT-1')).status).toBe(400);
    expect((await add(another, 'INTERMITTENT-1')).status).toBe(500);
    expect((await add(another, 'INTERMITTENT-1')).status).toBe(201);
  });
});

describe('4: whatever adds to an account', () => {
  test.each([
    ['transactions', { transactions: [charge('X1')] }],
    ['statements', { statements: [] }],
    ['paymentInstruction', { vendor, reference: paymentReference, type: 'CARD' }],
    ['agreements', {}],
  ] as const)('%s needs an account that exists', async (name, more) => {
    const { status } = await platform.post(name, extraPayload(freshAccount(), more));
    expect([400, 404]).toContain(status);
  });
});
