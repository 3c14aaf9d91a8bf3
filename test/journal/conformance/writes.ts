import { describe, expect, it } from 'vitest';
import type { OpenJournal } from '../conformance.ts';
import { collect } from './collect.ts';

const key = { supplier: 'S', account: '1' };

export function writesConformance(open: OpenJournal): void {
  describe('writes', () => {
    it('are durable all together when the last of them resolves', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key);
      const stage = { accountId: id, step: 'stage', part: 0 } as const;
      void journal.intend(stage, { hash: 'h', run: 1, at: 1 });
      void journal.settle(stage, { state: 'done', outcome: 'ok', at: 2 });
      await journal.change(id, { state: 'staged' });
      expect(await (await open()).find('p', key)).toMatchObject({
        state: 'staged',
        parts: [{ state: 'done', answeredAt: 2 }],
      });
    });

    it('keep an account that is scheduled, and count it', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key);
      await journal.change(id, { state: 'scheduled' });
      await journal.close();
      const [overview] = await (await open()).overview();
      expect(overview?.accounts).toMatchObject({ pending: 0, scheduled: 1 });
      expect((await (await open()).find('p', key))?.state).toBe('scheduled');
    });

    it('resolve in the order in which they were given', async () => {
      const journal = await open();
      const order: number[] = [];
      const writes = Array.from({ length: 50 }, (_, i) =>
        journal.open('p', { supplier: 'S', account: String(i % 7) }).then(() => order.push(i)),
      );
      await Promise.all(writes);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    });

    it('are seen by every read that comes after them', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key);
      void journal.setProblems(id, [{ code: 'c', path: '' }]);
      expect(await collect(journal.problems(id))).toHaveLength(1);
      void journal.intend({ accountId: id, step: 'notes', part: 0 }, { hash: 'h', run: 1, at: 1 });
      expect((await journal.open('p', key)).parts).toHaveLength(1);
      void journal.change(id, { state: 'failed' });
      expect((await journal.overview())[0]?.accounts.failed).toBe(1);
      void journal.change(id, { code: 'timeout' });
      expect((await journal.find('p', key))?.code).toBe('timeout');
    });

    it('are committed by closing', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key);
      const change = journal.change(id, { state: 'staged' });
      await journal.close();
      await change;
      expect((await (await open()).find('p', key))?.state).toBe('staged');
    });

    it('are refused after closing', async () => {
      const journal = await open();
      await journal.close();
      await expect(journal.open('p', key)).rejects.toThrow();
    });

    it('refuse a transition that no account makes, and only that', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key);
      await journal.change(id, { state: 'imported' });
      const before = journal.change(id, { steps: { notes: 'pending' } });
      const illegal = journal.change(id, { state: 'pending', steps: { notes: 'done' } });
      const after = journal.change(id, { state: 'completed' });
      await expect(illegal).rejects.toThrow(/imported to pending/);
      await Promise.all([before, after]);
      expect(await journal.find('p', key)).toMatchObject({ state: 'completed', steps: { notes: 'pending' } });
    });

    it('refuse an outcome of what was never sent, and only that', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key);
      const stray = journal.settle(
        { accountId: id, step: 'process', part: 0 },
        { state: 'done', outcome: 'ok', at: 1 },
      );
      const change = journal.change(id, { state: 'staged' });
      await expect(stray).rejects.toThrow(/never intended/);
      await change;
      expect(await journal.find('p', key)).toMatchObject({ state: 'staged', parts: [] });
    });

    it('refuse a change of an account that was never opened', async () => {
      const journal = await open();
      await expect(journal.change(4711, { state: 'staged' })).rejects.toThrow(/4711/);
    });
  });
}
