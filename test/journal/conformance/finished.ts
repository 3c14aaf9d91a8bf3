import { beforeEach, describe, expect, it } from 'vitest';
import { zeroCounts } from '../../../src/domain/account-state.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import type { OpenJournal } from '../conformance.ts';

const owner = { host: 'h1', pid: 100, processStart: '17' };
const accounts = { ...zeroCounts(), completed: 12 };
const end = { endedAt: 5000, exit: 0, reason: '', accounts, requests: 99, retries: 2 };

async function take(journal: Journal, supplier: string): Promise<number> {
  const lease = await journal.takeLease({ platform: 'p', supplier, owner }, 1000, 2000, () => true);
  return lease.held ? 0 : lease.epoch;
}

/** A run over these suppliers that leaves nothing to do; its number. */
async function finish(journal: Journal, suppliers: readonly string[], fingerprint: string): Promise<number> {
  const start = { platform: 'p', platformLabel: 'p', dryRun: false, export: './export', startedAt: 1000 };
  const run = await journal.startRun(start);
  const epochs = new Map<string, number>();
  for (const supplier of suppliers) epochs.set(supplier, await take(journal, supplier));
  await journal.recordFinished({ run, platform: 'p', suppliers, fingerprint });
  for (const [supplier, epoch] of epochs) await journal.releaseLease('p', supplier, epoch);
  await journal.finishRun(run, end);
  return run;
}

/** The run that left nothing to do in what this fingerprint names. */
async function found(journal: Journal, fingerprint: string, platform = 'p') {
  return (await journal.finishedRuns(platform)).find((finished) => finished.fingerprint === fingerprint);
}

export function finishedConformance(open: OpenJournal): void {
  describe('a run that left nothing to do', () => {
    let journal: Journal;
    beforeEach(async () => {
      journal = await open();
    });

    it('is found by its fingerprint, also by another program', async () => {
      const run = await finish(journal, ['S', 'T'], 'f1');
      const again = await open();
      expect(await found(again, 'f1')).toEqual({ run, suppliers: ['S', 'T'], accounts, fingerprint: 'f1' });
      expect(await found(again, 'f2')).toBeUndefined();
      expect(await found(again, 'f1', 'q')).toBeUndefined();
    });

    it('is told with what the files held, where that is known', async () => {
      const start = { platform: 'p', platformLabel: 'p', dryRun: false, export: './export', startedAt: 1000 };
      const run = await journal.startRun(start);
      const epoch = await take(journal, 'S');
      const finished = { run, platform: 'p', suppliers: ['S'], fingerprint: 'f1', content: 'c1' };
      await journal.recordFinished(finished);
      await journal.releaseLease('p', 'S', epoch);
      await journal.finishRun(run, end);
      expect(await found(journal, 'f1')).toMatchObject({ run, content: 'c1' });
    });

    it('counts no more once somebody took one of its suppliers', async () => {
      await finish(journal, ['S', 'T'], 'f1');
      await finish(journal, ['U'], 'f2');
      await take(await open(), 'T');
      expect(await found(journal, 'f1')).toBeUndefined();
      expect(await found(journal, 'f2')).toMatchObject({ suppliers: ['U'] });
    });

    it('counts no more once another export of its supplier was finished', async () => {
      await finish(journal, ['S', 'T'], 'f1');
      const run = await finish(journal, ['S'], 'f2');
      expect(await found(journal, 'f1')).toBeUndefined();
      expect(await found(journal, 'f2')).toMatchObject({ run });
    });

    it('counts no more once the journal was put back from a backup', async () => {
      await finish(journal, ['S'], 'f1');
      await journal.markRestored(6000);
      expect(await found(journal, 'f1')).toBeUndefined();
      const run = await finish(journal, ['S'], 'f1');
      expect(await found(journal, 'f1')).toMatchObject({ run });
    });

    it('counts only when it came to its end, and gave its suppliers back', async () => {
      const start = { platform: 'p', platformLabel: 'p', dryRun: false, export: './export', startedAt: 1000 };
      const run = await journal.startRun(start);
      const epoch = await take(journal, 'S');
      await journal.recordFinished({ run, platform: 'p', suppliers: ['S'], fingerprint: 'f1' });
      await journal.finishRun(run, end);
      expect(await found(journal, 'f1')).toBeUndefined();
      await journal.releaseLease('p', 'S', epoch);
      expect(await found(journal, 'f1')).toMatchObject({ run });

      const other = await journal.startRun(start);
      await take(journal, 'S');
      await journal.recordFinished({ run: other, platform: 'p', suppliers: ['S'], fingerprint: 'f1' });
      await journal.finishRun(other, end);
      await take(await open(), 'S');
      expect(await found(journal, 'f1')).toBeUndefined();
    });
  });
}
