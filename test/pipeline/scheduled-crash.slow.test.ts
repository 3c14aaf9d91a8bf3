import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clientOver } from '../../src/client/create-client.ts';
import type { HttpExchange, WireRequest } from '../../src/client/http-exchange.ts';
import type { PlatformClient } from '../../src/client/platform-client.ts';
import type { AccountEntry } from '../../src/journal/journal.ts';
import { runMigration, type RunResult } from '../../src/pipeline/run/run-migration.ts';
import type { Settings } from '../../src/pipeline/settings.ts';
import { StopControl } from '../../src/pipeline/run/stop-control.ts';
import { nameOf, planOfSpec, type AccountSpec } from './crash/accounts.ts';
import { addedOf, idOf, itemSteps, type ItemStep } from './crash/added-items.ts';
import { TaskPlatform, type Ends } from './crash/task-platform.ts';
import { crashingJournal, type Fate } from './crash/crashing-journal.ts';
import { exchanged, html, json } from './crash/http.ts';
import { inMemoryJournal } from './crash/in-memory.ts';
import type { OpenJournal } from './crash/play.ts';
import { Life, World } from './crash/world.ts';
import { defaultSettings, pulled, supplier } from './harness.ts';

/**
 * Random schedules of scheduled import (v2): runs that are killed or interrupted at any point, lost and late requests, tasks that
 * take their time, fail late, are cancelled, or are forgotten by the platform. Some books have items of added steps before the accounts,
 * which the first account needs, and after them.
 */
const { CRASH_SCHEDULES = '200', CRASH_SEED = '1', CRASH_PATH: path } = process.env;

const faults = [
  'not-sent',
  'reset-before',
  'reset-after',
  'late',
  'http-500-before',
  'http-500-after',
  'http-503-before',
  'http-503-after',
  'throttled',
] as const;
type Fault = (typeof faults)[number];

interface Round {
  readonly downtimeMs: number;
  readonly waitMs: number;
  readonly faults: readonly (readonly [n: number, fault: Fault])[];
  readonly ending: { readonly how: 'kill' | 'interrupt'; readonly at: number } | undefined;
}

interface Schedule {
  readonly mostPending: number;
  readonly concurrency: number;
  readonly accounts: readonly Ends[];
  readonly items: readonly ItemStep[];
  readonly rounds: readonly Round[];
}

const ends: fc.Arbitrary<Ends> = fc.record({
  takesMs: fc.constantFrom(0, 1_500, 20_000, 90_000),
  outcomes: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    {
      weight: 2,
      arbitrary: fc.array(
        fc.constantFrom('ERRORED' as const, 'CANCELLED' as const, 'CANCELLED' as const, 'FORGOTTEN' as const),
        { minLength: 1, maxLength: 2 },
      ),
    },
  ),
});

const schedules: fc.Arbitrary<Schedule> = fc.record({
  mostPending: fc.constantFrom(1, 1000),
  concurrency: fc.constantFrom(1, 2, 3),
  accounts: fc.array(ends, { minLength: 1, maxLength: 3, size: 'max' }),
  items: itemSteps,
  rounds: fc.array(
    fc.record({
      downtimeMs: fc.constantFrom(0, 1, 2_000, 6_000, 200_000),
      waitMs: fc.constantFrom(0, 5_000, 120_000),
      faults: fc.array(fc.tuple(fc.nat({ max: 12 }), fc.constantFrom(...faults)), {
        maxLength: 6,
        size: 'max',
      }),
      ending: fc.option(
        fc.record({
          how: fc.constantFrom('kill' as const, 'kill' as const, 'interrupt' as const),
          at: fc.nat({ max: 50 }),
        }),
        { nil: undefined, freq: 3 },
      ),
    }),
    { minLength: 1, maxLength: 4, size: 'max' },
  ),
});

const calm: Round = { downtimeMs: 1_000, waitMs: 600_000, faults: [], ending: undefined };
const mostCalmRuns = 8;
/** A late effect comes within the quiet period. */
const lateMs = 4_000;

const spec: AccountSpec = {
  version: 0,
  isUnwanted: false,
  isFaulty: false,
  isForeign: false,
  items: {
    notes: [{ id: 0, version: 0, isUnwanted: false, isPlain: false }],
    transactions: [],
    agreements: [],
    'billing-documents': [],
    statements: [],
    'payment-instruction': [],
  },
};

class Play {
  readonly story: string[] = [];
  readonly #schedule: Schedule;
  readonly #open: OpenJournal;
  readonly #id: string;
  readonly #world = new World();
  readonly #platform: TaskPlatform;
  /** Whether a fault or the end of a run has met anything. */
  #isDisturbed = false;
  #flights: { readonly at: number; readonly land: () => void }[] = [];
  #runs = 0;

