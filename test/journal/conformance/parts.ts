import { describe, expect, it } from 'vitest';
import type { OpenJournal } from '../conformance.ts';
import { collect } from './collect.ts';

const key = { supplier: 'S', account: '1' };

export function partsConformance(open: OpenJournal): void {
  describe('parts of steps', () => {
    it('remembers an intent whose outcome never came as sent', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key);
      await journal.intend({ accountId: id, step: 'process', part: 0 }, { hash: 'h', run: 3, at: 1000 });
      expect((await (await open()).find('p', key))?.parts).toEqual([
        { step: 'process', part: 0, state: 'sent', hash: 'h', attempt: 1, run: 3, sentAt: 1000 },
      ]);
    });

    it('records what came of it, also an answer that leaves the effect unknown', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key);
      const notes = { accountId: id, step: 'notes', part: 0 } as const;
      const statements = { accountId: id, step: 'statements', part: 12 } as const;
      await journal.intend(statements, { hash: 'h2', run: 1, at: 2000 });
      await journal.settle(statements, { state: 'sent', outcome: 'unknown', status: 502, at: 2500 });
      await journal.intend(notes, { hash: 'h1', run: 1, at: 3000 });
      await journal.settle(notes, {
        state: 'failed',
        outcome: 'not-sent',
        code: 'connection_refused',
        at: 3000,
      });
      expect((await journal.find('p', key))?.parts).toEqual([
        {
          ...{ step: 'notes', part: 0, state: 'failed', hash: 'h1', attempt: 1, run: 1, sentAt: 3000 },
          ...{ answeredAt: 3000, outcome: 'not-sent', code: 'connection_refused' },
        },
        {
          ...{ step: 'statements', part: 12, state: 'sent', hash: 'h2', attempt: 1, run: 1, sentAt: 2000 },
          ...{ answeredAt: 2500, outcome: 'unknown', status: 502 },
        },
      ]);
    });

    it('keeps earlier attempts when a part is sent again', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key);
      const stage = { accountId: id, step: 'stage', part: 0 } as const;
      await journal.intend(stage, { hash: 'a', run: 1, at: 1000 });
      await journal.settle(stage, { state: 'failed', outcome: 'throttled', status: 429, at: 1100 });
      await journal.intend(stage, { hash: 'a', run: 1, at: 1200 });
      await journal.intend(stage, { hash: 'b', run: 2, at: 1300 });
      expect((await journal.find('p', key))?.parts).toEqual([
        { step: 'stage', part: 0, state: 'sent', hash: 'b', attempt: 3, run: 2, sentAt: 1300 },
      ]);
      expect(await collect(journal.attempts(id))).toEqual([
        {
          ...{ step: 'stage', part: 0, state: 'failed', hash: 'a', attempt: 1, run: 1, sentAt: 1000 },
          ...{ answeredAt: 1100, outcome: 'throttled', status: 429 },
        },
        { step: 'stage', part: 0, state: 'sent', hash: 'a', attempt: 2, run: 1, sentAt: 1200 },
        { step: 'stage', part: 0, state: 'sent', hash: 'b', attempt: 3, run: 2, sentAt: 1300 },
      ]);
    });

    it('keeps the answer that a ruling overrides', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key);
      const agreements = { accountId: id, step: 'agreements', part: 0 } as const;
      await journal.intend(agreements, { hash: 'a', run: 1, at: 1000 });
      await journal.settle(agreements, { state: 'uncertain', outcome: 'unknown', code: 'timeout', at: 1100 });
      await journal.settle(agreements, { state: 'done', outcome: 'ruling', at: 9000 });
      expect(await collect(journal.attempts(id))).toMatchObject([
        { state: 'uncertain', attempt: 1, answeredAt: 1100, outcome: 'unknown', code: 'timeout' },
        { state: 'done', attempt: 1, answeredAt: 9000, outcome: 'ruling' },
      ]);
      expect((await journal.find('p', key))?.parts).toMatchObject([{ state: 'done', outcome: 'ruling' }]);
    });

    it('keeps where the export has what they sent, until that is told anew', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key);
      const cell = { file: 'notes.csv', line: 3, column: '' };
      const cells = [
        { step: 'notes', part: 2, cell },
        { step: 'notes', part: 2, cell: { ...cell, line: 4, column: 'body' } },
        { step: 'process', part: 0, cell },
      ] as const;
      await journal.setPartCells(id, cells);
      expect(await collect((await open()).partCells(id))).toEqual(cells);
      await journal.setPartCells(id, cells.slice(2));
      expect(await collect(journal.partCells(id))).toEqual(cells.slice(2));
    });

    it('orders the attempts of several parts by when they were sent', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key);
      const sent = [
        ['notes', 1, 500],
        ['validate', 0, 600],
        ['notes', 1, 700],
        ['notes', 0, 800],
      ] as const;
      for (const [step, part, at] of sent)
        await journal.intend({ accountId: id, step, part }, { hash: 'h', run: 1, at });
      const attempts = await collect(journal.attempts(id));
      expect(attempts.map(({ step, part, sentAt }) => [step, part, sentAt])).toEqual(sent);
    });

    it('keeps the attempts of a part in their order when the clock was set back between them', async () => {
      const journal = await open();
      const { id } = await journal.open('p', key);
      const notes = { accountId: id, step: 'notes', part: 0 } as const;
      await journal.intend(notes, { hash: 'a', run: 1, at: 5000 });
      await journal.settle(notes, { state: 'sent', outcome: 'unknown', at: 5100 });
      await journal.intend(notes, { hash: 'a', run: 2, at: 1000 });
      await journal.settle(notes, { state: 'uncertain', outcome: 'refused', at: 1100 });
      await journal.settle(notes, { state: 'failed', outcome: 'ruling', at: 1200 });
      const attempts = await collect(journal.attempts(id));
      expect(attempts.map(({ state }) => state)).toEqual(['sent', 'uncertain', 'failed']);
    });
  });
}
