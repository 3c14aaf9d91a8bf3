import { describe, expect, it } from 'vitest';
import type { OpenJournal } from '../conformance.ts';

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
      expect(await a.renewLease('p', 'S', 1, 9000)).toBe(false);
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
      expect(await journal.renewLease('p', 'S', 1, 4000)).toBe(true);
      expect(await journal.takeLease(theirs, 3000, 5000, alive)).toMatchObject({
        held: true,
        expiresAt: 4000,
      });
    });

    it('are free once released, and cannot be renewed then', async () => {
      const journal = await open();
      await journal.takeLease(mine, 1000, 2000, alive);
      await journal.releaseLease('p', 'S', 1);
      expect(await journal.renewLease('p', 'S', 1, 9000)).toBe(false);
      const taken = await journal.takeLease(theirs, 1001, 2001, alive);
      expect(taken).toMatchObject({ held: false });
      expect(!taken.held && taken.epoch > 1).toBe(true);
      expect(await journal.renewLease('p', 'UNKNOWN', 1, 9000)).toBe(false);
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
}
