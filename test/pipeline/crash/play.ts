import { stepNames } from '../../../src/domain/steps.ts';
import type { AccountEntry, Journal, LeaseHeld, LeaseTaken } from '../../../src/journal/journal.ts';
import { runMigration, type RunResult } from '../../../src/pipeline/run-migration.ts';
import type { Settings } from '../../../src/pipeline/settings.ts';
import { StopControl } from '../../../src/pipeline/stop-control.ts';
import { defaultSettings, pulled, supplier } from '../rig.ts';
import { nameOf, planOfSpec, type AccountSpec } from './accounts.ts';
import { edited } from './edits.ts';
import { ModelPlatform } from './model-platform.ts';
import { mortalJournal, type Fate } from './mortal-journal.ts';
import {
  checkAtRest,
  checkNothingTwice,
  checkSaidIsTrue,
  checkUntouched,
  Violation,
  type Versions,
} from './oracle.ts';
import { Person } from './person.ts';
import type { Request } from './request.ts';
import type { Ending, Round, Schedule } from './schedule.ts';
import { Wire } from './wire.ts';
import { Life, World } from './world.ts';

const leaseMs = 60_000;
const requestMs = 30_000;
/** Undisturbed runs after which everything must have come to rest. */
const mostRuns = 8;

/** Opens the journal anew, as a process does that starts; several may be open at once. */
export type OpenJournal = () => Journal | Promise<Journal>;

export interface Played {
  readonly runs: number;
  readonly requests: number;
  readonly faults: number;
  readonly kills: number;
  readonly stalls: number;
  readonly interrupts: number;
  readonly clockJumps: number;
  readonly rulings: number;
  /** Replies that were not the platform's, and that nobody could have told from its own. */
  readonly untellable: number;
  /** Points that the first run passed. */
  readonly points: number;
}

/** A run, as others see it. */
interface Running {
  readonly number: number;
  readonly life: Life;
  ended?: Promise<RunResult>;
}

const calm: Round = {
  downtimeMs: 0,
  isAttended: true,
  edits: [],
  isDryRun: false,
  steps: undefined,
  requestSize: 10,
  clockJumps: [],
  faults: [],
  ending: undefined,
  wakeAt: 0,
};

/**
 * Plays a schedule to its rest, on a platform that is new to the journal. Throws a Violation, with what happened, where
 * anything is not as it must be.
 */
export async function play(schedule: Schedule, open: OpenJournal, platform: string): Promise<Played> {
  const game = new Play(schedule, await open(), open, platform);
  try {
    return await game.play();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Violation(`${error.message}\nWhat happened:\n${game.story.join('\n')}`, { cause: error });
  }
}

class Play {
  readonly story: string[] = [];
  readonly #schedule: Schedule;
  /** For everybody who looks at the journal from outside. */
  readonly #journal: Journal;
  readonly #open: OpenJournal;
  readonly #platform: string;
  readonly #world = new World();
  readonly #wire: Wire;
  readonly #person: Person;
  readonly #versions: Versions;
  readonly #accounts: AccountSpec[];
  readonly #counts = { runs: 0, kills: 0, stalls: 0, interrupts: 0, clockJumps: 0, rulings: 0, points: 0 };
  /** Runs that stand still. */
  #stalled: Running[] = [];
  /** Runs that stood still and go on. */
  #woken: Running[] = [];
  /** Runs whose process is there, awake or not. */
  readonly #alive = new Set<number>();
  /** The run that took the supplier last. */
  #holder = 0;
  /** The accounts whose process request had an unknown outcome then, and that were not asked about since. */
  #unknown: Promise<Set<string>> = Promise.resolve(new Set());

  constructor(schedule: Schedule, journal: Journal, open: OpenJournal, platform: string) {
    this.#schedule = schedule;
    this.#journal = journal;
    this.#open = open;
    this.#platform = platform;
    this.#wire = new Wire(new ModelPlatform(schedule.ways), this.#world, schedule.isSlow);
    this.#person = new Person(journal, platform, this.#wire, schedule.checkPreviouslyAdded, (what) =>
      this.story.push(what),
    );
    this.#accounts = [...schedule.accounts];
    this.#versions = new Map(this.#accounts.map((spec, n) => [nameOf(n), [planOfSpec(nameOf(n), spec)]]));
    for (const [n, { isForeign }] of this.#accounts.entries())
      if (isForeign) this.#wire.platform.addForeign(nameOf(n));
  }

  async play(): Promise<Played> {
    for (const round of this.#schedule.rounds) {
      this.#world.now += round.downtimeMs;
      this.#edit(round);
      if (round.isAttended) await this.#attend();
      await this.#run(round);
      await this.#check();
    }
    const last = await this.#comeToRest();
    checkAtRest({
      wire: this.#wire,
      versions: this.#versions,
      accounts: this.#accounts,
      entries: await this.#entries(),
      overview: await this.#journal.overview(this.#platform),
      last,
    });
    const { requests, faults, untellable } = this.#wire;
    return { ...this.#counts, requests, faults, untellable };
  }

  #edit({ edits }: Round): void {
    for (const edit of edits) {
      const n = edit.account % this.#accounts.length;
      const spec = this.#accounts[n]!;
      const next = edited(spec, edit);
      if (next === spec) continue;
      this.story.push(`edit ${JSON.stringify({ ...edit, account: n })}`);
      this.#accounts[n] = next;
      this.#versions.get(nameOf(n))?.push(planOfSpec(nameOf(n), next));
    }
  }

