import { expect, test } from 'vitest';
import type { AccountEntry } from '../../src/journal/journal.ts';
import { listedParts, listedText } from '../../src/report/listed-part.ts';
import { attempt, entry, eachStep } from './fixture.ts';

const completed: AccountEntry = { ...entry, state: 'completed', code: '', steps: eachStep(() => 'done') };
const refusedNow = 'the data in the export is refused now';

/** The text for people, of each line. */
function listed(of: AccountEntry): string[] {
  return listedParts(of, { problems: [], partCells: [] }).map((line) => listedText(line, 'UTC'));
}

test('a part that the platform refused once says nothing of the data in the export', () => {
  const [line = ''] = listed({ ...completed, parts: [attempt()] });
  expect(line).toContain('duplicate_transaction_ids');
  expect(line).not.toContain(refusedNow);
});

test('a completed account says that its data in the export is refused now', () => {
  expect(listed({ ...completed, code: 'unknown_code' })).toEqual([expect.stringContaining(refusedNow)]);
});
