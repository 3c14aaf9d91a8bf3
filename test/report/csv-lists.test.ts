import { expect, test } from 'vitest';
import { ofEachStep } from '../../src/domain/steps.ts';
import type { AccountEntry } from '../../src/journal/journal.ts';
import { numbersLine } from '../../src/report/csv-lists.ts';

const entry = (account: string): AccountEntry => ({
  id: 1,
  key: { supplier: 'OLD', account },
  state: 'completed',
  code: '',
  steps: ofEachStep(() => 'done'),
  parts: [],
  krakenAccountNumber: 'A-1',
});

test.each(['=HYPERLINK("http://x.invalid","y")', '@SUM(A1)', '+1', '-1+2', '\uff1d1'])(
  'the list of numbers has no formula for a spreadsheet: %s',
  (account) => {
    const cell = numbersLine(entry(account), false).split(',').slice(1, -1).join(',');
    expect(cell.replace(/^"/, '').startsWith("'")).toBe(true);
  },
);

test('the list of numbers for programs has every number as it is', () => {
  expect(numbersLine(entry('-1+2'), true)).toBe('OLD,-1+2,A-1\n');
  expect(numbersLine(entry('LEG-17'), false)).toBe(numbersLine(entry('LEG-17'), true));
});