  /** A person looks after what the runs left; gives how often that took a word. */
  async #attend(): Promise<number> {
    // As the commands do it: nothing is changed while a run may go on.
    const lease = { platform: this.#platform, supplier, owner: ownerOf('a person') };
    const now = this.#world.wall;
    const taken = await this.#journal.takeLease(lease, now, now + leaseMs, (owner) => this.#isDead(owner));
    if (taken.held) return 0;
    const rulings = await this.#person.ruleOnAll(await this.#entries());
    this.#counts.rulings += rulings;
    const retries = await this.#person.retryAll(await this.#entries());
    await this.#journal.releaseLease(lease.platform, lease.supplier, taken.epoch);
    return rulings + retries;
  }

  /** Undisturbed runs, with a person beside them, until nothing moves any more. */
  async #comeToRest(): Promise<RunResult> {
    this.#wakeAll();
    await this.#endOf(this.#woken);
    for (const [n, spec] of this.#accounts.entries()) this.#accounts[n] = { ...spec, isFaulty: false };
    // A run without a request may still find what a person has to rule on: twice nothing is rest.
    for (let runs = 0, calmRuns = 0; runs < mostRuns; runs += 1) {
      const words = await this.#attend();
      const result = await this.#run(calm);
      await this.#check();
      if (result === undefined) throw new Violation('An undisturbed run did not end.');
      calmRuns = words === 0 && result.requests === 0 ? calmRuns + 1 : 0;
      if (calmRuns === 2) return result;
    }
    throw new Violation(`Nothing has come to rest after ${mostRuns} undisturbed runs.`);
  }

