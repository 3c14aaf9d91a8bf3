import { describe, expect, it } from 'vitest';
import type { Answer, PostEndpoint } from '../../src/client/platform-client.ts';
import { clientOf, platform, sendJson } from './loopback.ts';

const identity = { import_supplier: 'TENTACLE_ENERGY', external_account_number: 'A-1' };
const notes = {
  ...identity,
  notes: [{ body: 'Called.\nTwice.', created_at: '2024-05-01T10:00:00Z' }, { body: 'Called.\nTwice.' }],
};
const documents = (...paths: string[]) => ({
  document_paths: paths.map((document_path) => ({ document_path })),
});
const scan = { ...identity, notes: [documents('/a/1.pdf')] };
const transactions = {
  ...identity,
  transactions: [
    { transaction_id: 'T-1', transaction_date: '2024-05-01', amount: '10.00', type: 'PAYMENT' },
    { transaction_id: 'T-2', transaction_date: '2024-05-02', amount: 5, type: 'CREDIT' },
  ],
};
const statements = {
  ...identity,
  statements: [
    { statement_id: 'S-1', gross_amount: 1 },
    { statement_id: 'S-2', gross_amount: 2 },
  ],
};
const instruction = { ...identity, vendor: 'V', reference: 'R-1', type: 'CARD' };

async function answered(
  endpoint: PostEndpoint,
  sent: object,
  status: number,
  said: unknown,
  krakenAccountNumber?: string,
): Promise<Answer<unknown>> {
  const url = await platform((_request, response) => sendJson(response, status, said));
  return clientOf(url).post(endpoint, JSON.stringify(sent), { krakenAccountNumber });
}

const added = (data: object) => ({ status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: data });

describe('an answer that names something else than the request is unknown', () => {
  it.each<[string, PostEndpoint, object, unknown]>([
    ['another account', 'validate', identity, { ...identity, external_account_number: 'A-2' }],
    ['another account', 'stage', identity, { ...identity, external_account_number: 'A-2' }],
    ['another supplier', 'stage', identity, { ...identity, import_supplier: 'OTHER' }],
    ['another supplier by its other key', 'agreements', identity, { import_supplier_code: 'OTHER' }],
    [
      'another note',
      'notes',
      notes,
      [
        { status: 'x', body: 'Other.' },
        { status: 'x', body: 'Called.\nTwice.' },
      ],
    ],
    [
      'a note of other documents',
      'notes',
      scan,
      [{ status: 'NOTE_CREATION_SUCCESS', ...documents('/a/2.pdf') }],
    ],
    [
      'documents in place of a text',
      'notes',
      { ...identity, notes: [{ body: 'B' }] },
      [{ status: 'NOTE_CREATION_SUCCESS', ...documents('/a/1.pdf') }],
    ],
    ['one note of two', 'notes', notes, [{ status: 'NOTE_CREATION_SUCCESS', body: 'Called.\nTwice.' }]],
    [
      'a note of another time',
      'notes',
      { ...identity, notes: [{ body: 'B', created_at: '2024-05-01T10:00:00Z' }] },
      [{ status: 'NOTE_CREATION_SUCCESS', body: 'B', created_at: '2024-05-01T11:00:00Z' }],
    ],
    ['another id', 'transactions', transactions, { results: [added({ transaction_id: 'T-9' }), added({})] }],
    [
      'one id twice',
      'transactions',
      transactions,
      { results: [added({ transaction_id: 'T-1' }), added({ transaction_id: 'T-1' })] },
    ],
    ['fewer results', 'transactions', transactions, { results: [] }],
    [
      'another amount',
      'transactions',
      transactions,
      { results: [added({ transaction_id: 'T-1', amount: '10.01' }), added({ transaction_id: 'T-2' })] },
    ],
    [
      'another statement',
      'statements',
      statements,
      { statements: [{ statement_id: 'S-1' }, { statement_id: 'S-3' }] },
    ],
    ['another reference', 'paymentInstruction', instruction, { reference: 'R-2' }],
  ])('%s: %s', async (_what, endpoint, sent, said) => {
    expect(await answered(endpoint, sent, 201, said)).toEqual({
      kind: 'unknown',
      cause: 'answer_mismatch',
      status: 201,
    });
  });

  it.each<[string, object, object, string?]>([
    ['with outer blanks', identity, { external_account_number: ' A-1 ' }],
    [
      'with a blank',
      { ...identity, external_account_number: 'LEG-17' },
      { external_account_number: 'LEG 17' },
    ],
    [
      'with another blank',
      { ...identity, external_account_number: 'LEG 17' },
      { external_account_number: 'LEG 71' },
    ],
    ['in other letters', identity, { external_account_number: 'a-1' }],
    ['with a supplier that has a blank', identity, { ...identity, import_supplier: 'TENTACLE ENERGY' }],
    [
      'with two platform numbers',
      identity,
      { ...identity, kraken_account_number: 'K-1', account_number: 'K-2' },
    ],
    [
      'with a platform number that has a blank',
      identity,
      { ...identity, kraken_account_number: 'K 1' },
      'K-1',
    ],
  ])('an account %s', async (_what, sent, said, number) => {
    expect(await answered('stage', sent, 200, { ...identity, ...said }, number)).toMatchObject({
      kind: 'unknown',
      cause: 'answer_mismatch',
    });
  });

  it.each(['K 1', 'null', 'undefined', '<html>', '', ' K-1', 'K-1\n', 'x'.repeat(129)])(
    'a platform number in no such form: %j',
    async (number) => {
      const said = { ...identity, kraken_account_number: number };
      expect(await answered('process', identity, 201, said)).toMatchObject({ kind: 'unknown' });
    },
  );

  it('another platform number', async () => {
    const said = { kraken_account_number: 'K-2', reference: 'R-1' };
    expect(await answered('paymentInstruction', instruction, 201, said, 'K-1')).toMatchObject({
      cause: 'answer_mismatch',
    });
    expect(await answered('paymentInstruction', instruction, 201, said, 'K-2')).toMatchObject({ kind: 'ok' });
  });

  it("validate's answer, where stage was asked: it was sent twice", async () => {
    const payload = { ...identity, ledgers: [] };
    expect(await answered('stage', payload, 200, payload)).toMatchObject({
      kind: 'unknown',
      cause: 'unrecognised_answer',
    });
    expect(await answered('stage', payload, 200, { ...identity, more: 1 })).toMatchObject({ kind: 'ok' });
  });

  it.each<[string, PostEndpoint, object, object]>([
    ['account', 'stage', identity, { external_account_number: 'A-2', code: 'x', detail: 'No.' }],
    [
      'transaction',
      'transactions',
      transactions,
      {
        status: 'TRANSACTION_IMPORT_ERROR',
        error_detail: 'No.',
        transaction_data: { transaction_id: 'T-9' },
      },
    ],
    [
      'endpoint',
      'statements',
      statements,
      {
        status: 'TRANSACTION_IMPORT_ERROR',
        error_detail: 'No.',
        transaction_data: { transaction_id: 'T-1' },
      },
    ],
    [
      'process request, which was a dry run',
      'process',
      identity,
      { detail: 'Account would successfully import. Rolled back due to Dry Run.' },
    ],
  ])('also a refusal of another %s', async (_what, endpoint, sent, said) => {
    expect(await answered(endpoint, sent, 400, said)).toMatchObject({
      kind: 'unknown',
      cause: 'answer_mismatch',
    });
  });
});

