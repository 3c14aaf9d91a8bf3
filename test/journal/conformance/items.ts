import { describe, expect, it } from 'vitest';
import type { OpenJournal } from '../conformance.ts';
import { collect } from './collect.ts';

const ref = { platform: 'p', step: 'products', item: 'A' };

export function itemsConformance(open: OpenJournal): void {
  describe('items of steps that a profile adds', () => {
    const begun = async () => {
      const journal = await open();
      await journal.open('p', { supplier: 'S', account: '1' });
      return journal;
    };

    it('remembers an intent without an outcome as sent, and counts it as lost when it is sent again', async () => {
      const journal = await begun();
      expect(await journal.items.find(ref)).toEqual({ entry: undefined, isInDoubt: false });
      await journal.items.intend(ref, { hash: 'h', run: 1, at: 1000 });
      const sent = { ...ref, state: 'sent', hash: 'h', attempt: 1, lost: 0, run: 1, sentAt: 1000 };
      expect((await (await open()).items.find(ref)).entry).toEqual(sent);
      await journal.items.intend(ref, { hash: 'h', run: 2, at: 2000 });
      await journal.items.settle(ref, {
        state: 'refused',
        outcome: 'refused',
        status: 400,
        code: 'c',
        at: 2100,
      });
      expect((await journal.items.find(ref)).entry).toEqual({
        ...{ ...ref, state: 'refused', hash: 'h', attempt: 2, lost: 1, run: 2, sentAt: 2000 },
        ...{ answeredAt: 2100, outcome: 'refused', status: 400, code: 'c' },
      });
    });

    it('takes a ruling only on what is not done, and forgets what was lost', async () => {
      const journal = await begun();
      await journal.items.intend(ref, { hash: 'h', run: 1, at: 1000 });
      await journal.items.intend(ref, { hash: 'h', run: 1, at: 1500 });
      await journal.items.settle(ref, {
        state: 'uncertain',
        outcome: 'unknown',
        code: 'lost_answer',
        at: 1600,
      });
      expect(await journal.items.rule(ref, 'failed', 2000)).toBe(true);
      expect((await journal.items.find(ref)).entry).toMatchObject({
        state: 'failed',
        lost: 0,
        outcome: 'ruling',
      });
      expect(await journal.items.rule(ref, 'done', 2000)).toBe(true);
      expect(await journal.items.rule(ref, 'failed', 2000)).toBe(false);
      expect(await journal.items.rule({ ...ref, item: 'B' }, 'done', 2000)).toBe(false);
    });

    it('counts by state and lists what is not done, in the order of items', async () => {
      const journal = await begun();
      for (const item of ['b', 'B', 'ä', 'A']) {
        await journal.items.intend({ ...ref, item }, { hash: item, run: 1, at: 1000 });
        const state = item === 'b' ? 'done' : 'uncertain';
        await journal.items.settle({ ...ref, item }, { state, outcome: 'ok', at: 1100 });
      }
      await journal.items.intend({ ...ref, step: 'areas' }, { hash: 'x', run: 1, at: 1000 });
      const none = { sent: 0, done: 0, refused: 0, failed: 0, uncertain: 0 };
      expect(await journal.items.counts('p')).toEqual([
        { platform: 'p', step: 'areas', items: { ...none, sent: 1 } },
        { platform: 'p', step: 'products', items: { ...none, done: 1, uncertain: 3 } },
      ]);
      expect(await journal.items.counts('q')).toEqual([]);
      expect((await collect(journal.items.unfinished('p', 'products'))).map(({ item }) => item)).toEqual([
        'A',
        'B',
        'ä',
      ]);
    });

    it('knows what was last sent before a restore', async () => {
      const journal = await begun();
      await journal.items.intend(ref, { hash: 'h', run: 1, at: 1000 });
      await journal.markRestored(5000);
      expect((await journal.items.find(ref)).isInDoubt).toBe(true);
      expect((await journal.items.find({ ...ref, item: 'B' })).isInDoubt).toBe(true);
      await journal.items.intend(ref, { hash: 'h', run: 2, at: 6000 });
      expect((await journal.items.find(ref)).isInDoubt).toBe(false);
    });

    it('a ruling is about all that was sent before it, also before a restore', async () => {
      const journal = await begun();
      await journal.items.intend(ref, { hash: 'h', run: 1, at: 1000 });
      await journal.items.settle(ref, { state: 'uncertain', outcome: 'unknown', at: 1100 });
      await journal.markRestored(5000);
      await journal.items.rule(ref, 'failed', 6000);
      expect((await journal.items.find(ref)).isInDoubt).toBe(false);
    });

    it('refuses the intent of a platform that it does not know', async () => {
      const journal = await begun();
      const unknown = { ...ref, platform: 'q' };
      await expect(journal.items.intend(unknown, { hash: 'h', run: 1, at: 1000 })).rejects.toThrow(
        'no platform q',
      );
    });
  });
}
