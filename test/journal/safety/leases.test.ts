import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LeaseLost, type LeaseOwner } from '../../../src/journal/journal.ts';
import { heldIn, lastHolderIn, leasesOf } from '../../../src/journal/sqlite/leases.ts';
import { journalSpec } from '../../../src/journal/sqlite/schema.ts';
import { suppliersOf } from '../../../src/journal/sqlite/suppliers.ts';
import { openDatabase, type Sqlite } from '../../../src/sqlite/open-database.ts';

const here = { host: 'here', pid: 1, processStart: 'a' };
const there = { host: 'there', pid: 2, processStart: 'b' };
const alive = (_owner: LeaseOwner) => false;
const dead = () => true;

let db: Sqlite;
beforeEach(() => {
  db = openDatabase(':memory:', { ...journalSpec, synchronous: 'NORMAL' });
});
afterEach(() => db.close());

/** The leases as one process has them. */
const process = () => leasesOf(db, suppliersOf(db));
const lease = (owner = here, supplier = 'S', platform = 'p') => ({ platform, supplier, owner });

describe('a lease', () => {
  it('is held by its owner until it expires', () => {
    const [mine, theirs] = [process(), process()];
    expect(mine.take(lease(), 10, 20, alive)).toEqual({ held: false, epoch: 1 });
    expect(theirs.take(lease(there), 19, 30, alive)).toEqual({
      ...{ held: true, owner: here, since: 10, expiresAt: 20 },
    });
    expect(theirs.take(lease(there), 20, 30, alive)).toEqual({ held: false, epoch: 2 });
    expect(mine.take(lease(), 29, 40, alive)).toMatchObject({ held: true, owner: there, since: 20 });
  });

  it('of a process that is gone is free', () => {
    process().take(lease(), 10, 20, alive);
    const asked: unknown[] = [];
    const taken = process().take(lease(there), 11, 30, (owner) => asked.push(owner) > 0);
    expect(taken).toEqual({ held: false, epoch: 2 });
    expect(asked).toEqual([here]);
  });

  it('is renewed by whoever has it, and by nobody else', () => {
    const mine = process();
    mine.take(lease(), 10, 20, alive);
    expect(mine.renew('p', 'S', 1, 40)).toBe(true);
    expect(mine.renew('p', 'S', 2, 50)).toBe(false);
    expect(mine.renew('p', 'T', 1, 50)).toBe(false);
    expect(process().take(lease(there), 39, 60, alive)).toMatchObject({ held: true, expiresAt: 40 });
  });

  it('that was released is free, and cannot be renewed', () => {
    const mine = process();
    mine.take(lease(), 10, 20, alive);
    mine.release('p', 'S', 1);
    expect(mine.renew('p', 'S', 1, 40)).toBe(false);
    expect(process().take(lease(there), 11, 30, alive)).toEqual({ held: false, epoch: 3 });
    // What another has taken since is not released.
    mine.release('p', 'S', 1);
    mine.release('p', 'T', 1);
    expect(process().take(lease(), 12, 30, alive)).toMatchObject({ held: true, owner: there });
  });
});

describe('a process that writes', () => {
  it('goes on while it has its leases, or released them', () => {
    const mine = process();
    mine.look();
    expect(() => mine.check()).not.toThrow();
    mine.take(lease(), 10, 20, alive);
    mine.look();
    expect(() => mine.check()).not.toThrow();
    mine.release('p', 'S', 1);
    process().take(lease(there), 11, 30, alive);
    mine.look();
    expect(() => mine.check()).not.toThrow();
  });

  it('is refused once one of them is lost, and as soon as it has looked', () => {
    const mine = process();
    mine.take(lease(), 10, 20, alive);
    mine.take(lease(here, 'T'), 10, 20, alive);
    process().take(lease(there), 20, 30, alive);
    expect(() => mine.check()).not.toThrow();
    mine.look();
    expect(() => mine.check()).toThrow(LeaseLost);
    expect(() => mine.check()).toThrow(expect.objectContaining({ supplier: 'S' }));
    // It has another one of its own, and releases the one that it lost.
    mine.release('p', 'S', 7);
    mine.look();
    expect(() => mine.check()).toThrow(LeaseLost);
    mine.release('p', 'S', 1);
    mine.look();
    expect(() => mine.check()).not.toThrow();
  });

  it('goes on once it has taken the lost one again', () => {
    const mine = process();
    mine.take(lease(), 10, 20, alive);
    process().take(lease(there), 20, 30, alive);
    mine.look();
    mine.take(lease(), 30, 40, alive);
    mine.look();
    expect(() => mine.check()).not.toThrow();
  });
});

describe('who holds a supplier', () => {
  const held = (now: number, isDead = alive, only?: { platform: string; supplier: string }) =>
    heldIn(db, { now, isDead }, only);

  it('is told until the lease expires, unless the process is gone', () => {
    process().take(lease(), 10, 20, alive);
    expect(held(19)).toEqual({
      supplier: 'S',
      held: { held: true, owner: here, since: 10, expiresAt: 20 },
    });
    expect(held(20)).toBeUndefined();
    expect(held(19, dead)).toBeUndefined();
  });

  it('is told of the first that is held, or of the named one', () => {
    process().take(lease(here, 'S', 'q'), 10, 20, alive);
    process().take(lease(there, 'T'), 10, 20, alive);
    expect(held(19, (owner) => owner.host === 'here')).toMatchObject({ supplier: 'T' });
    expect(held(19, alive, { platform: 'p', supplier: 'T' })).toMatchObject({ held: { owner: there } });
    expect(held(19, alive, { platform: 'q', supplier: 'S' })).toMatchObject({ held: { owner: here } });
    expect(held(19, alive, { platform: 'p', supplier: 'S' })).toBeUndefined();
    expect(held(19, alive, { platform: 'q', supplier: 'T' })).toBeUndefined();
  });
});

describe('who was last to hold a supplier', () => {
  it('is told of the newest lease that was not released', () => {
    expect(lastHolderIn(db)).toBeUndefined();
    const mine = process();
    mine.take(lease(here, 'S'), 10, 20, alive);
    process().take(lease(there, 'T'), 9, 90, alive);
    expect(lastHolderIn(db)).toEqual({ supplier: 'S', owner: here });
    mine.release('p', 'S', 1);
    expect(lastHolderIn(db)).toEqual({ supplier: 'T', owner: there });
  });
});
