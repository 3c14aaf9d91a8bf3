import { expect, test } from 'vitest';
import { table } from '../../src/report/table.ts';
import { terminalOf } from '../../src/report/terminal.ts';
import { counts, eachStep, overview, page } from './fixture.ts';
import { statusSummary, statusText } from '../../src/report/status-table.ts';
import { historyText, runRecord } from '../../src/report/history-table.ts';
import type { RunEntry } from '../../src/journal/journal.ts';

const columns = [{ title: 'Count', align: 'right' as const }, { title: 'Code' }];

test('numbers are aligned to the right and nothing but text is cut short', () => {
  const rows = [
    ['7', 'a'.repeat(60)],
    ['1,234,567', 'b'],
  ];
  expect(table(page(24), columns, rows).split('\n')).toEqual([
    '      Count  Code',
    `          7  ${'a'.repeat(8)}...`,
    '  1,234,567  b',
  ]);
});

test('cells are cut by what they take on the screen, not by their letters', () => {
  const wide = table(
    page(14),
    [{ title: '' }, { title: '' }],
    [
      ['漢字漢字漢字', 'x'],
      ['e\u0301e\u0301', 'y'],
    ],
  );
  expect(wide.split('\n')).toEqual(['  漢字漢...  x', '  e\u0301e\u0301         y']);
});

test('what a terminal would act on is shown instead', () => {
  const [line] = table(page(), [{ title: '' }], [['\u001b]0;title\u0007\r\n\u009b31m\u202eabc']]).split('\n');
  expect(line).toBe('  \\u001b]0;title\\u0007\\r\\n\\u009b31m\\u202eabc');
});

test('status shows each supplier with its accounts by state and its steps', () => {
  const suppliers = [overview('TENTACLE_ENERGY', { completed: 12, rejected: 3 }), overview('OTHER', {})];
  expect(statusText(page(), suppliers).split('\n').slice(0, 16)).toEqual([
    'TENTACLE_ENERGY on https://api.example.com',
    '  completed  12  everything has arrived',
    '  rejected    3  refused; fix the data',
    '  total      15',
    '',
    '  Step                      done  not accepted  uncertain  to do',
    '  validate             1,234,567             0          0      4',
    '  stage                       12             0          0      4',
    '  process                     12             0          0      4',
    '  notes                       12             0          0      4',
    '  transactions                12             0          0      4',
    '  agreements                  12             0          0      4',
    '  billing-documents           12             0          3      4',
    '  statements                  12             0          0      4',
    '  payment-instruction         12             0          0      4',
    '  Not accepted: refused by the platform, or failed. Steps of accounts that a',
  ]);
  expect(statusSummary(suppliers.slice(1))).toMatchObject({
    suppliers: [{ supplier: 'OTHER', accounts: { total: 0, completed: 0 }, steps: { notes: { done: 12 } } }],
  });
  const unbegun = 'Pending accounts that no run has begun are in none of these rows.';
  expect(statusText(page(), suppliers)).not.toContain(unbegun);
  const none = eachStep(() => ({ done: 0, failed: 0, uncertain: 0, pending: 0 }));
  expect(statusText(page(), [{ ...overview('OTHER', { pending: 5 }), steps: none }])).toContain(unbegun);
  const all = { ...none, validate: { ...none.validate, done: 5 } };
  expect(statusText(page(), [{ ...overview('OTHER', { pending: 5 }), steps: all }])).not.toContain(unbegun);
  expect(statusText(page(), [])).toBe('Nothing was run yet: the journal has no accounts.');
  expect(statusText(page(80), [], 'no-accounts').replaceAll('\n', ' ')).toContain(
    'The journal has runs, and no accounts',
  );
  expect(statusText(page(80), [], 'not-yet', 'nobody').replaceAll('\n', ' ')).toContain(
    'The journal has no accounts yet: the last run is still before its first account, or was killed before it.',
  );
  expect(statusText(page(), [], 'elsewhere', 'nobody').replaceAll('\n', ' ')).toBe(
    'The journal has no accounts of nobody on this platform, but it has others. Check --supplier, --profile and MIGRATE_BASE_URL.',
  );
});

