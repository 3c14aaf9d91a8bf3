import { describe, expect, it } from 'vitest';
import { accountPayload } from '../../src/contract/schemas/account.ts';
import { transactionsPayload } from '../../src/contract/schemas/transactions.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { changedFields as changedIn, fieldPrints } from '../../src/pipeline/steps/field-prints.ts';

const changedFields = (entries: readonly { readonly prints?: string }[], content: JsonObject) =>
  changedIn(entries, content, accountPayload);

const sent = (content: JsonObject) => [{ prints: fieldPrints(content) }];

const account = {
  account_type: 'DOMESTIC',
  customers: [{ given_name: 'Ann', email: 'ann@example.com' }],
  ledgers: [{ ledger_code: 'ENERGY', ledger_balance: 1.5 }],
};

describe('the prints of fields', () => {
  it('name the fields that changed, those that are new, and those that are gone', () => {
    expect(changedFields(sent(account), account)).toMatchObject({ paths: [], gone: 0 });
    const now = {
      customers: [{ given_name: 'Ann', email: 'other@example.com', landline: '+49301234567' }],
      ledgers: account.ledgers,
    };
    expect(changedFields(sent(account), now)).toEqual({
      paths: ['customers.0.email', 'customers.0.landline', 'account_type'],
      same: 3,
      gone: 0,
    });
    const open = (value: JsonObject) => ({ ...account, metadata: [{ key: 'old', value }] });
    expect(changedFields(sent(open({ a: 1, b: 2 })), open({ a: 1 }))).toMatchObject({ paths: [], gone: 1 });
  });

  it('find an item by its id, wherever it stands', () => {
    const ledgers = [
      { ledger_code: 'GAS', ledger_balance: 7 },
      ...account.ledgers.map((l) => ({ ...l, ledger_balance: 2 })),
    ];
    expect(changedFields(sent(account), { ...account, ledgers })?.paths).toEqual([
      'ledgers.0.ledger_code',
      'ledgers.0.ledger_balance',
      'ledgers.1.ledger_balance',
    ]);
  });

  describe('of a request with many fields', () => {
    const row = (at: number) => ({
      transaction_id: `T${at}`,
      transaction_date: '2024-01-31',
      amount: `${at}.50`,
      type: 'PAYMENT',
      ...(at % 3 === 0 ? { note: `note ${at}` } : {}),
    });
    const rows = (count: number, from = 0) => Array.from({ length: count }, (_, at) => row(from + at));
    const named = (before: readonly JsonObject[], now: readonly JsonObject[]) =>
      changedIn(sent({ transactions: [...before] }), { transactions: [...now] }, transactionsPayload);

    it('name the field as well, wherever its record stands', () => {
      const now: JsonObject[] = rows(120).reverse();
      now[7] = { ...now[7], amount: '7.77' };
      const { note, ...without } = row(99);
      now[20] = without;
      now[30] = { ...now[30], reference: 'R1' };
      expect(note).toBe('note 99');
      const found = named(rows(120), now);
      expect(new Set(found?.paths)).toEqual(
        new Set(['transactions.7.amount', 'transactions.20.note', 'transactions.30.reference']),
      );
      expect(found).toMatchObject({ gone: 0 });
    });

    it('are compared with those of a smaller request beside it', () => {
      const entries = [...sent({ transactions: rows(60) }), ...sent({ transactions: rows(2, 60) })];
      const now: JsonObject[] = rows(62);
      now[3] = { ...now[3], type: 'CREDIT' };
      now[61] = { ...now[61], transaction_date: '2024-02-01' };
      expect(changedIn(entries, { transactions: now }, transactionsPayload)?.paths).toEqual([
        'transactions.3.type',
        'transactions.61.transaction_date',
      ]);
    });

    it('take a quarter of the room that names take', () => {
      expect(fieldPrints({ transactions: rows(100) }).length).toBeLessThan(100 * 10);
    });

    it('are those of the upper levels where there are very many', () => {
      const many = (note: string) => ({
        ledgers: [{ ledger_code: 'ENERGY', rows: [...rows(900), { note }] }],
      });
      expect(changedFields(sent(many('x')), many('y'))?.paths).toEqual(['ledgers.0.rows']);
      expect(fieldPrints(many('x')).length).toBeLessThan(300);
    });
  });

  it('say nothing of a request that has none', () => {
    expect(changedFields([{}], account)).toBeUndefined();
    expect(changedFields([{ prints: 'abcdeabcde' }], account)).toBeUndefined();
  });
});
