import { expect, it } from 'vitest';
import { zeroCounts } from '../../../src/domain/account-state.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { warnedAccounts } from '../../../src/report/failures/warned-accounts.ts';

it('of a large book warnings are not counted, so that nobody waits for a line', async () => {
  const unread: Pick<Journal, 'accounts' | 'problems'> = {
    accounts: () => {
      throw new Error('read');
    },
    problems: () => {
      throw new Error('read');
    },
  };
  const book = (completed: number) => ({
    ...{ platform: 'p', supplier: 'S' },
    accounts: { ...zeroCounts(), completed },
  });
  expect(await warnedAccounts(unread, [book(20_001)])).toBeUndefined();
  expect(await warnedAccounts(unread, [book(10_001), book(10_000)])).toBeUndefined();
  await expect(warnedAccounts(unread, [book(20_000)])).rejects.toThrow('read');
});