  async #check(): Promise<void> {
    const entries = await this.#entries();
    checkNothingTwice(this.#wire.platform, this.#versions);
    checkSaidIsTrue(this.#wire, this.#versions, entries);
    checkUntouched(this.#wire, this.#versions, this.#accounts, entries);
  }

  /** One run; undefined where it was killed or stands still. */
  async #run(round: Round): Promise<RunResult | undefined> {
    this.#counts.runs += 1;
    const running: Running = { number: this.#counts.runs, life: new Life() };
    const { number, life } = running;
    this.#alive.add(number);
    const stop = new StopControl();
    const fate = this.#fateOf(round, running, stop);
    const durable = await this.#open();
    this.story.push(`run ${number}${round.isDryRun ? ', a dry run' : ''}`);
    const seen = this.#watch(number, round);
    const settings = this.#settings(round);
    const plans = this.#accounts.map((spec, n) => planOfSpec(nameOf(n), spec));
    running.ended = runMigration(
      {
        plans: pulled(plans, settings),
        export: 'export',
        place: '/export',
        faults: 0,
        platform: this.#platform,
        platformLabel: this.#platform,
        settings,
        lease: {
          owner: ownerOf(`run ${number}`),
          isDead: (owner) => this.#isDead(owner),
          leaseMs,
          requestMs,
        },
      },
      {
        client: this.#wire.client({ life, fate, faults: new Map(round.faults), seen }),
        journal: mortalJournal(durable, this.#world, life, fate),
        clock: this.#world.clock(life),
        random: () => 0.5,
        stop,
        emit: (event) => {
          if (event.type === 'account')
            this.story.push(`  ${number}: account ${event.account} is ${event.state} ${event.code}`);
        },
      },
    );
    const result = await Promise.race([this.#told(running), life.fallen.then(() => undefined)]);
    // What it had handed over to be written is written, or not, before anybody looks.
    if (result === undefined) await this.#world.quiet();
    if (result === undefined || stop.aborting.aborted) await this.#touchWhatIsOpen();
    if (life.isOver) this.#alive.delete(number);
    else if (result === undefined) this.#stalled.push(running);
    await this.#endOf(this.#woken);
    // A dry run keeps no record of its attempts, so nothing can be known of those that are still on their way.
    if (round.isDryRun) this.#wire.landAll();
    return result;
  }

  /** The end of a run meets the accounts whose requests it leaves without an outcome. */
  async #touchWhatIsOpen(): Promise<void> {
    for (const { key, parts } of await this.#entries())
      if (parts.some(({ state }) => state === 'sent')) this.#wire.touched.add(key.account);
  }

  async #told({ number, ended }: Running): Promise<RunResult | undefined> {
    const result = await ended;
    this.#alive.delete(number);
    const reason = result?.stop?.reason;
    this.story.push(`  ${number}: ends with exit ${result?.exit ?? ''} ${reason ?? ''}`);
    if (reason === 'held' && this.#stalled.length + this.#woken.length === 0)
      throw new Violation('A run was held by one that is dead.');
    return result;
  }

  async #endOf(runs: readonly Running[]): Promise<void> {
    for (const running of runs) await this.#told(running);
    this.#woken = [];
  }

  #wakeAll(): void {
    for (const running of this.#stalled) {
      this.story.push(`  ${running.number}: wakes up`);
      this.#world.wake(running.life);
    }
    this.#woken.push(...this.#stalled);
    this.#stalled = [];
  }

  /** Looks at each request before it leaves: it must be intended in the journal, and nobody else may be at work. */
  #watch(number: number, { isDryRun }: Round) {
    return async ({ account, endpoint }: Request): Promise<void> => {
      this.story.push(`  ${number}: ${endpoint} of ${account}`);
      if (number !== this.#holder)
        throw new Violation(`Run ${number} sends, and ${this.#holder} has the lease.`);
      const isUnknown = await this.#unknown;
      if (endpoint === 'transferStatus') {
        isUnknown.delete(account);
        return;
      }
      if (isUnknown.has(account))
        throw new Violation(`${endpoint} of ${account} is sent before its unknown process is settled.`);
      if (endpoint === 'validate' || isDryRun) return;
      const step = stepNames.find((name) => name.replaceAll('-', '') === endpoint.toLowerCase());
      const entry = await this.#journal.find(this.#platform, { supplier, account });
      if (entry?.parts.some((part) => part.step === step && part.state === 'sent') !== true)
        throw new Violation(`${endpoint} of ${account} is sent, and the journal does not know.`);
    };
  }

  async #findUnknown(): Promise<Set<string>> {
    const isUnknown = ({ parts }: AccountEntry): boolean =>
      parts.some(({ step, state }) => step === 'process' && state === 'sent');
    return new Set((await this.#entries()).filter(isUnknown).map(({ key }) => key.account));
  }

  #settings({ isDryRun, steps, requestSize }: Round): Settings {
    const { ways, checkPreviouslyAdded, billingRefusalCountsAsOurs, concurrency, isSlow } = this.#schedule;
    const { patience } = defaultSettings;
    return {
      ...defaultSettings,
      patience: isSlow ? { ...patience, quietPeriodMs: 40_000, quietFrom: 'sending' } : patience,
      dryRun: isDryRun,
      concurrency,
      steps: new Set(steps ?? stepNames),
      requestSizes: { notes: requestSize, transactions: requestSize, statements: requestSize },
      transactionsQuery: { checkPreviouslyAdded, forceAddToCurrentStatement: true },
      tenancy: {
        statementsRefuseKnownIds: ways.refusesKnownStatements,
        agreementsMayRepeat: ways.recognisesAgreements,
        billingRefusalCountsAsOurs,
        paymentRefusalAfter500: true,
      },
    };
  }

  /** What becomes of a run at each of its points. */
  #fateOf({ ending, wakeAt, clockJumps }: Round, { number, life }: Running, stop: StopControl): Fate {
    let points = 0;
    let blows = 0;
    return (point, outcome) => {
      if (point === 'after takeLease' && !(outcome as LeaseTaken | LeaseHeld).held) {
        this.#holder = number;
        this.#unknown = this.#findUnknown();
      }
      if (life.isOver || !life.isAwake) return;
      points += 1;
      if (number === 1) this.#counts.points = points;
      for (const [, ms] of clockJumps.filter(([at]) => at === points)) this.#setClock(ms);
      if (points > wakeAt) this.#wakeAll();
      if (ending !== undefined && points > ending.at)
        blows += this.#strike(ending.how, point, blows, life, stop);
    };
  }

  #setClock(ms: number): void {
    this.story.push(`  the clock is set by ${ms} ms`);
    this.#world.wallAtStart += ms;
    this.#counts.clockJumps += 1;
  }

  /** Ends a run, or does so for the second time; gives 1 where it did. */
  #strike(how: Ending['how'], point: string, before: number, life: Life, stop: StopControl): 0 | 1 {
    if (before > (how === 'interrupt-twice' ? 1 : 0)) return 0;
    // Between the look at the lease and the request itself nothing can help.
    if (how === 'stall' && point.endsWith('leaves')) return 0;
    this.story.push(`  ${how} ${point}`);
    if (how === 'kill') {
      this.#counts.kills += 1;
      life.kill();
    } else if (how === 'stall') {
      this.#counts.stalls += 1;
      life.stop();
    } else {
      this.#counts.interrupts += 1;
      if (before === 0) stop.stop('interrupt');
      else stop.abort('interrupt');
    }
    return 1;
  }

  async #entries(): Promise<AccountEntry[]> {
    const entries: AccountEntry[] = [];
    for await (const entry of this.#journal.accounts(this.#platform, supplier)) entries.push(entry);
    return entries;
  }

  #isDead({ host }: { readonly host: string }): boolean {
    return ![...this.#alive].some((number) => host === `run ${number}`);
  }
}

function ownerOf(host: string): { host: string; pid: number; processStart: string } {
  return { host, pid: 1, processStart: 'a' };
}
