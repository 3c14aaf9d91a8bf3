import { describe, expect, it } from 'vitest';
import type { OpenJournal } from '../conformance.ts';
import { collect } from './collect.ts';

const by = { user: 'jane', host: 'night-1', version: '0.2.0' };

export function upgradesConformance(open: OpenJournal): void {
  describe('upgrades', () => {
    it('a new journal has none, follows the first rules, and has no spellings', async () => {
      const journal = await open();
      expect(await journal.upgrades.all()).toEqual([]);
      expect(await journal.upgrades.rules()).toBe(1);
      expect(await collect(journal.upgrades.spellings('p'))).toEqual([]);
    });

    it('what newer rules changed is told newest first, and nothing if they changed nothing', async () => {
      const journal = await open();
      await journal.upgrades.concluded(2, { at: 5000, by, accounts: 12 });
      await journal.upgrades.concluded(3, { at: 6000, by, accounts: 0 });
      await journal.upgrades.concluded(4, { at: 7000, accounts: 1 });
      const again = await open();
      expect(await again.upgrades.rules()).toBe(4);
      expect(await again.upgrades.all()).toMatchObject([
        { at: 7000, accounts: 1, by: undefined },
        { at: 5000, accounts: 12, by },
      ]);
    });
  });

  describe('an account number in another form', () => {
    it('finds the account that has it composed, and is none where nothing is', async () => {
      const journal = await open();
      const { id } = await journal.open('p', { supplier: 'S', account: 'M\u00dc-1' });
      expect(await journal.find('p', { supplier: 'S', account: 'MU\u0308-1' })).toMatchObject({ id });
      expect(await journal.find('p', { supplier: 'S', account: 'MU\u0308-2' })).toBeUndefined();
    });
  });
}
