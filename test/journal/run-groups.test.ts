import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { partitionOf, partitions } from '../../src/domain/account-key.ts';
import { LeaseLost, type Journal, type LeaseOwner } from '../../src/journal/journal.ts';
import type { Budget, Joined, RunGroups, Turn, TurnReport } from '../../src/journal/run-groups.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { postgresJournal, type KeptJournal } from './postgres/open-postgres-journal.ts';

const leaseMs = 1000;
const alive = () => false;
const budget: Budget = { concurrency: 10, processConcurrency: 5, rate: 100 };
const idle: TurnReport = {
  leaseMs,
  given: [],
  passed: [],
  silent: [],
  uses: budget,
  isIdle: false,
  heard: '',
};

describe('the partition of an account', () => {
  it('is the same for ever, and each gets its share of numbers in a row', () => {
    expect(['A-1', '000123', 'ü', ''].map(partitionOf)).toEqual([63, 225, 121, 129]);
    const counts = new Array<number>(partitions).fill(0);
    for (let number = 0; number < 256_000; number += 1) {
      const at = partitionOf(`ACC-${String(number).padStart(7, '0')}`);
      counts[at] = (counts[at] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(800);
    expect(Math.max(...counts)).toBeLessThan(1200);
  });
});

describe.skipIf(!hasPostgres)('runs that share a book (needs PostgreSQL)', () => {
  let server: PostgresServer;
  let database: string;
  let directory: string;
  let kept: KeptJournal;
  let opened: Journal[];
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'journal-'));
    database = await server.makeDatabase();
    kept = await postgresJournal(server, database, directory);
    opened = [];
    await setClock(10_000);
  });
  afterEach(async () => {
    for (const journal of opened) await journal.close();
    await kept.close();
    rmSync(directory, { recursive: true });
  });

  const setClock = (ms: number) => server.query(`UPDATE public.test_clock SET ms = ${ms}`, database);

  interface Member {
    readonly journal: Journal;
    readonly groups: RunGroups;
    readonly joined: Joined;
    readonly owner: LeaseOwner;
    turn(report?: Partial<TurnReport>, isDead?: (owner: LeaseOwner) => boolean): Promise<Turn>;
  }

  async function member(
    pid: number,
    { book = 'b', states = budget }: { book?: string; states?: Budget } = {},
  ): Promise<Member> {
    const journal = await kept.open();
    opened.push(journal);
    const { groups } = journal;
    if (groups === undefined) throw new Error('this engine has no groups');
    const owner = { host: 'h', pid, processStart: '' };
    const start = { platform: 'p', platformLabel: 'p', dryRun: false, export: 'e', startedAt: 1 };
    const run = await journal.startRun(start);
    const order = { platform: 'p', book, place: `/${pid}/e`, fixes: [], run, owner, leaseMs, budget: states };
    const joined = await groups.join(order, alive);
    return {
      ...{ journal, groups, joined, owner },
      turn: (report = {}, isDead = alive) => groups.turn(joined, { ...idle, ...report }, isDead),
    };
  }

  function accountIn(partition: number): { supplier: string; account: string } {
    for (let number = 0; ; number += 1)
      if (partitionOf(String(number)) === partition) return { supplier: 'S', account: String(number) };
  }

  it('have one group and one location, also when they begin at the same moment', async () => {
    const [a, b, c] = await Promise.all([member(1), member(2), member(3)]);
    expect(new Set([a, b, c].map(({ joined }) => joined.group)).size).toBe(1);
    expect(new Set([a, b, c].map(({ joined }) => joined.place)).size).toBe(1);
    expect((await member(4, { book: 'another' })).joined.group).not.toBe(a.joined.group);
  });

  it('are known as those that shared one, after their end too', async () => {
    const [a, b] = [await member(1), await member(2)];
    await member(3, { book: 'another' });
    const { groups } = await kept.open().then((journal) => (opened.push(journal), journal));
    await a.groups.leave(a.joined);
    await b.groups.leave(b.joined);
    const known = [];
    for (const run of [1, 2, 3, 4]) known.push(await groups?.runsWith(run));
    expect(known).toEqual([[1, 2], [1, 2], [3], []]);
  });

  it('divide its partitions equally, each to one, and give the later ones their share', async () => {
    const a = await member(1);
    expect((await a.turn()).held).toHaveLength(partitions);
    const b = await member(2);
    expect((await b.turn()).held).toEqual([]);
    const { surplus, held } = await a.turn();
    expect(surplus).toBe(partitions / 2);
    const after = await a.turn({ given: held.slice(0, surplus) });
    const theirs = await b.turn();
    expect(theirs.held).toEqual(held.slice(0, surplus));
    expect(after.held).toEqual(held.slice(surplus));
    const c = await member(3);
    const [ofA, ofB] = [await a.turn(), await b.turn()];
    expect(ofA.surplus + ofB.surplus).toBeGreaterThanOrEqual(84);
    await a.turn({ given: ofA.held.slice(0, ofA.surplus) });
    await c.turn();
    await b.turn({ given: ofB.held.slice(0, ofB.surplus) });
    await c.turn();
    const all = [await a.turn(), await b.turn(), await c.turn()];
    expect(all.flatMap((turn) => turn.held).toSorted((x, y) => x - y)).toEqual([...Array(partitions).keys()]);
    for (const turn of all) expect([turn.held.length, turn.surplus]).toEqual([expect.closeTo(85, -1), 0]);
  });

  it('write only of accounts in their own partitions', async () => {
    const a = await member(1);
    const { held } = await a.turn();
    const b = await member(2);
    const [first = 0, second = 0] = held;
    await a.turn({ given: [first] });
    await b.turn();
    await expect(a.journal.open('p', accountIn(first))).rejects.toThrow(LeaseLost);
    await expect(b.journal.open('p', accountIn(second))).rejects.toThrow(LeaseLost);
    const { id } = await b.journal.open('p', accountIn(first));
    await expect(a.journal.change(id, { state: 'staged' })).rejects.toThrow(LeaseLost);
    await expect(
      a.journal.intend({ accountId: id, step: 'notes', part: 0 }, { hash: 'h', run: 1, at: 1 }),
    ).rejects.toThrow(LeaseLost);
    await b.journal.change(id, { state: 'staged' });
    expect((await a.journal.overview())[0]?.accounts).toMatchObject({ pending: 0, staged: 1 });
  });

  it('take over one that is silent after its lease, and it writes nothing more', async () => {
    const a = await member(1);
    const { held } = await a.turn();
    const b = await member(2);
    const { id } = await a.journal.open('p', accountIn(held[0] ?? 0));
    await b.turn();
    const silent = [a.joined.runner];
    expect((await b.turn({ silent })).held).toEqual([]);
    await setClock(20_000);
    expect((await b.turn()).held).toEqual([]);
    const taken = await b.turn({ silent });
    expect(taken.held).toHaveLength(partitions);
    expect(taken.runners).toMatchObject([{ runner: b.joined.runner, partitions }]);
    for (const late of [
      a.journal.change(id, { state: 'failed' }),
      a.journal.open('p', accountIn(held[1] ?? 0)),
      a.turn(),
    ])
      await expect(late).rejects.toThrow(LeaseLost);
    await a.groups.leave(a.joined);
    await b.journal.change(id, { state: 'staged' });
    expect((await b.turn()).held).toHaveLength(partitions);
  });

  it('take over one whose process is dead at once', async () => {
    const a = await member(1);
    await a.turn();
    const b = await member(2);
    expect((await b.turn({}, ({ pid }) => pid === 1)).held).toHaveLength(partitions);
  });

  it('hold nobody up while the system is asked whether others are gone', async () => {
    const a = await member(1);
    await a.turn();
    await a.journal.takeLease(
      { platform: 'p', supplier: 'S', owner: a.owner, group: a.joined.group },
      ...([0, leaseMs, alive] as const),
    );
    const b = await member(2);
    const asked: (readonly number[])[] = [];
    const ask = async (owners: readonly LeaseOwner[]): Promise<void> => {
      asked.push(owners.map(({ pid }) => pid));
      const locks = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
        OR relation IN ('migrate.run_group'::regclass, 'migrate.lease'::regclass)`;
      expect(await server.query(locks, database)).toEqual([]);
    };
    const isDead = Object.assign(({ pid }: LeaseOwner) => pid === 1 && asked.length > 0, { ask });
    const c = await kept.open();
    opened.push(c);
    const lease = { platform: 'p', supplier: 'S', owner: { ...a.owner, pid: 3 } };
    const order = { platform: 'p', book: 'b', place: '/', fixes: [], run: 1, leaseMs, budget };
    expect(await c.takeLease(lease, 0, leaseMs, isDead)).toMatchObject({ held: true, owner: { pid: 2 } });
    await c.groups?.join({ ...order, owner: lease.owner }, isDead);
    expect((await b.turn({}, isDead)).held).toHaveLength(partitions / 2);
    expect(asked).toEqual([[1, 2], expect.arrayContaining([1, 2]) as number[], [1]]);
  });

  it('let a transaction of one that stalls end before they take over', async () => {
    const a = await member(1);
    const { held } = await a.turn();
    const b = await member(2);
    const { id } = await a.journal.open('p', accountIn(held[0] ?? 0));
    const { host, port, user, password } = server;
    const stalled = new pg.Client({ host, port, user, password, database });
    await stalled.connect();
    try {
      // What a write of the first one does, up to its commit.
      await stalled.query('BEGIN');
      await stalled.query(
        `UPDATE migrate.writer SET commits = commits + 1 WHERE id = (SELECT writer.id FROM migrate.writer
          JOIN migrate.runner USING (session) WHERE runner.id = ${a.joined.runner})`,
      );
      await stalled.query(`UPDATE migrate.account SET code = 'late' WHERE id = ${id}`);
      let isTaken = false;
      const taking = b.turn({}, ({ pid }) => pid === 1).then((turn) => ((isTaken = true), turn));
      await waitsForLock();
      expect(isTaken).toBe(false);
      await stalled.query('COMMIT');
      expect((await taking).held).toHaveLength(partitions);
      expect(await b.journal.find('p', accountIn(held[0] ?? 0))).toMatchObject({ code: 'late' });
    } finally {
      await stalled.end();
    }
  });

  async function waitsForLock(): Promise<void> {
    for (;;) {
      const [row] = await server.query(
        'SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = $2',
        'postgres',
        [database, 'Lock'],
      );
      if (Number(row?.['waiting']) > 0) return;
    }
  }

  it('write while a transaction of another one is open', async () => {
    const a = await member(1);
    const { held } = await a.turn();
    const b = await member(2);
    await a.turn({ given: held.slice(0, 10) });
    await b.turn();
    const { id } = await a.journal.open('p', accountIn(held[20] ?? 0));
    const { host, port, user, password } = server;
    const stalled = new pg.Client({ host, port, user, password, database });
    await stalled.connect();
    try {
      await stalled.query('BEGIN');
      await stalled.query(
        `UPDATE migrate.writer SET commits = commits + 1 WHERE session = (
          SELECT session FROM migrate.runner WHERE id = ${a.joined.runner})`,
      );
      await stalled.query(`UPDATE migrate.account SET state = 1 WHERE id = ${id}`);
      await stalled.query('UPDATE migrate.tally SET accounts = accounts - 1 WHERE writer > 0 AND state = 0');
      const { id: other } = await b.journal.open('p', accountIn(held[0] ?? 0));
      await b.journal.change(other, { state: 'failed' });
      await stalled.query('ROLLBACK');
    } finally {
      await stalled.end();
    }
    expect((await a.journal.overview())[0]?.accounts).toMatchObject({ pending: 1, failed: 1 });
  });

  it('hold a supplier together, and keep everybody else out until the last one leaves', async () => {
    const [a, b] = [await member(1), await member(2)];
    const other = await member(3, { book: 'another' });
    const lone = await kept.open();
    opened.push(lone);
    const take = (journal: Journal, owner: LeaseOwner, group?: number) =>
      journal.takeLease(
        { platform: 'p', supplier: 'S', owner, ...(group === undefined ? {} : { group }) },
        10_000,
        11_000,
        alive,
      );
    await a.turn();
    await b.turn();
    expect(await take(a.journal, a.owner, a.joined.group)).toEqual({ held: false, epoch: 1 });
    expect(await take(b.journal, b.owner, b.joined.group)).toEqual({ held: false, epoch: 1 });
    expect(await take(other.journal, other.owner, other.joined.group)).toMatchObject({ held: true });
    expect(await take(lone, { host: 'x', pid: 9, processStart: '' })).toMatchObject({
      held: true,
      owner: a.owner,
    });
    await a.journal.releaseLease('p', 'S', 1);
    await a.groups.leave(a.joined);
    expect(await take(lone, { host: 'x', pid: 9, processStart: '' })).toMatchObject({
      held: true,
      owner: b.owner,
    });
    await b.groups.leave(b.joined);
    expect(await take(lone, { host: 'x', pid: 9, processStart: '' })).toEqual({ held: false, epoch: 3 });
  });

  it('are done when each partition was passed, and know what everyone counted', async () => {
    const a = await member(1);
    const { held } = await a.turn();
    const b = await member(2);
    const [mine, theirs] = [held.slice(0, 128), held.slice(128)];
    await a.turn({ given: theirs });
    await b.turn();
    const passed = (numbers: readonly number[], name: string) =>
      numbers.map((number) => ({ number, result: JSON.stringify({ [name]: number }) }));
    expect((await a.turn({ passed: passed(mine, 'a') })).isDone).toBe(false);
    // It passed these, and another one has them.
    await a.turn({ passed: passed(theirs, 'late') });
    expect((await b.turn({ passed: passed(theirs, 'b') })).isDone).toBe(true);
    expect((await a.turn()).isDone).toBe(true);
    const results = await a.groups.results(a.joined);
    expect(results).toHaveLength(partitions);
    expect(results.join()).not.toContain('late');
  });

  it('end if the journal lacks a commit of one of them that is gone, which only another one saw', async () => {
    const [a, b] = [await member(1), await member(2)];
    await b.journal.takeMark(1);
    await a.turn();
    await b.turn();
    await server.query(
      'UPDATE migrate.writer SET commits = commits - 1 WHERE session = (SELECT session FROM migrate.runner ORDER BY id LIMIT 1)',
      database,
    );
    await expect(b.turn()).rejects.toThrow(/lacks commits of another run that this one saw/);
    const next = await kept.open();
    opened.push(next);
    expect(await next.open('p', { supplier: 'S', account: '1' })).toHaveProperty('inDoubtSince');
  });

  it('keep on their machine what they saw of the others, for the run after them', async () => {
    const [a, b] = [await member(1), await member(2)];
    await b.journal.takeMark(1);
    await a.turn();
    await b.turn();
    await server.query(
      'UPDATE migrate.writer SET commits = commits - 1 WHERE session = (SELECT session FROM migrate.runner ORDER BY id LIMIT 1)',
      database,
    );
    const next = await kept.open();
    opened.push(next);
    expect(await next.takeMark(2)).toBe('went-back');
  });

  it('never use more than the budget together, whoever comes and goes', async () => {
    const members = new Map<Member, Budget>();
    const most = { concurrency: 0, rate: 0 };
    const check = (): void => {
      const of = (pick: (used: Budget) => number): number =>
        [...members.values()].reduce((total, used) => total + pick(used), 0);
      expect(of(({ concurrency }) => concurrency)).toBeLessThanOrEqual(10);
      expect(of(({ processConcurrency }) => processConcurrency)).toBeLessThanOrEqual(5);
      expect(of(({ rate }) => rate ?? 0)).toBeLessThanOrEqual(100.001);
      most.concurrency = Math.max(
        most.concurrency,
        of(({ concurrency }) => concurrency),
      );
      most.rate = Math.max(
        most.rate,
        of(({ rate }) => rate ?? 0),
      );
    };
    const none: Budget = { concurrency: 0, processConcurrency: 0, rate: 0 };
    const lag = new Map<Member, Budget>();
    for (let step = 0; step < 60; step += 1) {
      if (step % 12 === 0) members.set(await member(step), none);
      for (const [one, before] of members) {
        const isIdle = one.owner.pid % 24 === 12 && step % 7 > 3;
        const used = isIdle ? none : before;
        const { granted } = await one.turn({ uses: isIdle ? none : (lag.get(one) ?? used), isIdle });
        if (isIdle) expect(granted).toEqual(none);
        // What it uses falls one turn late: its requests have to end first.
        lag.set(one, granted);
        members.set(one, {
          concurrency: Math.max(granted.concurrency, Math.min(used.concurrency, granted.concurrency + 1)),
          processConcurrency: granted.processConcurrency,
          rate: granted.rate,
        });
        check();
        const now = members.get(one) ?? none;
        lag.set(one, now);
      }
      const [first] = members.keys();
      if (step % 25 === 24 && first !== undefined) {
        await first.groups.leave(first.joined);
        members.delete(first);
      }
    }
    expect(most.concurrency).toBe(10);
    expect(most.rate).toBeCloseTo(100);
  });

  it('use all of the budget while one of them has nothing to drive, which gets its part back', async () => {
    const none: Budget = { concurrency: 0, processConcurrency: 0, rate: 0 };
    const a = await member(1);
    expect((await a.turn({ uses: none, isIdle: true })).granted).toEqual(budget);
    const b = await member(2);
    expect((await a.turn()).granted).toEqual(budget);
    expect((await b.turn({ uses: none, isIdle: true })).granted).toEqual(none);
    expect((await a.turn()).granted).toEqual(budget);
    // It has work: the other one lowers its limit, and gives the rest up when it uses it no longer.
    expect((await b.turn({ uses: none })).granted).toEqual(none);
    const half: Budget = { concurrency: 5, processConcurrency: 3, rate: 50 };
    expect((await a.turn()).granted).toEqual(half);
    expect((await b.turn({ uses: none })).granted).toEqual(none);
    expect((await a.turn({ uses: half })).granted).toEqual(half);
    expect((await b.turn({ uses: none })).granted).toEqual({ ...half, processConcurrency: 2 });
  });

  it('stop together for the reason of one of them', async () => {
    const [a, b] = [await member(1), await member(2)];
    const stopped = { reason: 'max-failures', detail: '10 accounts' };
    await a.turn({ stopped });
    expect((await b.turn({ stopped: { reason: 'limit', detail: '' } })).stopped).toEqual(stopped);
  });
});
