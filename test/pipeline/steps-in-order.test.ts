import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planOf, Harness } from './harness.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

const everything = {
  notes: [{ notes: [{ body: 'one' }] }],
  transactions: [
    {
      transactions: [{ transaction_id: '1', transaction_date: '2024-01-01', amount: '1.00', type: 'CHARGE' }],
    },
  ],
  agreements: [{ agreements: [] }],
  'billing-documents': [
    {
      ledger_code: 'ELECTRICITY',
      billing_document_type: 'ITEM_BASED',
      historical_billing_documents: [
        { billing_document_identifier: 'b1', billing_document_type: 'ITEM_BASED', issued_date: '2024-01-01' },
      ],
    },
  ],
  statements: [
    {
      statements: [
        { statement_id: 's1', bill_period_from_date: '2024-01-01', bill_period_to_date: '2024-02-01' },
      ],
    },
  ],
  'payment-instruction': [{ vendor: 'V', reference: 'r', type: 'CARD' }],
};

describe('a run', () => {
  it('drives the nine steps of an account in their order and completes it', async () => {
    const result = await harness.run([planOf('1', everything)]);
    expect(harness.platform.asked.map((request) => request.endpoint)).toEqual([
      'validate',
      'stage',
      'process',
      'notes',
      'transactions',
      'statements',
      'billingDocuments',
      'agreements',
      'paymentInstruction',
    ]);
    expect(result).toMatchObject({ exit: 0, accounts: { total: 1, completed: 1 }, requests: 9, retries: 0 });
    expect(harness.events).toContainEqual({
      type: 'account',
      supplier: 'TENTACLE_ENERGY',
      account: '1',
      state: 'completed',
      code: '',
      krakenAccountNumber: 'A-1',
      driven: true,
      wouldImport: false,
    });
  });

  it('sends nothing when everything is done', async () => {
    await harness.run([planOf('1', everything), planOf('2')]);
    const asked = harness.platform.asked.length;
    const again = await harness.run([planOf('1', everything), planOf('2')]);
    expect(harness.platform.asked).toHaveLength(asked);
    expect(again).toMatchObject({ exit: 0, requests: 0, accounts: { total: 2, completed: 2 } });
  });

  it('sends what was added to the notes since, and nothing else', async () => {
    await harness.run([planOf('1', everything)]);
    const asked = harness.platform.asked.length;
    const notes = [{ notes: [{ body: 'one' }, { body: 'two' }] }];
    await harness.run([planOf('1', { ...everything, notes })]);
    expect(harness.platform.asked.slice(asked)).toEqual([
      { endpoint: 'notes', body: expect.objectContaining({ notes: [{ body: 'two' }] }) },
    ]);
  });

  it('cuts long lists into requests of the configured size', async () => {
    const notes = [{ notes: ['a', 'b', 'c', 'd', 'e'].map((body) => ({ body })) }];
    await harness.run([planOf('1', { notes })], {
      requestSizes: { notes: 2, transactions: 1, statements: 1 },
    });
    expect(harness.platform.bodies('notes').map((body) => (body['notes'] as unknown[]).length)).toEqual([
      2, 2, 1,
    ]);
  });

  it('takes up a list again where it stopped, also with another request size', async () => {
    const notes = [{ notes: ['a', 'b', 'c', 'd', 'e'].map((body) => ({ body })) }];
    harness.platform.onRequest = () => {
      if (harness.platform.times('notes') === 1) harness.stop.stop('interrupt');
    };
    const first = await harness.run([planOf('1', { notes })], {
      requestSizes: { notes: 2, transactions: 1, statements: 1 },
    });
    expect(first).toMatchObject({ exit: 6, accounts: { imported: 1 } });
    harness.platform.onRequest = () => undefined;
    const second = await harness.run([planOf('1', { notes })]);
    expect(second).toMatchObject({ exit: 0, accounts: { completed: 1 } });
    const sent = harness.platform
      .bodies('notes')
      .flatMap((body) => (body['notes'] as { body: string }[]).map((note) => note.body));
    expect(sent).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('drives no more accounts than its limit, and says that work is left', async () => {
    const plans = [planOf('1'), planOf('2'), planOf('3')];
    expect(await harness.run(plans, { limit: 2 })).toMatchObject({
      exit: 6,
      accounts: { completed: 2, pending: 1, total: 3 },
    });
    expect(await harness.run(plans, { limit: 2 })).toMatchObject({ exit: 0, accounts: { completed: 3 } });
  });

  it('goes as far as the steps that were asked for', async () => {
    const plan = planOf('1', everything);
    expect(await harness.run([plan], { steps: new Set(['validate', 'stage']) })).toMatchObject({
      exit: 0,
      accounts: { staged: 1 },
    });
    expect(harness.platform.times('process')).toBe(0);
    expect(await harness.run([plan], { steps: new Set(['process', 'notes']) })).toMatchObject({
      accounts: { imported: 1 },
    });
    expect(harness.platform.times('stage')).toBe(1);
    expect(await harness.run([plan])).toMatchObject({ accounts: { completed: 1 } });
    expect(harness.platform.times('notes')).toBe(1);
  });
});
