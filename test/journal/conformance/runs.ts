import { rememberedPace } from '../../../src/pipeline/run/remembered-pace.ts';
import { describe, expect, it } from 'vitest';
import { zeroCounts } from '../../../src/domain/account-state.ts';
import type { RunEnd, RunStart } from '../../../src/journal/journal.ts';
import type { OpenJournal } from '../conformance.ts';
import { collect } from './collect.ts';

const start: RunStart = {
  platform: 'embedded:1',
  platformLabel: 'embedded',
  supplier: 'S',
  dryRun: false,
  export: './export',
  startedAt: 1000,
};

const end: RunEnd = {
  endedAt: 5000,
  exit: 6,
  reason: 'interrupt',
  accounts: { ...zeroCounts(), completed: 12, rejected: 3 },
  requests: 99,
  retries: 2,
};

export function runsConformance(open: OpenJournal): void {
  describe('runs', () => {
    it('are told newest first, one that was killed without an end', async () => {
      const journal = await open();
      const first = await journal.startRun(start);
      const { supplier: _, ...all } = start;
      const second = await journal.startRun({ ...all, dryRun: true, startedAt: 2000 });
      await journal.finishRun(first, end);
      expect(await collect((await open()).runs())).toEqual([
        { id: second, ...all, dryRun: true, startedAt: 2000 },
        { id: first, ...start, end },
      ]);
      expect(await collect(journal.runs(1))).toMatchObject([{ id: second }]);
    });

    it('tell until when the journal knows what was created, by the accounts that they created', async () => {
      const journal = await open();
      const codes = ['held'];
      const runs: number[] = [];
      for (const startedAt of [1000, 2000, 3000])
        runs.push(await journal.startRun({ ...start, startedAt, dryRun: startedAt === 1000 }));
      const [dry = 0, first = 0, second = 0] = runs;
      expect(await journal.recordedUntil(first, codes)).toBeUndefined();
      expect(await journal.recordedUntil(second, codes)).toBe(2000);
      const { id } = await journal.open(start.platform, { supplier: 'S', account: 'A' });
      const ref = { accountId: id, step: 'process', part: 0 } as const;
      await journal.intend(ref, { hash: 'h', run: first, at: 2500 });
      expect(await journal.recordedUntil(second, codes)).toBe(2000);
      await journal.settle(ref, { state: 'done', outcome: 'ok', at: 2600 });
      expect(await journal.recordedUntil(second, codes)).toBe(2500);
      const notes = { accountId: id, step: 'notes', part: 0 } as const;
      await journal.recordSent(
        notes,
        { hash: 'n', run: first, at: 2700 },
        { state: 'uncertain', outcome: 'unknown', code: 'held', at: 2700 },
      );
      await journal.settle(notes, { state: 'done', outcome: 'ruling', at: 2800 });
      expect(await journal.recordedUntil(second, codes)).toBe(2000);
      expect(await journal.recordedUntil(first, codes)).toBeUndefined();
      expect(dry).toBeLessThan(first);
    });

    it('that could not start say nothing of when the journal was complete', async () => {
      const journal = await open();
      const refused = await journal.startRun({ ...start, startedAt: 1000 });
      await journal.finishRun(refused, { ...end, exit: 2, reason: 'not-begun' });
      const second = await journal.startRun({ ...start, startedAt: 2000 });
      expect(await journal.recordedUntil(second, [])).toBeUndefined();
      const third = await journal.startRun({ ...start, startedAt: 3000 });
      expect(await journal.recordedUntil(third, [])).toBe(2000);
    });

    describe('on a platform that was known by its label alone', () => {
      const unknown = { ...start, platform: 'http://127.0.0.1:7000', platformLabel: 'http://127.0.0.1:7000' };
      const known = { ...unknown, platform: 'embedded:7' };
      const key = { supplier: 'S', account: 'A' };

      it('take over what was recorded under the label, where nothing was sent', async () => {
        const journal = await open();
        await journal.startRun(unknown);
        const { id } = await journal.open(unknown.platform, key);
        await journal.change(id, { state: 'rejected' });
        const later = await open();
        await later.startRun(known);
        expect(await later.open(known.platform, key)).toMatchObject({ id, state: 'rejected' });
        expect(await later.platforms()).toEqual([{ platform: 'embedded:7', label: unknown.platformLabel }]);
        expect(await collect(later.runs())).toMatchObject([known, known]);
      });

      it('leave it where something was sent', async () => {
        const journal = await open();
        await journal.startRun(unknown);
        const { id } = await journal.open(unknown.platform, key);
        await journal.intend({ accountId: id, step: 'stage', part: 0 }, { hash: 'h', run: 1, at: 1 });
        await journal.startRun(known);
        expect((await journal.find(unknown.platform, key))?.id).toBe(id);
        expect(await journal.find(known.platform, key)).toBeUndefined();
      });

      it('leave it while another run goes on', async () => {
        const journal = await open();
        await journal.startRun(unknown);
        const owner = { host: 'night-1', pid: 1, processStart: 'a' };
        const lease = { platform: unknown.platform, supplier: 'S', owner };
        await journal.takeLease(lease, 500, 90_000, () => false);
        const { id } = await journal.open(unknown.platform, key);
        await (await open()).startRun(known);
        expect((await journal.find(unknown.platform, key))?.id).toBe(id);
      });
    });

    it('are streamed however many there are', async () => {
      const journal = await open();
      const ids = await Promise.all(Array.from({ length: 230 }, () => journal.startRun(start)));
      expect((await collect(journal.runs())).map(({ id }) => id)).toEqual(ids.toReversed());
      expect(await collect(journal.runs(101))).toHaveLength(101);
    });

    it('tell who began them', async () => {
      const journal = await open();
      const by = { user: 'jane', host: 'night-1', version: '0.1.0' };
      await journal.startRun({ ...start, by });
      await journal.startRun({ ...start, by });
      await journal.startRun(start);
      const runs = await collect((await open()).runs());
      expect(runs.map((run) => run.by)).toEqual([undefined, by, by]);
    });

    it('tell how fast they go, as it was noted last', async () => {
      const journal = await open();
      const run = await journal.startRun(start);
      await journal.notePace(run, { words: '2 at once (rising)' });
      await journal.notePace(run, { words: '3 at once (rising)' });
      expect(await collect(journal.runs())).toMatchObject([{ id: run, pace: '3 at once (rising)' }]);
    });

    it('tell the rates that they found, for the next one', async () => {
      const journal = await open();
      const run = await journal.startRun(start);
      const found = { perSecond: 47, endpoints: { notes: 4.5 } };
      const answered = { accepted: 90, refused: 3, unclear: 1 };
      await journal.notePace(run, { words: '3 at once (rate)', found, answered });
      const [noted] = await collect((await open()).runs());
      expect(noted).toMatchObject({ pace: '3 at once (rate)', found, answered });
      await journal.notePace(run, { words: '', stopping: { reason: 'interrupt', since: 7 } });
      expect(await collect(journal.runs())).toMatchObject([{ stopping: { reason: 'interrupt', since: 7 } }]);
      await journal.notePace(run, { words: '3 at once (rate)', found, answered });
      const next = await journal.startRun(start);
      expect(await rememberedPace(journal, start.platform, next, start.startedAt)).toEqual(found);
      expect(await rememberedPace(journal, 'another', next, start.startedAt)).toBeUndefined();
    });

    it('are told back to where the machine was started anew, or its clock was set', async () => {
      const journal = await open();
      const boots = [
        { id: 'a', at: 1000 },
        { id: 'a', at: 90_000 },
        { id: 'a', at: 90_900 },
        { id: 'b', at: 90_000 },
        undefined,
        undefined,
        { id: 'b', at: 89_000 },
        { id: 'b', at: 91_000 },
      ];
      const runsBack: number[] = [];
      for (const boot of boots) {
        const run = await journal.startRun({ ...start, ...(boot === undefined ? {} : { boot }) });
        runsBack.push(run - (await journal.sameBootSince(run, boot, 2000)));
      }
      expect(runsBack).toEqual([0, 0, 1, 0, 0, 1, 0, 1]);
    });

    it('end once', async () => {
      const journal = await open();
      const run = await journal.startRun(start);
      await journal.finishRun(run, end);
      await expect(journal.finishRun(run, end)).rejects.toThrow(/not under way/);
      await expect(journal.finishRun(run + 1, end)).rejects.toThrow(/not under way/);
    });

    it('name the platforms, the one that ran last first, each by its latest name', async () => {
      const journal = await open();
      await journal.open('never ran', { supplier: 'S', account: '1' });
      await journal.startRun(start);
      await journal.startRun({ ...start, platform: 'https://a.example', platformLabel: 'old' });
      await journal.startRun({ ...start, platform: 'https://a.example', platformLabel: 'sandbox' });
      await journal.startRun(start);
      expect(await journal.platforms()).toEqual([
        { platform: 'embedded:1', label: 'embedded' },
        { platform: 'https://a.example', label: 'sandbox' },
      ]);
      await journal.open('https://a.example', { supplier: 'S', account: '1' });
      expect(await journal.overview('https://a.example')).toMatchObject([{ platformLabel: 'sandbox' }]);
    });
  });
}
