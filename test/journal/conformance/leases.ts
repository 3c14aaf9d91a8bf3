import { describe, expect, it } from 'vitest';
import { zeroCounts } from '../../../src/domain/account-state.ts';
import { LeaseLost, type Journal } from '../../../src/journal/journal.ts';
import type { OpenJournal } from '../conformance.ts';
import { collect } from './collect.ts';

const owner = { host: 'h1', pid: 100, processStart: '17' };
const other = { host: 'h2', pid: 100, processStart: '18' };
const mine = { platform: 'p', supplier: 'S', owner };
const theirs = { platform: 'p', supplier: 'S', owner: other };
const alive = () => false;
const dead = () => true;

export function leasesConformance(open: OpenJournal): void {
  describe('leases', () => {
    it('go to one owner, and tell the next one who it is', async () => {
      const [a, b] = [await open(), await open()];
      expect(await a.takeLease(mine, 1000, 2000, alive)).toEqual({ held: false, epoch: 1 });
      expect(await b.takeLease(theirs, 1500, 2500, alive)).toEqual({
        held: true,
        owner,
        since: 1000,
        expiresAt: 2000,
      });
    });

    it('are separate for each supplier and platform', async () => {
      const journal = await open();
      for (const [platform, supplier] of [
        ['p', 'S'],
        ['p', 'T'],
        ['q', 'S'],
      ] as const)
        expect(await journal.takeLease({ platform, supplier, owner }, 1, 2, alive)).toMatchObject({
          held: false,
        });
      expect(await journal.overview()).toEqual([]);
    });

    it('go to another once they have expired, and are then lost to the first', async () => {
      const [a, b] = [await open(), await open()];
      await a.takeLease(mine, 1000, 2000, alive);
      expect(await b.takeLease(theirs, 2000, 3000, alive)).toEqual({ held: false, epoch: 2 });
      expect(await a.renewLease('p', 'S', 1, 2500, 9000)).toBe(false);
      await a.releaseLease('p', 'S', 1);
      expect(await a.takeLease(mine, 2500, 3500, alive)).toMatchObject({ held: true, owner: other });
    });

    it('go to another at once when the owner is dead', async () => {
      const journal = await open();
      await journal.takeLease(mine, 1000, 2000, alive);
      const asked: unknown[] = [];
      const lease = await journal.takeLease(theirs, 1001, 2001, (holder) => asked.push(holder) > 0);
      expect(lease).toEqual({ held: false, epoch: 2 });
      expect(asked).toEqual([owner]);
    });

    it('last as long as they are renewed', async () => {
      const journal = await open();
      await journal.takeLease(mine, 1000, 2000, alive);
      expect(await journal.renewLease('p', 'S', 1, 1500, 4000)).toBe(true);
      expect(await journal.takeLease(theirs, 3000, 5000, alive)).toMatchObject({
        held: true,
        expiresAt: 4000,
      });
    });

    it('are free once released, and cannot be renewed then', async () => {
      const journal = await open();
      await journal.takeLease(mine, 1000, 2000, alive);
      await journal.releaseLease('p', 'S', 1);
      expect(await journal.renewLease('p', 'S', 1, 2500, 9000)).toBe(false);
      const taken = await journal.takeLease(theirs, 1001, 2001, alive);
      expect(taken).toMatchObject({ held: false });
      expect(!taken.held && taken.epoch > 1).toBe(true);
      expect(await journal.renewLease('p', 'UNKNOWN', 1, 2500, 9000)).toBe(false);
    });

    it('can be renewed after they have expired, while nobody has taken them', async () => {
      const journal = await open();
      await journal.takeLease(mine, 1000, 2000, alive);
      expect(await journal.renewLease('p', 'S', 1, 2500, 9000)).toBe(true);
      expect(await (await open()).takeLease(theirs, 5000, 6000, alive)).toMatchObject({ held: true });
    });

    it('never repeat an epoch', async () => {
      const journal = await open();
      const epochs: number[] = [];
      for (let i = 0; i < 5; i++) {
        const lease = await journal.takeLease(mine, i, i + 10, dead);
        if (!lease.held) epochs.push(lease.epoch);
        if (!lease.held && i % 2 === 0) await journal.releaseLease('p', 'S', lease.epoch);
      }
      expect(epochs).toEqual([...new Set(epochs)].toSorted((a, b) => a - b));
      expect(epochs).toHaveLength(5);
    });
  });

  describe('a journal whose lease another has taken over', () => {
    const key = { supplier: 'S', account: '1' };
    const notes = { step: 'notes', part: 0 } as const;
    const intent = { hash: 'h', run: 1, at: 1 };

    /** An account, and the journal that lost it after having asked for a request to be recorded. */
    async function lost(): Promise<{ journal: Journal; taker: Journal; accountId: number }> {
      const [journal, taker] = [await open(), await open()];
      await journal.takeLease(mine, 1000, 2000, alive);
      const { id: accountId } = await journal.open('p', key);
      await journal.intend({ accountId, ...notes }, intent);
      await taker.takeLease(theirs, 2000, 3000, alive);
      return { journal, taker, accountId };
    }

    it('can write nothing of an account any more, and reads what the other writes', async () => {
      const { journal, taker, accountId } = await lost();
      const refused = [
        journal.settle({ accountId, ...notes }, { state: 'done', outcome: 'ok', at: 2 }),
        journal.intend({ accountId, ...notes }, intent),
        journal.change(accountId, { state: 'failed' }),
        journal.setProblems(accountId, [{ code: 'c', path: '' }]),
        journal.open('p', { supplier: 'S', account: '2' }),
      ];
      for (const { status, ...outcome } of await Promise.allSettled(refused))
        expect({ status, ...outcome }).toMatchObject({ status: 'rejected', reason: { supplier: 'S' } });
      await expect(refused[0]).rejects.toThrow(LeaseLost);
      await taker.change(accountId, { state: 'staged' });
      expect(await journal.find('p', key)).toMatchObject({
        state: 'staged',
        parts: [{ state: 'sent', attempt: 1 }],
      });
      expect(await collect(journal.problems(accountId))).toEqual([]);
      expect(await journal.find('p', { supplier: 'S', account: '2' })).toBeUndefined();
    });

    it('still records how its run ended, and stays shut while another lease of its own holds', async () => {
      const { journal, accountId } = await lost();
      await journal.takeLease({ platform: 'p', supplier: 'T', owner }, 2000, 9000, alive);
      await expect(journal.change(accountId, { state: 'failed' })).rejects.toThrow(LeaseLost);
      const start = { platform: 'p', platformLabel: 'p', dryRun: false, export: 'e', startedAt: 1 };
      const run = await journal.startRun(start);
      const end = {
        endedAt: 2,
        exit: 7,
        reason: 'lease-lost',
        accounts: zeroCounts(),
        requests: 0,
        retries: 0,
      };
      await journal.finishRun(run, end);
      expect(await collect(journal.runs())).toMatchObject([{ end }]);
    });

    it('spoils nothing that the one who took it writes in the same moment', async () => {
      const { journal, taker, accountId } = await lost();
      const late = journal.change(accountId, { state: 'failed' });
      const now = taker.settle({ accountId, ...notes }, { state: 'done', outcome: 'ok', at: 3 });
      await expect(late).rejects.toThrow(LeaseLost);
      await now;
      expect(await taker.find('p', key)).toMatchObject({ state: 'pending', parts: [{ state: 'done' }] });
    });

    it('goes on from what the other left, once it has the lease again', async () => {
      const { journal, taker, accountId } = await lost();
      await taker.settle({ accountId, ...notes }, { state: 'failed', outcome: 'timeout', at: 3 });
      await taker.intend({ accountId, ...notes }, { hash: 'theirs', run: 2, at: 4 });
      await taker.change(accountId, { state: 'staged', krakenAccountNumber: 'A-1' });
      await taker.releaseLease('p', 'S', 2);
      await journal.takeLease(mine, 4000, 5000, alive);
      await journal.intend({ accountId, ...notes }, { hash: 'ours', run: 3, at: 5 });
      await journal.change(accountId, { code: 'c' });
      expect(await journal.open('p', key)).toMatchObject({
        state: 'staged',
        krakenAccountNumber: 'A-1',
        code: 'c',
        parts: [{ state: 'sent', hash: 'ours', attempt: 3 }],
      });
      const attempts = await collect(journal.attempts(accountId));
      expect(attempts.map(({ hash, run }) => [hash, run])).toEqual([
        ['h', 1],
        ['theirs', 2],
        ['ours', 3],
      ]);
    });
  });
}
