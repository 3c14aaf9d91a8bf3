import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Journal } from '../../src/journal/journal.ts';
import { faultsIn } from '../../src/journal/sqlite/check-journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { concludeSupplier } from '../../src/pipeline/account/conclusions.ts';
import { collect } from '../journal/conformance/collect.ts';
import { lost, ok, planOf, refused, Harness, supplier } from './harness.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

const platform = 'https://platform.example';
const agreement = { agreements: [{ agreement: { tariff_code: 'A' } }] };
const payment = { 'payment-instruction': [{ vendor: 'V', reference: 'r', type: 'CARD' }] };
const note = { notes: [{ notes: [{ body: 'a', created_at: '2026-01-01T00:00:00Z' }] }] };

async function inJournal<T>(work: (journal: Journal) => Promise<T>): Promise<T> {
  const journal = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: false });
  try {
    return await work(journal);
  } finally {
    await journal.close();
  }
}

const found = () => inJournal((journal) => journal.find(platform, { supplier, account: '1' }));
const concluded = (isHarmless500 = false) =>
  inJournal((journal) =>
    concludeSupplier(journal, { platform, supplier }, { at: harness.clock.now(), isHarmless500 }),
  );

/** As earlier versions took it: the refusal of the repetition is the refusal of the part. */
function takenForRefused(step: 'notes' | 'agreements' | 'payment-instruction', code: string, first?: number) {
  return inJournal(async (journal) => {
    const { id, parts } = await journal.open(platform, { supplier, account: '1' });
    const part = parts.find((one) => one.step === step);
    if (part === undefined) throw new Error('nothing of the step was sent');
    const ref = { accountId: id, step, part: part.part };
    const at = harness.clock.now();
    const lostOne = { state: 'sent', outcome: 'unknown', status: first, at } as const;
    await journal.recordSent(ref, { hash: part.hash, run: 1, at }, lostOne);
    const refusal = { state: 'refused', outcome: 'refused', status: 400, code, at } as const;
    await journal.recordSent(ref, { hash: part.hash, run: 1, at }, refusal);
    await journal.change(id, { state: 'rejected', code, steps: { [step]: 'refused' } });
  });
}

it('a note that was refused after a lost answer is open again, and the next run settles it', async () => {
  harness.platform.answers('notes', refused('invalid_note'));
  await harness.run([planOf('1', note)]);
  await takenForRefused('notes', 'invalid_note');
  expect(await concluded()).toEqual({ rejected: 1, others: 0, uncertain: 0 });
  expect(await found()).toMatchObject({ state: 'imported', code: '', steps: { notes: 'pending' } });
  harness.platform.answers('notes', ok([{ status: 'NOTE_ALREADY_EXISTS' }]));
  expect(await harness.run([planOf('1', note)])).toMatchObject({ exit: 0, accounts: { completed: 1 } });
  expect([...faultsIn(harness.journalFile)]).toEqual([]);
});

it('one that is refused again is uncertain then, and not rejected', async () => {
  harness.platform.answers('notes', refused('invalid_note'));
  await harness.run([planOf('1', note)]);
  await takenForRefused('notes', 'invalid_note');
  await concluded();
  harness.platform.answers('notes', refused('invalid_note'));
  expect(await harness.run([planOf('1', note)])).toMatchObject({ exit: 8, accounts: { uncertain: 1 } });
});

it.each([
  ['agreements', 'agreements', agreement],
  ['payment-instruction', 'paymentInstruction', payment],
] as const)(
  '%s that were refused after a lost answer wait for a person, and nothing is sent',
  async (step, endpoint, extra) => {
    harness.platform.answers(endpoint, refused('invalid'));
    await harness.run([planOf('1', extra)]);
    await takenForRefused(step, 'invalid');
    const sent = harness.platform.times(endpoint);
    expect(await concluded()).toEqual({ rejected: 1, others: 0, uncertain: 1 });
    expect(await found()).toMatchObject({
      state: 'uncertain',
      code: 'invalid',
      steps: { [step]: 'uncertain' },
    });
    expect(await harness.run([planOf('1', extra)])).toMatchObject({ exit: 8, requests: 0 });
    expect(harness.platform.times(endpoint)).toBe(sent);
  },
);

it('a refusal after a 500 stands where the tenancy is known to do nothing then', async () => {
  harness.platform.answers('paymentInstruction', refused('invalid'));
  await harness.run([planOf('1', payment)]);
  await takenForRefused('payment-instruction', 'invalid', 500);
  expect(await concluded(true)).toEqual({ rejected: 0, others: 0, uncertain: 0 });
  expect(await concluded()).toMatchObject({ rejected: 1 });
});

it('what was refused at once, what a person ruled on and what conflicts stays as it is', async () => {
  harness.platform.answers('notes', refused('invalid_note'));
  await harness.run([planOf('1', note)]);
  expect(await concluded()).toEqual({ rejected: 0, others: 0, uncertain: 0 });
  await takenForRefused('notes', 'transaction_differs');
  expect(await concluded()).toEqual({ rejected: 0, others: 0, uncertain: 0 });
  await inJournal(async (journal) => {
    const { id } = await journal.open(platform, { supplier, account: '1' });
    const ref = { accountId: id, step: 'notes', part: 0 } as const;
    await journal.settle(ref, { state: 'refused', outcome: 'ruling', at: harness.clock.now() });
  });
  expect(await concluded()).toEqual({ rejected: 0, others: 0, uncertain: 0 });
  expect(await found()).toMatchObject({ state: 'rejected' });
});

it('the earlier conclusion stays among the attempts', async () => {
  harness.platform.answers('agreements', lost());
  await harness.run([planOf('1', agreement)]);
  await takenForRefused('agreements', 'invalid');
  await concluded();
  const attempts = await inJournal(async (journal) =>
    collect(journal.attempts((await journal.open(platform, { supplier, account: '1' })).id)),
  );
  expect(
    attempts
      .filter(({ step }) => step === 'agreements')
      .map(({ state }) => state)
      .slice(-3),
  ).toEqual(['sent', 'refused', 'uncertain']);
});
