import { expect, it, describe } from 'vitest';
import type { OpenJournal } from '../conformance.ts';

const key = (account: string) => ({ supplier: 'S', account });

export function restoresConformance(open: OpenJournal): void {
  describe('a journal that was put back from a backup', () => {
    it('has every account in doubt, also those that it never saw, each until it is settled', async () => {
      const journal = await open();
      const { id, inDoubtSince } = await journal.open('p', key('1'));
      expect(inDoubtSince).toBeUndefined();
      await journal.open('p', key('2'));
      await journal.markRestored(5000);
      const again = await open();
      for (const one of [journal, again]) {
        expect(await one.find('p', key('1'))).toMatchObject({ inDoubtSince: 5000 });
        expect(await one.open('p', key('2'))).toMatchObject({ inDoubtSince: 5000 });
      }
      expect(await again.open('q', key('3'))).toMatchObject({ inDoubtSince: 5000 });
      await again.change(id, { isSettled: true });
      await again.change(id, { code: 'c' });
      expect(await again.find('p', key('1'))).toMatchObject({ inDoubtSince: undefined });
      expect(await again.find('p', key('2'))).toMatchObject({ inDoubtSince: 5000 });
    });

    it('has every account in doubt that a run doubts, and stays the newest', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key('1'));
      const found = await journal.compareMark();
      await journal.markDoubted(5000);
      expect(await journal.find('p', key('1'))).toMatchObject({ inDoubtSince: 5000 });
      expect(await journal.open('p', key('2'))).toMatchObject({ inDoubtSince: 5000 });
      await journal.change(id, { isSettled: true });
      expect(await journal.find('p', key('1'))).toMatchObject({ inDoubtSince: undefined });
      expect(await journal.compareMark()).toBe(found);
    });

    it('has a settled account in doubt again after the next time', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key('1'));
      await journal.markRestored(5000);
      await journal.change(id, { isSettled: true });
      await journal.markRestored(9000);
      expect(await journal.find('p', key('1'))).toMatchObject({ inDoubtSince: 9000 });
    });
  });
}
