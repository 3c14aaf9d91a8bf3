import { afterEach, beforeEach, expect, it } from 'vitest';
import { stepNames } from '../../src/domain/steps.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { takeForCorrected } from '../../src/pipeline/account/rulings.ts';
import { Harness, ok, planOf, refused, supplier } from './harness.ts';

const platform = 'https://platform.example';
let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

async function inJournal<T>(work: (journal: Journal) => Promise<T>): Promise<T> {
  const journal = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: false });
  try {
    return await work(journal);
  } finally {
    await journal.close();
  }
}

/** Whether a person's word that the changes were made by hand is taken. */
const isTaken = (): Promise<boolean> =>
  inJournal(async (journal) => {
    const entry = await journal.find(platform, { supplier, account: '1' });
    return entry !== undefined && takeForCorrected(journal, entry, { by: undefined, at: 0 });
  });

const notes = (body: string) => ({ notes: [{ notes: [{ body }] }] });
const sent = { transaction_id: 'T', transaction_date: '2024-01-01', amount: '1.00', type: 'CHARGE' };
const transaction = (amount: string) => ({ transactions: [{ transactions: [{ ...sent, amount }] }] });
const payment = { 'payment-instruction': [{ vendor: 'V', reference: 'r', type: 'CARD' }] };
const changed = planOf('1', notes('a'), { account_type: 'BUSINESS' });

it('is taken for a change of what was sent', async () => {
  await harness.run([planOf('1', notes('a'))]);
  await harness.run([changed]);
  expect(await isTaken()).toBe(true);
  expect(await harness.run([changed])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
});

it('is not taken while a step is still to be sent, which is then sent', async () => {
  const steps = new Set(stepNames.filter((step) => step !== 'notes'));
  await harness.run([planOf('1', notes('a'))], { steps });
  await harness.run([changed], { steps });
  expect(await isTaken()).toBe(false);
  await harness.run([changed]);
  expect(harness.platform.times('notes')).toBe(1);
  expect(await isTaken()).toBe(true);
});

it('is not taken where another step was refused for something else', async () => {
  await harness.run([planOf('1', transaction('1.00'))]);
  const there = { status: 'TRANSACTION_ALREADY_EXISTS', transaction_data: sent };
  harness.platform.answers('transactions', ok({ results: [there] }));
  harness.platform.answers('paymentInstruction', refused('unknown_vendor'));
  await harness.run([planOf('1', { ...transaction('2.00'), ...payment })]);
  expect(harness.events.at(-1)).toMatchObject({ state: 'rejected', code: 'changed_after_import' });
  expect(await isTaken()).toBe(false);
  expect((await harness.entry('1'))?.steps['payment-instruction']).toBe('refused');
});
