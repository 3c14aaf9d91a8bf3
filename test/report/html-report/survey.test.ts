import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AccountState } from '../../../src/domain/account-state.ts';
import { dateMovedCode } from '../../../src/domain/shared-codes.ts';
import type { StepName } from '../../../src/domain/steps.ts';
import type { Journal, Settlement } from '../../../src/journal/journal.ts';
import { openJournal } from '../../../src/journal/sqlite/open-journal.ts';
import { survey } from '../../../src/report/html-report/survey.ts';

const supplier = 'S';
const start = Date.UTC(2026, 6, 1, 20);
let directory: string;
let journal: Journal;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'survey-'));
  journal = openJournal(join(directory, 'journal.db'), { synchronous: 'NORMAL', create: true });
});
afterEach(async () => {
  await journal.close();
  rmSync(directory, { recursive: true });
});

async function account(account: string, state: AccountState, code = ''): Promise<number> {
  const { id } = await journal.open('p', { supplier, account });
  if (state === 'completed') void journal.change(id, { state: 'imported' });
  await journal.change(id, { state, code });
  return id;
}

async function request(
  accountId: number,
  step: StepName,
  {
    sentAt = start,
    tookMs = 100,
    ...settlement
  }: Omit<Settlement, 'at'> & { sentAt?: number; tookMs?: number },
): Promise<void> {
  const part = { accountId, step, part: 0 };
  const { money, ...answer } = settlement;
  await journal.intend(part, { hash: 'h', run: 1, at: sentAt, money });
  await journal.settle(part, { ...answer, at: sentAt + tookMs });
}

const surveyed = () => survey(journal, 'p', supplier, () => undefined);

it('groups what went wrong by reason, with examples and the cells at fault', async () => {
  for (let n = 1; n <= 5; n += 1) {
    const id = await account(`R${n}`, 'rejected', 'invalid_phone_number');
    const cell = { file: 'customers.csv', line: n, column: 'landline' };
    await journal.setProblems(id, [
      { step: 'validate', code: 'invalid_phone_number', path: 'customers.0.landline', cell },
      { step: 'validate', code: 'another', path: 'customers.0.email' },
    ]);
  }
  await account('F', 'failed', 'http_500');
  await account('C', 'completed');
  const { failures, otherFailures } = await surveyed();
  expect(failures).toMatchObject([
    { state: 'rejected', code: 'invalid_phone_number', accounts: 5 },
    // Each account has both: to correct one is not enough.
    { state: 'rejected', code: 'another', accounts: 5 },
    { state: 'failed', code: 'http_500', accounts: 1, examples: [{ account: 'F', places: [] }] },
  ]);
  expect(failures[0]?.examples).toEqual([
    { account: 'R1', places: ['customers.csv:1:landline'] },
    { account: 'R2', places: ['customers.csv:2:landline'] },
    { account: 'R3', places: ['customers.csv:3:landline'] },
  ]);
  expect(otherFailures).toBe(0);
});

it('lists a bounded number of reasons, and counts the accounts of the others', async () => {
  for (let n = 0; n < 40; n += 1) void account(`R${n}`, 'rejected', `code_${n}`);
  await account('R', 'rejected', 'code_7');
  const { failures, otherFailures } = await surveyed();
  expect(failures).toHaveLength(25);
  expect(failures[0]).toMatchObject({ code: 'code_7', accounts: 2 });
  expect(otherFailures).toBe(15);
});

it('counts what happened over time, earlier attempts too', async () => {
  const id = await account('1', 'completed');
  await request(id, 'process', { state: 'sent', outcome: 'unknown', code: 'http_502' });
  await request(id, 'process', { sentAt: start + 1000, state: 'done', outcome: 'ok', status: 201 });
  await request(id, 'notes', { sentAt: start + 2000, state: 'refused', outcome: 'refused', status: 400 });
  expect(await counted()).toEqual([
    [0, { unknown: 1 }],
    [1000, { created: 1, accepted: 1 }],
    [2000, { refused: 1, accepted: 1 }],
  ]);
});

