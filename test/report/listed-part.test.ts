import { expect, test } from 'vitest';
import type { AccountEntry } from '../../src/journal/journal.ts';
import { listedParts, type ListedPart } from '../../src/report/listed-part.ts';
import { listedText } from '../../src/report/listed-text.ts';
import { attempt, entry, eachStep, page } from './fixture.ts';

const completed: AccountEntry = { ...entry, state: 'completed', code: '', steps: eachStep(() => 'done') };
const refusedNow = 'the data in the export is refused now';

/** The text for people, of each line. */
function listed(of: AccountEntry): string[] {
  return listedParts(of, { problems: [], partCells: [] }).map(textOf);
}

function textOf(line: ListedPart): string {
  return listedText(page(), [line], { hasSuppliers: false, hasHeader: false });
}

test('a part that the platform refused once says nothing of the data in the export', () => {
  const [line = ''] = listed({ ...completed, parts: [attempt()] });
  expect(line).toContain('duplicate_transaction_ids');
  expect(line).not.toContain(refusedNow);
});

test('a completed account says that its data in the export is refused now', () => {
  expect(listed({ ...completed, code: 'unknown_code' })).toEqual([expect.stringContaining(refusedNow)]);
});

const cell = (column: string) => ({ file: 'accounts.csv', line: 2, column });

test('a completed account is listed by the code of a warning, and by no other', () => {
  const warned = { ...completed, parts: [attempt({ state: 'done', code: 'transaction_date_moved' })] };
  const problems = [
    { step: 'transactions', code: 'transaction_date_moved', path: 'x', cell: cell('date'), isWarning: true },
  ] as const;
  const byCode = (code: string) => listedParts(warned, { problems, partCells: [] }, { code });
  expect(byCode('transaction_date_moved')).toMatchObject([
    { state: 'completed', code: 'transaction_date_moved', step: 'transactions', cells: [cell('date')] },
  ]);
  expect(
    listedParts(warned, { problems: [], partCells: [] }, { code: 'transaction_date_moved' }),
  ).toHaveLength(1);
  expect(byCode('another')).toEqual([]);
});

test('an account is listed under each of its codes, with the cells of that code', () => {
  const rejected: AccountEntry = { ...entry, code: 'invalid_postcode', steps: eachStep(() => 'pending') };
  const problems = [
    { step: 'validate', code: 'invalid_postcode', path: 'a', cell: cell('PLZ') },
    { step: 'validate', code: 'invalid_phone_number', path: 'b', cell: cell('TEL') },
  ] as const;
  const [line] = listedParts(rejected, { problems, partCells: [] });
  expect(line).toMatchObject({
    code: 'invalid_postcode',
    codes: ['invalid_postcode', 'invalid_phone_number'],
  });
  expect(line!.cells).toHaveLength(2);
  expect(textOf(line!)).toContain('invalid_postcode, invalid_phone_number');
  expect(listedParts(rejected, { problems, partCells: [] }, { code: 'invalid_phone_number' })).toMatchObject([
    { code: 'invalid_phone_number', cells: [cell('TEL')] },
  ]);
});
