import { expect, test } from 'vitest';
import { historySummary, historyText, type AccountHistory } from '../../src/report/account-history.ts';
import { attempt, entry, page } from './fixture.ts';

const { status: _none, ...lost } = attempt({
  step: 'billing-documents',
  part: 3,
  state: 'uncertain',
  outcome: 'unknown',
  code: 'timeout',
  sentAt: Date.UTC(2026, 6, 1, 23, 30),
  answeredAt: Date.UTC(2026, 6, 1, 23, 32),
});

const story: AccountHistory = {
  platformLabel: 'https://api.example.com',
  entry,
  attempts: [attempt({ run: 2, state: 'sent' }), attempt({ attempt: 2 }), lost],
  problems: [
    {
      step: 'transactions',
      code: 'duplicate_transaction_ids',
      path: 'transactions.3.transaction_id',
      cell: { file: 'transactions.csv', line: 9, column: 'transaction_id' },
    },
  ],
  partCells: [],
  interventions: [],
};

test("an account's story names its state, steps, attempts in local time and the cells at fault", () => {
  expect(historyText(page(), story).split('\n')).toEqual([
    'Account 4711 of TENTACLE_ENERGY on https://api.example.com',
    '  state       rejected',
    '              refused; fix the data',
    '  reason      duplicate_transaction_ids',
    '  new number  A-00001234',
    '',
    'Steps',
    '  validate      done',
    '  stage         done',
    '  process       done',
    '  transactions  refused',
    '',
    'Run 2, 2026-07-01 (Europe/London)',
    '  Sent      Step          Part  Try   Took  State  Answer',
    '  22:03:12  transactions     1    1  120ms  sent   400 duplicate_transaction_ids',
    '',
    'Run 3, 2026-07-01 (Europe/London)',
    '  Sent                 Step               Part  Try   Took  State      Answer',
    '  22:03:12             transactions          1    2  120ms  refused',
    '    400 duplicate_transaction_ids',
    '  2026-07-02 00:30:00  billing-documents     4    1     2m  uncertain',
    '    sent, answer lost (timeout)',
    '',
    'Problems',
    '  transactions.csv:9:transaction_id',
    '    duplicate_transaction_ids (transactions transactions.3.transaction_id)',
  ]);
});

test('programs get the whole story with its times in UTC', () => {
  expect(historySummary(story)).toMatchObject({
    account: '4711',
    supplier: 'TENTACLE_ENERGY',
    state: 'rejected',
    krakenAccountNumber: 'A-00001234',
    steps: { transactions: 'refused', notes: 'none' },
    attempts: [
      { run: 2, sentAt: '2026-07-01T21:03:12.345Z', status: 400 },
      { attempt: 2 },
      { part: 4, status: null, outcome: 'unknown', answeredAt: '2026-07-01T23:32:00.000Z' },
    ],
    problems: [{ file: 'transactions.csv', line: 9, column: 'transaction_id' }],
  });
});

test('an account of which nothing was sent has a short story', () => {
  const { krakenAccountNumber: _number, ...fresh } = entry;
  const steps = {
    ...entry.steps,
    validate: 'none',
    stage: 'none',
    process: 'none',
    transactions: 'none',
  } as const;
  const untouched = {
    ...story,
    attempts: [],
    problems: [],
    entry: { ...fresh, state: 'pending', code: '', steps },
  } as const;
  expect(historyText(page(40), untouched).split('\n')).toEqual([
    'Account 4711 of TENTACLE_ENERGY on',
    'https://api.example.com',
    '  state  pending',
    '         nothing was sent yet',
  ]);
});

test('an account in the middle of which a run was killed is not one of which nothing was sent', () => {
  const { krakenAccountNumber: _number, ...fresh } = entry;
  const sent = attempt({ step: 'stage', state: 'done' });
  const killed = {
    ...story,
    attempts: [sent],
    entry: { ...fresh, state: 'pending', parts: [sent] },
  } as const;
  expect(historyText(page(), killed)).toMatch(/^ {2}state +pending\n +waiting for a run$/m);
});

test('an account that changed after its import was not refused', () => {
  const changed = { ...story, entry: { ...entry, code: 'changed_after_import' } };
  expect(historyText(page(), changed)).toContain('changed after the import');
  expect(historyText(page(), changed)).not.toContain('fix the data');
});

test('a request whose answer was lost is one row, with the commands that rule on it', () => {
  const lost = attempt({ state: 'sent', outcome: 'unknown', status: undefined, code: undefined });
  const uncertain = {
    ...lost,
    state: 'uncertain' as const,
    code: 'lost_answer',
    answeredAt: lost.sentAt + 9_000,
  };
  const key = { supplier: 'S', account: 'A 1' };
  const lines = historyText(page(), {
    ...story,
    entry: { ...entry, key, state: 'uncertain', parts: [uncertain] },
    attempts: [lost, uncertain],
  }).split('\n');
  expect(lines.filter((line) => line.includes('sent, answer lost'))).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith('  22:03:12'))).toEqual([
    expect.stringMatching(/transactions +1 +1 +120ms +uncertain {2}sent, answer lost$/),
  ]);
  expect(lines).toContain("  migrate resolve 'A 1' --supplier S --step transactions --as repeat");
});
