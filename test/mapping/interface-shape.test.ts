import { describe, expect, test } from 'vitest';
import { builtInMapping } from '../../src/mapping/built-in.ts';
import { planOf, type Files } from './bundles.ts';

const id = { import_supplier: 'TENTACLE_ENERGY', external_account_number: 'A1' };

function plan(files: Files, supplier?: string) {
  return planOf(builtInMapping(Object.keys(files), supplier === undefined ? {} : { supplier }), files, 'A1');
}

describe("an account in the interface's own shape", () => {
  test('is sent as it stands, unknown fields and all', () => {
    const account = { ...id, customers: [{ given_name: 'Ann', unheard_of: 1 }], transfer_balance: 1.5 };
    const { payload, key, problems, extras } = plan({ 'accounts.ndjson': [account] });
    expect(payload).toEqual(account);
    expect(key).toEqual({ supplier: 'TENTACLE_ENERGY', account: 'A1' });
    expect(problems).toEqual([]);
    expect(Object.values(extras).every((payloads) => payloads.length === 0)).toBe(true);
  });

  test('has its several records of notes, transactions and statements joined in file order', () => {
    const { extras } = plan({
      'accounts.json': [id],
      'notes.json': [
        { ...id, notes: [{ body: 'one' }, { body: 'two' }] },
        { ...id, external_account_number: 'B', notes: [{ body: 'not mine' }] },
        { ...id, notes: [{ body: 'three' }], surprise: true },
      ],
      'historical_statements.ndjson': [{ ...id, statements: [{ statement_id: 'S1' }] }],
    });
    expect(extras.notes).toEqual([
      { ...id, notes: [{ body: 'one' }, { body: 'two' }, { body: 'three' }], surprise: true },
    ]);
    expect(extras.statements).toEqual([{ ...id, statements: [{ statement_id: 'S1' }] }]);
  });

  test('has a payload for each record of agreements, billing documents and payment instructions', () => {
    const { extras } = plan({
      'accounts.ndjson': [id],
      'historical_agreements.ndjson': [
        { ...id, tariff: { code: 'T1' } },
        { ...id, tariff: { code: 'T2' } },
      ],
      'historical_billing_documents.json': [{ ...id, ledger_code: 'ELECTRICITY' }],
      'payment_instructions.json': [{ external_account_number: 'A1', vendor: 'acme' }],
    });
    expect(extras.agreements).toEqual([
      { ...id, tariff: { code: 'T1' } },
      { ...id, tariff: { code: 'T2' } },
    ]);
    expect(extras['billing-documents']).toEqual([{ ...id, ledger_code: 'ELECTRICITY' }]);
    expect(extras['payment-instruction']).toEqual([{ ...id, vendor: 'acme' }]);
  });

  test('keeps what should be an array and is not, for the check to find', () => {
    const { extras } = plan({
      'accounts.ndjson': [id],
      'notes.ndjson': [{ ...id, notes: 'hello' }, id],
      'transactions.ndjson': [id],
    });
    expect(extras.notes).toEqual([{ ...id, notes: ['hello'] }]);
    expect(extras.transactions).toEqual([id]);
  });

  test('is traced to the record and the path within it', () => {
    const built = plan({
      'accounts.ndjson': [
        { ...id, external_account_number: 'X' },
        { ...id, customers: [{ landline: '1' }] },
      ],
      'notes.ndjson': [
        { ...id, notes: [{ body: 'one' }, { body: 'two' }] },
        { ...id, notes: [{ body: 'three' }] },
      ],
      'payment_instructions.ndjson': [{ ...id, vendor: 'acme' }, { external_account_number: 'A1' }],
    });
    const at = (file: string, line: number, column: string) => ({ file, line, column });
    expect(built.locate('stage', 'customers.0.landline')).toEqual(
      at('accounts.ndjson', 2, 'customers.0.landline'),
    );
    expect(built.locate('stage', '')).toEqual(at('accounts.ndjson', 2, ''));
    expect(built.locate('notes', 'notes.1.body')).toEqual(at('notes.ndjson', 1, 'notes.1.body'));
    expect(built.locate('notes', 'notes.2.body')).toEqual(at('notes.ndjson', 2, 'notes.0.body'));
    expect(built.locate('payment-instruction', 'reference', 1)).toEqual(
      at('payment_instructions.ndjson', 2, 'reference'),
    );
    expect(built.locate('payment-instruction', 'import_supplier', 1)).toEqual(
      at('accounts.ndjson', 2, 'import_supplier'),
    );
    expect(built.locate('transactions', 'transactions.0')).toEqual(at('accounts.ndjson', 2, ''));
  });

  test('gets its supplier from the options where it names none, and its extra data with it', () => {
    const bare = { external_account_number: 'A1' };
    const files = { 'accounts.ndjson': [bare], 'notes.ndjson': [{ ...bare, notes: [{ body: 'one' }] }] };
    const built = plan(files, 'OTHER');
    expect(built.payload).toEqual({ import_supplier: 'OTHER', external_account_number: 'A1' });
    expect(built.extras.notes).toMatchObject([{ import_supplier: 'OTHER' }]);
    expect(plan(files).problems).toMatchObject([
      {
        code: 'missing_import_supplier',
        cell: { file: 'accounts.ndjson', line: 1, column: 'import_supplier' },
      },
    ]);
  });

  test('may have its notes in flat CSV', () => {
    const files = {
      'accounts.ndjson': [id],
      'notes.csv': ['external_account_number,body,is_pinned', 'A1,Hello,true'],
      'transactions.csv': [
        'external_account_number,transaction_id,transaction_date,amount,type',
        'A1,T1,2024-01-01,1,CHARGE',
      ],
      'tax_items.csv': ['external_account_number,transaction_id,amount', 'A1,T1,0.2'],
    };
    const { extras, problems } = plan(files);
    expect(problems).toEqual([]);
    expect(extras.notes).toEqual([{ ...id, notes: [{ body: 'Hello', is_pinned: true }] }]);
    expect(extras.transactions).toMatchObject([{ transactions: [{ tax_items: [{ amount: 0.2 }] }] }]);
  });

  test('may stand in .jsonl files', () => {
    const { key, extras } = plan({
      'accounts.jsonl': [id],
      'notes.jsonl': [{ ...id, notes: [{ body: 'a' }] }],
    });
    expect(key.account).toBe('A1');
    expect(extras.notes).toHaveLength(1);
  });
});

describe('a single file', () => {
  const single = (files: Files) =>
    planOf(builtInMapping(Object.keys(files), { isSingleFile: true }), files, 'A1').payload;

  test('is the accounts file, whatever its name', () => {
    expect(single({ 'mybook.ndjson': [id] })).toEqual(id);
    expect(single({ 'notes.json': [id] })).toEqual(id);
    expect(
      single({ 'notes.csv': ['external_account_number,import_supplier', 'A1,TENTACLE_ENERGY'] }),
    ).toEqual(id);
  });
});
