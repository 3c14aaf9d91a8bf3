import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import { Harness, ok, planOf } from './harness.ts';

let harness: Harness;
beforeEach(() => void (harness = new Harness()));
afterEach(() => harness.dispose());

const charge = {
  ...{ transaction_id: 't', transaction_date: '2024-01-31', amount: '10.50', type: 'CHARGE' },
  ...{ reference: '0017', note: 'as it was' },
};
const other = { ...charge, transaction_id: 'u' };
const transactions = (...items: JsonObject[]) => planOf('1', { transactions: [{ transactions: items }] });
const there = (...echoed: JsonObject[]) =>
  ok({
    results: echoed.map((data) => ({ status: 'TRANSACTION_ALREADY_EXISTS', transaction_data: data })),
  });
const problems = () =>
  harness.events.flatMap((event) =>
    event.type === 'problem' ? [`${event.problem.code} ${event.problem.path}`] : [],
  );

describe('a transaction that changed in the export after it was sent', () => {
  beforeEach(async () => {
    await harness.run([transactions(charge, other)]);
  });

  it.each<[string, JsonObject, string[]]>([
    ['its date', { transaction_date: '2024-01-30' }, ['transaction_date']],
    ['its reference', { reference: '0018' }, ['reference']],
    ['its note', { note: 'another' }, ['note']],
    ['two of its details', { reference: '18', note: 'another' }, ['reference', 'note']],
    ['its date and its note', { transaction_date: '2024-01-30', note: 'x' }, ['transaction_date', 'note']],
  ])('is named by %s', async (_what, change, members) => {
    harness.platform.answers('transactions', there(charge));
    expect(await harness.run([transactions({ ...charge, ...change }, other)])).toMatchObject({
      ...{ exit: 3, requests: 1 },
      accounts: { rejected: 1 },
    });
    expect(problems()).toEqual(members.map((name) => `changed_after_import transactions.0.${name}`));
    expect(harness.events.at(-1)).toMatchObject({ code: 'changed_after_import' });
  });

  it.each<[string, JsonObject, JsonObject, string]>([
    ['has a detail that the platform does not name', charge, { display_note: 'new' }, 'display_note'],
    ['is named by the platform with its id alone', { transaction_id: 't' }, { note: 'another' }, 'note'],
    ['is in a form of the platform’s own', { ...charge, note: 'AS IT WAS' }, { note: 'another' }, 'note'],
  ])('is named by its field, which the journal tells, if it %s', async (_what, echoed, change, member) => {
    harness.platform.answers('transactions', there(echoed));
    expect(await harness.run([transactions({ ...charge, ...change }, other)])).toMatchObject({ exit: 3 });
    expect(problems()).toEqual([`changed_after_import transactions.0.${member}`]);
  });

  it('is not said to have been moved by the platform, and a date that was moved is not said to have changed', async () => {
    harness.platform.answers('transactions', there({ ...charge, transaction_date: '2024-02-01' }));
    await harness.run([transactions({ ...charge, note: 'another' }, other)]);
    expect(problems()).toEqual([
      'changed_after_import transactions.0.note',
      'transaction_date_moved transactions.0.transaction_date',
    ]);
  });

  it.each(['10.5', '10.500', 10.5])('has not changed if its amount is written as %s', async (amount) => {
    harness.platform.answers('transactions', there({ ...charge, transaction_date: '2024-02-01' }));
    expect(await harness.run([transactions({ ...charge, amount }, other)])).toMatchObject({
      ...{ exit: 0, requests: 1 },
      accounts: { completed: 1 },
    });
    expect(problems()).toEqual(['transaction_date_moved transactions.0.transaction_date']);
  });

  it('is what it was once the export is restored', async () => {
    harness.platform.answers('transactions', there(charge));
    await harness.run([transactions({ ...charge, note: 'another' }, other)]);
    expect(await harness.run([transactions(charge, other)])).toMatchObject({
      ...{ exit: 0, requests: 0 },
      accounts: { completed: 1 },
    });
  });

  it('does not keep a new one beside it from arriving', async () => {
    const changed = { ...charge, note: 'another' };
    const added = { ...charge, transaction_id: 'v' };
    const addedNow = { status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: added };
    const exists = { status: 'TRANSACTION_ALREADY_EXISTS', transaction_data: charge };
    harness.platform.answers(
      'transactions',
      ok({ results: [exists, addedNow] }),
      there(charge),
      there(added),
    );
    expect(await harness.run([transactions(changed, added, other)])).toMatchObject({ exit: 3 });
    expect(problems()).toEqual(['changed_after_import transactions.0.note']);
    expect(await harness.run([transactions(charge, added, other)])).toMatchObject({ exit: 0, requests: 0 });
  });
});

describe('a note that changed in the export after it was sent', () => {
  const note = { body: 'Key with neighbour', created_at: '2023-03-05T19:25:10Z', is_pinned: true };
  const notes = (...items: JsonObject[]) => planOf('1', { notes: [{ notes: items }] });
  const exists = { body: note.body, status: 'NOTE_ALREADY_EXISTS' };

  it.each<[string, JsonObject, string]>([
    ['where the platform names it', { is_pinned: true }, 'notes.0.is_pinned'],
    ['as a whole where it does not', {}, 'notes.0'],
  ])('is named %s', async (_what, echoed, path) => {
    await harness.run([notes(note, { body: 'another' })]);
    harness.platform.answers('notes', ok([{ ...exists, ...echoed }]));
    expect(await harness.run([notes({ ...note, is_pinned: false }, { body: 'another' })])).toMatchObject({
      ...{ exit: 3, requests: 1 },
      accounts: { rejected: 1 },
    });
    expect(problems()).toEqual([`changed_after_import ${path}`]);
  });
});