const runs: RunEntry[] = [
  {
    id: 12,
    platform: 'https://api.example.com',
    platformLabel: 'https://api.example.com',
    supplier: 'TENTACLE_ENERGY',
    dryRun: false,
    export: 'export',
    startedAt: Date.UTC(2026, 6, 1, 20),
    end: {
      endedAt: Date.UTC(2026, 6, 2, 1, 30),
      exit: 6,
      reason: 'interrupt',
      accounts: counts({ completed: 1_000_000, rejected: 4 }),
      requests: 10,
      retries: 2,
    },
  },
  {
    id: 11,
    platform: 'p',
    platformLabel: 'embedded',
    dryRun: true,
    export: 'export',
    startedAt: Date.UTC(2026, 0, 1),
  },
];

test('history shows the runs in the time of the reader, and programs get UTC', () => {
  expect(historyText(page(140), runs).split('\n')).toEqual([
    '  Run  Started             Took       Done  Trouble  Ended            Exit   Accounts  Supplier         Requests  Platform',
    '   12  2026-07-01 21:00  5h 30m  1,000,000        4  interrupted         6  1,000,004  TENTACLE_ENERGY        10  api.example.com',
    '   11  2026-01-01 00:00                              dry run: killed                   all                        embedded',
    '  Times are in Europe/London.',
  ]);
  expect(historyText(page(130), runs, new Set([11])).split('\n')[2]).toContain('dry run: running');
  expect(runs.map((run) => runRecord(run, new Set([11])))).toMatchObject([
    { state: 'ended' },
    { state: 'running' },
  ]);
  expect(runRecord(runs[1]!)).toMatchObject({ state: 'killed' });
  expect(historyText(page(80), runs).split('\n')[1]).toBe(
    '   12  2026-07-01 21:00  5h 30m  1,000,000        4  interrupted         6',
  );
  expect(runRecord(runs[0]!)).toMatchObject({
    type: 'run',
    startedAt: '2026-07-01T20:00:00.000Z',
    endedAt: '2026-07-02T01:30:00.000Z',
    durationMs: 19_800_000,
    exit: 6,
    accounts: { total: 1_000_004 },
  });
  expect(runRecord(runs[1]!)).toMatchObject({ endedAt: null, durationMs: null, exit: null });
  expect(historyText(page(), [])).toBe('No runs yet.');
});

test.each([80, 60, 40])('tables fit %i columns', (width) => {
  const text = `${statusText(page(width), [overview('A'.repeat(90), { completed: 1_000_000 })])}\n${historyText(page(width), runs)}`;
  const tooLong = text.split('\n').filter((line) => line.length > width);
  expect(tooLong).toEqual(['A'.repeat(90)]);
});

test('colours are for terminals that want them', () => {
  const stream = { write: () => true, isTTY: true, columns: 120 };
  expect(terminalOf(stream, {})).toMatchObject({ colour: true, columns: 120, isTty: true });
  expect(terminalOf(stream, { NO_COLOR: '1' }).colour).toBe(false);
  expect(terminalOf(stream, { NO_COLOR: '' }).colour).toBe(true);
  expect(terminalOf(stream, { TERM: 'dumb' }).colour).toBe(false);
  expect(terminalOf(stream, {}, true).colour).toBe(false);
  expect(terminalOf({ write: () => true }, {})).toMatchObject({ colour: false, columns: 80, isTty: false });
  expect(statusText(page(80, true), [overview('X', { rejected: 1 })])).toContain('\u001b[31mrejected');
  expect(statusText(page(), [overview('X', { rejected: 1 })])).not.toContain('\u001b');
});

test('a table in colours has the same shape', () => {
  const coloured = statusText(page(40, true), [overview('X', { rejected: 1, completed: 20 })]);
  // eslint-disable-next-line no-control-regex -- colours
  expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(
    statusText(page(40), [overview('X', { rejected: 1, completed: 20 })]),
  );
});
