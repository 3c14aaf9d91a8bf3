import { expect, it } from 'vitest';
import { itemCounts } from '../../src/report/added-steps.ts';

it('items that wait for accounts, or for a file without faults, are counted as waiting', () => {
  expect(itemCounts({ done: 1, refused: 2, waiting: 3 })).toBe('1 done, 2 refused, 3 waiting');
});