describe('an answer is about the request', () => {
  it('where a dry run is told that the account would import', async () => {
    const said = { detail: 'Account would successfully import. Rolled back due to Dry Run.' };
    expect(await answered('process', { ...identity, dry_run: true }, 400, said)).toMatchObject({
      kind: 'refused',
      refusal: { wouldImport: true },
    });
  });

  it.each<[string, PostEndpoint, object, unknown]>([
    [
      'with lines ended another way, in another order, and a time given by default',
      'notes',
      notes,
      [
        { status: 'NOTE_CREATION_SUCCESS', body: 'Called.\r\nTwice.', created_at: '2026-01-01T00:00:00Z' },
        {
          status: 'NOTE_CREATION_SUCCESS',
          body: 'Called.\nTwice. ',
          created_at: '2024-05-01T12:00:00+02:00',
        },
      ],
    ],
    [
      'with a document that lies elsewhere now',
      'notes',
      scan,
      [{ status: 'NOTE_CREATION_SUCCESS', body: '', ...documents('/store/1.pdf') }],
    ],
    ['without the documents', 'notes', scan, [{ status: 'NOTE_CREATION_SUCCESS', body: null }]],
    [
      'with exact decimals written otherwise, a moved date, in another order',
      'transactions',
      transactions,
      {
        results: [
          added({ transaction_id: 'T-2', amount: '5.00', transaction_date: '2025-01-01' }),
          added({ transaction_id: 'T-1', amount: 10 }),
        ],
      },
    ],
    ['with nothing of it', 'transactions', transactions, { results: [added({}), added({})] }],
    ['with its statements', 'statements', statements, { statements: statements.statements.toReversed() }],
    [
      'with fields that nobody knows',
      'paymentInstruction',
      instruction,
      { reference: 'R-1', status: 'ACTIVE' },
    ],
  ])('%s: %s', async (_what, endpoint, sent, said) => {
    expect(await answered(endpoint, sent, 201, said)).toMatchObject({ kind: 'ok' });
  });

  it('where a refusal has a message under the name of a field', async () => {
    const said = { external_account_number: ['This field is too long.'], code: 'invalid' };
    expect(await answered('stage', identity, 400, said)).toMatchObject({ kind: 'refused' });
  });
});
