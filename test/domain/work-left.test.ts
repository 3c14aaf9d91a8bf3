import { expect, it } from 'vitest';
import { leavesWork, withTotal, zeroCounts } from '../../src/domain/account-state.ts';
import { endedWell } from '../../src/domain/stop-reason.ts';

it.each([
  ['one that was never sent', { pending: 1 }, true],
  ['one that is half there', { imported: 1 }, true],
  ['one that gave up', { failed: 1 }, true],
  ['one that waits for a ruling, and no other', { uncertain: 1 }, false],
  ['one that needs a fix, and no other', { rejected: 1 }, false],
  ['nothing but completed ones', { completed: 9 }, false],
])('whether nights go on is told by the accounts: %s', (_name, counts, expected) => {
  expect(leavesWork(withTotal({ ...zeroCounts(), ...counts }))).toBe(expected);
});

it('accounts that a run did not come to are work left', () => {
  expect(leavesWork({ ...withTotal(zeroCounts()), uncounted: 2 })).toBe(true);
  expect(leavesWork({ ...withTotal(zeroCounts()), uncounted: null })).toBe(true);
});

it('a stop that nobody asked for is no good night, though its exit code is that of one', () => {
  expect(endedWell(0, undefined)).toBe(true);
  expect(endedWell(6, 'hours')).toBe(true);
  expect(endedWell(6, 'same-refusal')).toBe(false);
  expect(endedWell(6, 'max-failures')).toBe(false);
  expect(endedWell(8, undefined)).toBe(false);
});