it('counts what was refused because there was too much, by the platform or on the way', async () => {
  const id = await account('1', 'completed');
  await request(id, 'notes', { state: 'failed', outcome: 'throttled', status: 429 });
  await request(id, 'notes', { sentAt: start + 1000, state: 'sent', outcome: 'unknown', status: 503 });
  await request(id, 'notes', { sentAt: start + 2000, state: 'done', outcome: 'ok', status: 200 });
  expect(await counted()).toEqual([
    [0, { failed: 1, throttled: 1 }],
    [1000, { unknown: 1, throttled: 1 }],
    [2000, { accepted: 1 }],
  ]);
});

/** What is above zero in each stretch. */
async function counted() {
  const { timeline } = await surveyed();
  return timeline.stretches.map(({ from, counts }) => [
    from - start,
    Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
  ]);
}

it('tells how long answers took, and not how long a person took to rule', async () => {
  const slow = await account('slow', 'completed');
  await request(slow, 'stage', { tookMs: 3000, state: 'done', outcome: 'ok' });
  await request(slow, 'process', { tookMs: 4000, state: 'done', outcome: 'ok' });
  const ruled = await account('ruled', 'completed');
  await request(ruled, 'process', { tookMs: 50, state: 'done', outcome: 'ok' });
  await request(ruled, 'agreements', { tookMs: 60, state: 'uncertain', outcome: 'unknown' });
  const agreements = { accountId: ruled, step: 'agreements', part: 0 } as const;
  await journal.settle(agreements, { state: 'done', outcome: 'ruling', at: start + 86_400_000 });
  const { slowest, durations } = await surveyed();
  expect(slowest).toEqual([
    { account: 'slow', tookMs: 7000, requests: 2, slowestStep: 'process' },
    { account: 'ruled', tookMs: 110, requests: 3, slowestStep: 'agreements' },
  ]);
  expect(durations.get('process')?.within(1)).toBe(4000);
  expect(durations.get('agreements')?.within(1)).toBe(60);
});

it('adds up the money, and finds an account that waits for a ruling', async () => {
  const id = await account('1', 'uncertain', 'lost_answer');
  await request(id, 'process', { state: 'done', outcome: 'ok', money: '{"CHARGE":"0.1"}' });
  await request(id, 'transactions', { state: 'uncertain', outcome: 'unknown', money: '{"CHARGE":"0.2"}' });
  const { money, uncertain } = await surveyed();
  expect(money.byKind(false).get('CHARGE')).toEqual({
    source: null,
    acknowledged: '0.10',
    unconfirmed: '0.20',
  });
  expect(uncertain).toEqual({ account: '1', step: 'transactions' });
});

it('counts what the platform changed in completed accounts, also after a later run replaced the problem', async () => {
  const cell = { file: 'transactions.csv', line: 2, column: 'date' };
  const told = await account('TOLD', 'completed');
  await journal.setProblems(told, [
    {
      step: 'transactions',
      code: dateMovedCode,
      path: 'transactions.0.transaction_date',
      cell,
      isWarning: true,
    },
    { step: 'transactions', code: 'looks_odd', path: 'transactions.0.text', isWarning: true },
  ]);
  const kept = await account('KEPT', 'completed');
  await request(kept, 'transactions', { state: 'done', outcome: 'ok', code: dateMovedCode });
  const known = await account('KNOWN', 'completed');
  await request(known, 'notes', { state: 'done', outcome: 'refused', code: 'NOTE_ALREADY_EXISTS' });
  const { warnings, warned, failures } = await surveyed();
  expect(warnings).toMatchObject([
    {
      code: dateMovedCode,
      accounts: 2,
      examples: [{ account: 'KEPT' }, { places: ['transactions.csv:2:date'] }],
    },
    { code: 'looks_odd', accounts: 1 },
  ]);
  expect(warned).toBe(2);
  expect(failures).toEqual([]);
});
