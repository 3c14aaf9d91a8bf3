import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import { MoneySum, readMoney } from '../../src/domain/money.ts';
import type { PartState } from '../../src/domain/step-state.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { lost, ok, planOf, refused, Harness, serverError, supplier } from './harness.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

const charge = (id: string, amount: string): JsonObject => ({
  transaction_id: id,
  transaction_date: '2024-01-01',
  amount,
  type: 'CHARGE',
});
const charges = (...all: JsonObject[]) => ({ transactions: [{ transactions: all }] });
const existing = (...all: JsonObject[]) =>
  all.map((one) => ({ status: 'TRANSACTION_ALREADY_EXISTS', transaction_data: one }));
const added = (...all: JsonObject[]) =>
  all.map((one) => ({ status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: one }));

/** What the parts in these states carry, by kind; 'unknown' where that of one is not known. */
async function carried(...states: PartState[]): Promise<Record<string, string> | 'unknown'> {
  const journal = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: false });
  const entry = await journal.find('https://platform.example', { supplier, account: '1' });
  await journal.close();
  const sum = new MoneySum();
  for (const { state, money } of entry?.parts ?? []) {
    if (!states.includes(state)) continue;
    const read = readMoney(money);
    if (read === undefined) return 'unknown';
    sum.addAll(read);
  }
  return Object.fromEntries([...sum.totals].map(([kind, amount]) => [kind, amount.toFixed()]));
}

describe('the money of what was sent', () => {
  it('is that of every request that the platform took', async () => {
    const account = { transfer_balance: '-5.00', ledgers: [{ ledger_code: 'ENERGY', ledger_balance: -5 }] };
    const statements = [1, 2].map((n) => ({
      statement_id: `S${n}`,
      bill_period_from_date: '2024-01-01',
      bill_period_to_date: '2024-01-31',
      gross_amount: n + 0.25,
    }));
    const document = {
      billing_document_identifier: 'D',
      billing_document_type: 'ITEM_BASED',
      issued_date: '2024-01-01',
      transactions: [charge('d', '100')],
    };
    const extras = {
      ...charges(charge('a', '0.10'), charge('b', '0.20')),
      statements: [{ statements }],
      'billing-documents': [
        {
          ledger_code: 'ENERGY',
          billing_document_type: 'ITEM_BASED',
          historical_billing_documents: [document],
        },
      ],
    };
    expect(await harness.run([planOf('1', extras, account)])).toMatchObject({ accounts: { completed: 1 } });
    expect(await carried('done')).toEqual({
      transfer_balance: '-5',
      ledger_balance: '-5',
      CHARGE: '100.3',
      gross_amount: '3.5',
    });
  });

  it('is unconfirmed while an answer is missing, and that of a refused item is neither', async () => {
    const both = charges(charge('a', '1'), charge('b', '2'));
    harness.platform.answers('transactions', ...Array.from({ length: 3 }, () => lost()));
    await harness.run([planOf('1', both)]);
    expect(await carried('sent', 'uncertain')).toEqual({ CHARGE: '3' });
    expect(await carried('done')).toEqual({});
    harness.platform.answers(
      'transactions',
      refused('invalid'),
      ok({ results: added(charge('a', '1')) }),
      refused('invalid'),
    );
    await harness.run([planOf('1', both)]);
    expect(await carried('done')).toEqual({ CHARGE: '1' });
    // Of b an earlier attempt may have arrived, whatever the last one was told.
    expect(await carried('sent', 'uncertain')).toEqual({ CHARGE: '2' });
  });

  it('is counted once where items are sent again among others', async () => {
    const [a, b, c, d] = [charge('a', '1'), charge('b', '2'), charge('c', '4'), charge('d', '8')];
    await harness.run([planOf('1', charges(a, b))]);
    harness.platform.answers('transactions', ok({ results: [...existing(a), ...added(c), ...existing(b)] }));
    await harness.run([planOf('1', charges(a, c, b))]);
    expect(await carried('done')).toEqual({ CHARGE: '7' });
    // b has left the export and stays on the platform.
    harness.platform.answers('transactions', ok({ results: [...existing(a), ...added(d), ...existing(c)] }));
    await harness.run([planOf('1', charges(a, d, c))]);
    expect(await carried('done')).toEqual({ CHARGE: '15' });
  });

  it('is known also where an answer was lost: what was sent before is not sent again', async () => {
    const [a, b, c] = [charge('a', '1'), charge('b', '2'), charge('c', '4')];
    await harness.run([planOf('1', charges(a, b))]);
    harness.platform.answers('transactions', serverError, ok({ results: existing(c) }));
    await harness.run([planOf('1', charges(a, c, b))]);
    expect(await carried('done')).toEqual({ CHARGE: '7' });
  });

  it("is not known of another's account that is adopted", async () => {
    harness.platform.answers(
      'process',
      refused('account_import_process_already_imported', '', { krakenAccountNumber: 'A-9' }),
    );
    const plan = planOf('1', {}, { transfer_balance: '5' });
    expect(await harness.run([plan], { adopt: true })).toMatchObject({ accounts: { completed: 1 } });
    expect(await carried('done')).toBe('unknown');
  });
});