  constructor(schedule: Schedule, open: OpenJournal, id: string) {
    this.#schedule = schedule;
    this.#open = open;
    this.#id = id;
    this.#platform = new TaskPlatform(schedule.accounts, () => this.#world.now);
  }

  async play(): Promise<void> {
    for (const round of this.#schedule.rounds) {
      await this.#run(round);
      await this.#check();
    }
    let isAtRest = false;
    for (let runs = 0; runs < mostCalmRuns && !isAtRest; runs += 1) {
      const last = await this.#run(calm);
      await this.#check();
      // A run without requests may be the one that leaves an item to a person.
      isAtRest = !(await this.#rule()) && last?.requests === 0 && last.stop?.reason !== 'scheduled';
    }
    if (!isAtRest) throw new Error('It has not come to rest.');
    for (const entry of await this.#entries()) this.#checkAtRest(entry);
    await this.#checkItems();
  }

  async #run(round: Round): Promise<RunResult | undefined> {
    const { concurrency, mostPending, accounts } = this.#schedule;
    this.#world.now += round.downtimeMs;
    this.#runs += 1;
    this.story.push(`run ${this.#runs}`);
    const life = new Life();
    const stop = new StopControl();
    let points = 0;
    const fate: Fate = (point) => {
      points += 1;
      if (round.ending === undefined || points !== round.ending.at || life.isOver) return;
      this.#isDisturbed = true;
      this.story.push(`  ${round.ending.how} ${point}`);
      if (round.ending.how === 'kill') life.kill();
      else stop.stop('interrupt');
    };
    const settings: Settings = {
      ...defaultSettings,
      concurrency,
      importKind: 'v2',
      schedule: { mostPending, pollMs: 1_000, waitMs: round.waitMs },
    };
    const { items } = this.#schedule;
    const plans = accounts.map((_, n) => planOfSpec(nameOf(n), spec));
    const number = this.#runs;
    const ended = runMigration(
      {
        ...{ plans: pulled(plans, settings), export: 'export', place: '/export', faults: 0 },
        ...{ platform: this.#id, platformLabel: this.#id, settings },
        added: addedOf(items),
        boot: { id: 'boot', at: this.#world.wallAtStart },
        lease: {
          owner: { host: 'h', pid: number, processStart: String(number) },
          isDead: () => true,
          leaseMs: 60_000,
          requestMs: 30_000,
        },
      },
      {
        client: this.#client(life, fate, new Map(round.faults)),
        journal: crashingJournal(await this.#open(), this.#world, life, fate),
        clock: this.#world.clock(life),
        random: () => 0.5,
        stop,
        emit: (event) => {
          if (event.type === 'account')
            this.story.push(`  account ${event.account} is ${event.state} ${event.code}`);
        },
      },
    );
    const result = await Promise.race([ended, life.fallen.then(() => undefined)]);
    if (result === undefined) await this.#world.quiet();
    else if (result.exit === 0 && result.accounts.pending > 0)
      throw new Error('The run ended with 0, and left an account pending.');
    return result;
  }

  #client(life: Life, fate: Fate, met: ReadonlyMap<number, Fault>): PlatformClient {
    const clock = this.#world.clock(life);
    let sent = 0;
    const exchange = async (request: WireRequest): Promise<HttpExchange> => {
      await life.breath();
      this.#world.stir();
      fate(`before ${request.method} ${request.path}`);
      await life.breath();
      const fault = met.get(sent);
      sent += 1;
      const made = this.#meet(request, fault);
      this.story.push(
        `  ${request.method} ${request.path} ${fault ?? ''} ${'status' in made ? made.status : made.kind}`,
      );
      fate(`after ${request.method} ${request.path}`);
      await life.breath();
      return made;
    };
    return clientOver({ exchange, close: () => Promise.resolve() }, 'https://platform.example', {
      credentials: { token: 'token' },
      clock,
      importKind: 'v2',
    });
  }

  #meet(request: WireRequest, fault: Fault | undefined): HttpExchange {
    for (const flight of this.#flights) if (flight.at <= this.#world.now) flight.land();
    this.#flights = this.#flights.filter(({ at }) => at > this.#world.now);
    const lost: HttpExchange = { kind: 'no-reply', cause: 'connection_reset' };
    if (fault !== undefined) this.#isDisturbed = true;
    switch (fault) {
      case undefined:
        return exchanged(this.#platform.answer(request));
      case 'not-sent':
        return { kind: 'not-sent', cause: 'connection_refused' };
      case 'throttled':
        return exchanged(json(429, { detail: 'No.', code: 'too_many_requests', errors: [] }));
      case 'reset-before':
        return lost;
      case 'late':
        this.#flights.push({
          at: this.#world.now + lateMs,
          land: () => void this.#platform.answer(request),
        });
        return lost;
      case 'http-500-before':
        return exchanged(html(500));
      case 'http-503-before':
        return exchanged(html(503));
    }
    this.#platform.answer(request);
    return fault === 'reset-after' ? lost : exchanged(html(fault === 'http-500-after' ? 500 : 503));
  }

  /** A person looks once nothing of an item can be under way, and rules; false if there is nothing to rule on. */
  async #rule(): Promise<boolean> {
    let isRuled = false;
    this.#world.now += 200_000;
    for (const flight of this.#flights) flight.land();
    this.#flights = [];
    const { items } = await this.#open();
    for (const step of this.#schedule.items) {
      const id = idOf(step);
      const ref = { platform: this.#id, step: id, item: id };
      const { entry } = await items.find(ref);
      if (entry?.state !== 'uncertain') continue;
      if (step.whenLost !== 'person') throw new Error(`The item ${id} is uncertain.`);
      if (!this.#isDisturbed) throw new Error(`The item ${id} is uncertain, and nothing has disturbed it.`);
      const isThere = (this.#platform.items.get(id) ?? 0) > 0;
      isRuled = (await items.rule(ref, isThere ? 'done' : 'failed', this.#world.now)) || isRuled;
    }
    return isRuled;
  }

  /** In the end each item is there once, but for one that waits for an account which is not. */
  async #checkItems(): Promise<void> {
    const first = (await this.#entries()).find(({ key }) => key.account === nameOf(0));
    const { items } = await this.#open();
    for (const step of this.#schedule.items) {
      const id = idOf(step);
      const times = this.#platform.items.get(id) ?? 0;
      const { entry } = await items.find({ platform: this.#id, step: id, item: id });
      const waits = step.when === 'after' && first?.state !== 'completed';
      if (waits ? times === 0 : times === 1 && entry?.state === 'done') continue;
      throw new Error(`The item ${id} is there ${times} times, and ${entry?.state ?? 'unknown'}.`);
    }
  }

  async #entries(): Promise<AccountEntry[]> {
    const journal = await this.#open();
    const entries = [];
    for await (const entry of journal.accounts(this.#id, supplier)) entries.push(entry);
    return entries;
  }

  async #check(): Promise<void> {
    const { doubled, numbers, notes, items, early } = this.#platform;
    if (doubled.length > 0) throw new Error(`Submitted twice: ${doubled.join()}`);
    for (const [id, times] of items)
      if (times > 1) throw new Error(`The item ${id} is there ${times} times.`);
    if (early.length > 0) throw new Error(`Sent before their account: ${early.join()}`);
    const lacks = this.#schedule.items.find((step) => step.when === 'before' && !items.has(idOf(step)));
    if (lacks !== undefined && numbers.has(nameOf(0)))
      throw new Error(`The first account was created without ${idOf(lacks)}.`);
    for (const { key, state, code, krakenAccountNumber } of await this.#entries()) {
      const { account } = key;
      if (krakenAccountNumber !== undefined && numbers.get(account) !== krakenAccountNumber)
        throw new Error(`Account ${account} has the number ${krakenAccountNumber}, and was not created.`);
      if (state === 'completed' && notes.get(account)?.length !== 1)
        throw new Error(`Account ${account} is completed, and lacks its note.`);
      const mayBeUnclear = this.#isDisturbed || this.#platform.forgotten.has(account);
      if (!mayBeUnclear && (state === 'uncertain' || (state === 'failed' && code !== 'import_cancelled')))
        throw new Error(`Account ${account} is ${state} (${code}), and nothing has disturbed it.`);
    }
  }

  #checkAtRest({ key: { account }, state, code }: AccountEntry): void {
    const outcomes = this.#schedule.accounts[Number(account.slice(1))]?.outcomes ?? [];
    if (state === 'completed') return;
    if (state === 'rejected' && outcomes.includes('ERRORED')) return;
    if (state === 'uncertain' && this.#platform.forgotten.has(account)) return;
    throw new Error(`Account ${account} is ${state} (${code}) in the end.`);
  }
}

it('no account is submitted twice, and each comes to its end', async () => {
  let open = inMemoryJournal();
  let played = 0;
  const property = fc.asyncProperty(schedules, async (schedule) => {
    played += 1;
    if (played % 50 === 0) open = inMemoryJournal();
    const game = new Play(schedule, open, `platform ${played}`);
    try {
      await game.play();
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n${game.story.join('\n')}`, {
        cause: error,
      });
    }
  });
  await fc.assert(property, {
    numRuns: Number(CRASH_SCHEDULES),
    seed: Number(CRASH_SEED),
    ...(path === undefined ? {} : { path }),
  });
  expect(played).toBeGreaterThanOrEqual(path === undefined ? Number(CRASH_SCHEDULES) : 1);
}, 3_600_000);
