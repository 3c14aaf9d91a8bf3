import { describe, expect, it } from 'vitest';
import { accountPayload } from '../../src/contract/schemas/account.ts';
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

  it('are those of the upper levels where there are many fields', () => {
    const many = (note: string) => ({
      ledgers: [{ ledger_code: 'ENERGY', rows: Array.from({ length: 70 }, (_, at) => ({ at, note })) }],
    });
    expect(changedFields(sent(many('x')), many('y'))?.paths).toEqual(['ledgers.0.rows']);
    expect(fieldPrints(many('x')).length).toBeLessThan(300);
  });

  it('say nothing of a request that has none', () => {
    expect(changedFields([{}], account)).toBeUndefined();
    expect(changedFields([{ prints: 'abcdeabcde' }], account)).toBeUndefined();
  });
});
