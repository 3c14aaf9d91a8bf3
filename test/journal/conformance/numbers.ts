import { describe, expect, it } from 'vitest';
import type { Journal } from '../../../src/journal/journal.ts';
import type { OpenJournal } from '../conformance.ts';
import { collect } from './collect.ts';

async function add(journal: Journal, platform: string, supplier: string, account: string, number: string) {
  const { id } = await journal.open(platform, { supplier, account });
  await journal.change(id, { state: 'imported', krakenAccountNumber: number, steps: { process: 'done' } });
  return id;
}

export function numbersConformance(open: OpenJournal): void {
  describe('platform account numbers', () => {
    it('lead to the accounts that have them, across the suppliers of a platform, and never to another platform', async () => {
      const journal = await open();
      await add(journal, 'p', 'S', '1', 'K-1');
      const id = await add(journal, 'p', 'T', '2', 'K-1');
      await add(journal, 'p', 'S', '3', 'k-1');
      await add(journal, 'q', 'S', '1', 'K-1');
      const keys = async () => (await (await open()).holders('p', 'K-1')).map(({ key }) => key);
      expect(await keys()).toEqual([
        { supplier: 'S', account: '1' },
        { supplier: 'T', account: '2' },
      ]);
      expect((await journal.holders('p', 'K-1'))[1]).toEqual(
        await journal.find('p', { supplier: 'T', account: '2' }),
      );
      await journal.change(id, { krakenAccountNumber: 'K-2' });
      expect(await keys()).toEqual([{ supplier: 'S', account: '1' }]);
      await journal.change(id, { krakenAccountNumber: null });
      expect(await journal.find('p', { supplier: 'T', account: '2' })).toMatchObject({
        krakenAccountNumber: undefined,
      });
      expect(await journal.holders('p', 'K-2')).toEqual([]);
      expect(await journal.holders('r', 'K-1')).toEqual([]);
    });

    it('lead to their accounts when several are asked for at once, beside a write', async () => {
      const journal = await open();
      const first = await add(journal, 'p', 'S', '1', 'K-1');
      await add(journal, 'p', 'S', '2', 'K-2');
      const asked = ['K-1', 'K-2', 'K-3'].map((number) => journal.holders('p', number));
      const change = journal.change(first, { code: 'written' });
      const found = await Promise.all(asked);
      expect(found.map((holders) => holders.map(({ key }) => key.account))).toEqual([['1'], ['2'], []]);
      await change;
      expect((await journal.holders('p', 'K-1'))[0]).toMatchObject({ code: 'written' });
    });

    it('are told where several accounts of a platform have one, however many there are', async () => {
      const journal = await open();
      for (let number = 0; number < 450; number += 1) {
        void add(journal, 'p', 'S', `a${number}`, `K-${number}`);
        void add(journal, 'q', 'S', `a${number}`, `K-${number}`);
        if (number % 2 === 0) void add(journal, 'p', 'T', `b${number}`, `K-${number}`);
      }
      await add(journal, 'p', 'S', 'last', 'K-last');
      const shared = await collect(journal.sharedNumbers('p'));
      expect(shared).toHaveLength(225);
      expect(shared.find(({ krakenAccountNumber }) => krakenAccountNumber === 'K-448')?.accounts).toEqual([
        { supplier: 'S', account: 'a448' },
        { supplier: 'T', account: 'b448' },
      ]);
      expect(await collect(journal.sharedNumbers('q'))).toEqual([]);
      expect(await collect(journal.sharedNumbers('r'))).toEqual([]);
    });
  });
}
