import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { partitionOf } from '../../src/domain/account-key.ts';
import type { AccountPlan } from '../../src/mapping/plan.ts';
import type { Journal } from '../../src/journal/journal.ts';
import type { RunGroups } from '../../src/journal/run-groups.ts';
import { runMigration, type RunResult } from '../../src/pipeline/run/run-migration.ts';
import type { RunEvent } from '../../src/pipeline/run/run-events.ts';
import type { Settings } from '../../src/pipeline/settings.ts';
import { StopControl } from '../../src/pipeline/run/stop-control.ts';
import { postgresJournal, type KeptJournal } from '../journal/postgres/open-postgres-journal.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { crashingJournal, type Fate } from './crash/crashing-journal.ts';
import { LeaseClock } from './crash/lease-clock.ts';
import { Life, World } from './crash/world.ts';
import { defaultSettings, ok, planOf, pulled, refused, ScriptedPlatform, supplier } from './harness.ts';

const platform = 'https://platform.example';
const completed = (number: string) => ok({ status: 'COMPLETED', krakenAccountNumber: number }, 200);

/** An object with some of its parts replaced. */
function replacing<T extends object>(whole: T, parts: Partial<T>): T {
  return new Proxy(whole, {
    get(target, name) {
      const value: unknown = Reflect.get(name in parts ? parts : target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

describe.skipIf(!hasPostgres)('two runs of one book (needs PostgreSQL)', () => {
  let server: PostgresServer;
  let kept: KeptJournal;
  let directory: string;
  let world: World;
  let clock: LeaseClock;
  let journals: Journal[];
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'journal-'));
    kept = await postgresJournal(server, await server.makeDatabase(), directory);
    world = new World();
    clock = new LeaseClock(world, (ms) => kept.setClock(ms));
    journals = [];
    [underWay, mostUnderWay] = [0, 0];
  });
  afterEach(async () => {
    for (const journal of journals) await journal.close();
    await kept.close();
    rmSync(directory, { recursive: true });
  });

  /** Requests of all runs that the platform has not answered. */
  let underWay = 0;
  let mostUnderWay = 0;

  interface Run {
    readonly platform: ScriptedPlatform;
    readonly events: RunEvent[];
    readonly ended: Promise<RunResult>;
  }

  interface Circumstances {
    readonly settings?: Partial<Settings>;
    readonly under?: (journal: Journal) => Journal;
    /** When it begins to read the export: each run has its share after twenty seconds. */
    readonly reading?: Promise<void> | number;
    /** Called when it has work, and is about to read the export for it. */
    readonly hasWork?: () => void;
    /** How long the platform takes for an answer, in ms. */
    readonly answersAfter?: number;
    readonly life?: Life;
    readonly fate?: Fate;
    readonly inform?: (message: string) => void;
  }

  /** Begins a run; its journal is as `under` makes it. */
  async function begin(
    plans: readonly AccountPlan[],
    {
      settings = {},
      under = (journal) => journal,
      reading = 20_000,
      hasWork = () => undefined,
      answersAfter = 0,
      life = new Life(),
      fate = () => undefined,
      inform = () => undefined,
    }: Circumstances = {},
  ): Promise<Run> {
    const durable = await world.during(() => kept.open());
    journals.push(durable);
    const ownClock = world.clock(life);
    const scripted = new ScriptedPlatform();
    const client = scripted.client();
    const events: RunEvent[] = [];
    const whole = { ...defaultSettings, concurrency: 8, ...settings };
    const name = `run ${journals.length}`;
    const ended = runMigration(
      {
        plans: pulled(plans, whole),
        shared: {
          book: 'book',
          plansOf: async function* (numbers) {
            hasWork();
            await (typeof reading === 'number' ? ownClock.sleep(reading) : reading);
            const due = plans.filter(({ key }) => numbers.has(partitionOf(key.account)));
            yield* pulled(due, whole);
          },
          inform,
        },
        ...{ export: 'export', place: `/${name}`, faults: 0, platform, platformLabel: platform },
        settings: whole,
        lease: {
          owner: { host: name, pid: 1, processStart: 'a' },
          ...{ isDead: () => false, leaseMs: 60_000, requestMs: 30_000 },
        },
      },
      {
        client: replacing(client, {
          post: async (...args) => {
            underWay += 1;
            mostUnderWay = Math.max(mostUnderWay, underWay);
            if (answersAfter > 0) await ownClock.sleep(answersAfter);
            underWay -= 1;
            return client.post(...args);
          },
        }),
        journal: under(crashingJournal(clock.journal(durable), world, life, fate)),
        clock: ownClock,
        random: () => 0.5,
        stop: new StopControl(),
        emit: (event) => void events.push(event),
      },
    );
    return { platform: scripted, events, ended };
  }

  const many = Array.from({ length: 60 }, (_, at) => planOf(`ACC-${at}`));

  it('settle it before they end where they are told one platform number at the same moment', async () => {
    // Both look for the number in the journal before either has written it.
    let looked = 0;
    let bothLooked: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (bothLooked = resolve));
    const atOnce = (journal: Journal): Journal =>
      replacing(journal, {
        holders: async (of: string, number: string) => {
          const found = await journal.holders(of, number);
          if (number !== 'A-1') return found;
          looked += 1;
          if (looked === 2) bothLooked();
          await both;
          return found;
        },
      });
    const notes = { notes: [{ notes: [{ body: 'one' }] }] };
    // A run that joins gets half of the partitions, the lower ones or the upper ones.
    const names = Array.from({ length: 100 }, (_, at) => `ACC-00${at}`);
    const one = names.find((name) => partitionOf(name) < 100) ?? '';
    const other = names.find((name) => partitionOf(name) > 156) ?? '';
    const plans = [planOf(one, notes), planOf(other, notes)];
    const runs = await Promise.all([begin(plans, { under: atOnce }), begin(plans, { under: atOnce })]);
    for (const { platform: scripted } of runs) {
      scripted.answers('process', ok({ kraken_account_number: 'A-1' }));
      scripted.statuses.set(one, completed('A-1')).set(other, completed('A-2'));
    }
    const results = await Promise.all(runs.map(({ ended }) => ended));
    expect(results.map(({ exit, doubled }) => ({ exit, doubled }))).toEqual([
      { exit: 0, doubled: 0 },
      { exit: 0, doubled: 0 },
    ]);
    for (const [account, number] of [
      [one, 'A-1'],
      [other, 'A-2'],
    ] as const)
      expect(await journals[0]?.find(platform, { supplier, account })).toMatchObject({
        state: 'completed',
        krakenAccountNumber: number,
      });
  });

  it('leave no account out that one of them reads while it is about to hand it over', async () => {
    let handsOver: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => (handsOver = resolve));
    const watched = (journal: Journal): Journal => {
      const { groups } = journal;
      if (groups === undefined) throw new Error('this engine has no groups');
      const turn: RunGroups['turn'] = async (...args) => {
        const taken = await groups.turn(...args);
        // The next turn hands them over.
        if (taken.surplus > 0) setImmediate(handsOver);
        return taken;
      };
      return replacing(journal, { groups: replacing(groups, { turn }) });
    };
    const first = await begin(many, { under: watched, reading });
    const second = await begin(many);
    const results = await Promise.all([first.ended, second.ended]);
    for (const { exit, taken } of results)
      expect({ exit, completed: taken.completed }).toEqual({ exit: 0, completed: many.length });
    for (const { key } of many)
      expect(await journals[0]?.find(platform, key)).toMatchObject({ state: 'completed' });
  });

  it('tell how much of the whole book is done, and name each other at once', async () => {
    let isRead: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => (isRead = resolve));
    const messages: string[] = [];
    const first = await begin(many, { reading, inform: (message) => void messages.push(message) });
    await world.clock(new Life()).sleep(3_000);
    const second = await begin(many, { reading: 0, answersAfter: 500 });
    // The first one has not read its export yet.
    second.platform.onRequest = () => {
      if (messages.length > 0 && second.platform.times('process') >= 10) isRead();
    };
    await Promise.all([first.ended, second.ended]);
    expect(messages[0]).toBe('This run shares the book with run 2 on run 2.');
    for (const { events } of [first, second]) {
      const told = events.flatMap((event) => (event.type === 'book' ? [event.passed] : []));
      expect(Math.max(...told)).toBe(many.length);
      expect(told.at(-1)).toBe(many.length);
    }
    // What the other one does while it waits.
    expect(first.events.find((event) => event.type === 'book' && event.passed > 0)).toBeDefined();
  });

  it('share at once: one that joins has its half after one turn of the other', async () => {
    const first = await begin(many, { reading: 0, answersAfter: 500 });
    while (first.platform.times('validate') === 0) await world.clock(new Life()).sleep(100);
    let joinedAt = Infinity;
    let waited = Infinity;
    const second = await begin(many, {
      answersAfter: 500,
      fate: (point) => {
        if (point === 'after join') joinedAt = world.now;
      },
      reading: 0,
      hasWork: () => (waited = Math.min(waited, world.now - joinedAt)),
    });
    await Promise.all([first.ended, second.ended]);
    // The other one's turn comes within two seconds; from then on it gives what it has too much every quarter of a second.
    expect(waited).toBeLessThanOrEqual(3_000);
    expect(second.platform.times('process')).toBeGreaterThan(many.length / 3);
    expect(mostUnderWay).toBe(8);
  });

  it('go on where one of them waits for its export: what it does not use is for the others', async () => {
    let isRead: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => (isRead = resolve));
    const first = await begin(many, { reading });
    await world.clock(new Life()).sleep(1_000);
    const second = await begin(many, { reading: 0 });
    second.platform.onRequest = () => {
      if (second.platform.times('process') >= 10) isRead();
    };
    for (const { exit } of await Promise.all([first.ended, second.ended])) expect(exit).toBe(0);
    expect(first.platform.times('process') + second.platform.times('process')).toBe(many.length);
  });

  it('keep to their rate, of which one that still reads its export leaves its part to the other', async () => {
    const settings = { rate: 10 };
    const first = await begin(many, { settings, reading: 0 });
    while (first.platform.times('validate') === 0) await world.clock(new Life()).sleep(100);
    const began = world.now;
    const second = await begin(many, { settings, reading: 60_000 });
    // Two turns, and then three requests for each account that stays with the first one.
    while (first.platform.times('process') < 25) await world.clock(new Life()).sleep(100);
    expect(world.now - began).toBeLessThan(12_000);
    for (const { exit } of await Promise.all([first.ended, second.ended])) expect(exit).toBe(0);
  });

  it('end as taken over where one stood still for longer than its lease before it did anything', async () => {
    const stopped = new Life();
    const first = await begin(many, {
      life: stopped,
      fate: (point) => {
        if (point === 'after join') stopped.stop();
      },
    });
    await stopped.fallen;
    const second = await begin(many);
    expect(await second.ended).toMatchObject({ exit: 0, accounts: { completed: many.length } });
    world.wake(stopped);
    expect(await first.ended).toMatchObject({ exit: 7, stop: { reason: 'lease-lost' } });
  });

  it('know the whole book after one alone has read all of it and reached its limit', async () => {
    const { ended } = await begin(many, { settings: { limit: 10 } });
    const { exit, accounts, partlyRead } = await ended;
    expect({ exit, accounts, partlyRead }).toMatchObject({
      exit: 6,
      accounts: { total: many.length, completed: 10, pending: many.length - 10 },
      partlyRead: [],
    });
    expect(accounts.uncounted).toBeUndefined();
  });

  it('stop together as soon as one has reached its number of failures', async () => {
    let fails: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => (fails = resolve));
    const first = await begin(many, { settings: { maxFailures: { count: 3 } } });
    const second = await begin(many, { settings: { maxFailures: { count: 1000 } }, reading });
    first.platform.onRequest = () => {
      if (first.platform.times('validate') >= 3) fails();
    };
    first.platform.answers('validate', ...many.map(() => refused('no')));
    const results = await Promise.all([first.ended, second.ended]);
    for (const result of results) expect(result).toMatchObject({ exit: 6, stop: { reason: 'max-failures' } });
    expect(second.platform.times('validate')).toBeLessThan(many.length);
  });

  it('stop together as soon as the answers to one contradict the journal', async () => {
    const noted = many.map(({ key }) => planOf(key.account, { notes: [{ notes: [{ body: 'one' }] }] }));
    let doubts: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => (doubts = resolve));
    const first = await begin(noted);
    const second = await begin(noted, { reading });
    first.platform.onRequest = () => {
      if (first.platform.times('notes') >= 5) doubts();
    };
    const isThere = ok([{ body: 'one', status: 'NOTE_ALREADY_EXISTS' }]);
    first.platform.answers('notes', ...noted.map(() => isThere));
    const [own, other] = await Promise.all([first.ended, second.ended]);
    expect(own).toMatchObject({ exit: 8, stop: { reason: 'doubled_requests' } });
    expect(other).toMatchObject({ exit: 8, stop: { reason: 'doubled_requests', detail: 'accounts: 5' } });
    expect(second.platform.times('validate')).toBeLessThan(noted.length);
  });
});
