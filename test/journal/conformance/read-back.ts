import { describe, expect, it } from 'vitest';
import type { OpenJournal } from '../conformance.ts';

export function readBackConformance(open: OpenJournal): void {
  describe('accounts that are read back', () => {
    const at = 1_700_000_000_000;
    const equal = { differences: 0, hidden: 0, points: 100 };

    it('a pass goes on until it ends, and another selection begins a new one', async () => {
      const journal = await open();
      await journal.open('p', { supplier: 'S', account: '1' });
      const first = await journal.readBack.begin('p', 'S', 'all', at);
      const again = await open();
      expect(await again.readBack.begin('p', 'S', 'all', at + 1)).toBe(first);
      const second = await again.readBack.begin('p', 'S', 'sample 3', at + 2);
      expect(second).not.toBe(first);
      await again.readBack.end(second, at + 3);
      expect(await again.readBack.begin('p', 'S', 'sample 3', at + 4)).not.toBe(second);
    });

    it('an account has its latest reading, and the hour the points of all', async () => {
      const journal = await open();
      const { id } = await journal.open('p', { supplier: 'S', account: '1' });
      const other = await journal.open('p', { supplier: 'S', account: '2' });
      expect(await journal.readBack.latest(id)).toBeUndefined();
      const pass = await journal.readBack.begin('p', 'S', 'all', at);
      await journal.readBack.note({ accountId: id, pass, at, ...equal });
      await journal.readBack.note({ accountId: other.id, pass, at: at + 1, ...equal, hidden: 2 });
      await journal.readBack.note({ accountId: id, pass, at: at + 2, ...equal, differences: 3 });
      expect(await journal.readBack.latest(id)).toEqual({
        accountId: id,
        pass,
        at: at + 2,
        differences: 3,
        hidden: 0,
        points: 200,
      });
      expect(await journal.readBack.pointsSince(at - 1)).toBe(300);
      expect(await journal.readBack.pointsSince(at + 2)).toBe(0);
      expect(await journal.readBack.counts('p', 'S')).toEqual({
        read: 2,
        differ: 1,
        notReadable: 1,
        latest: at + 2,
      });
      expect(await journal.readBack.counts('p', 'T')).toMatchObject({ read: 0, latest: undefined });
    });
  });
}
