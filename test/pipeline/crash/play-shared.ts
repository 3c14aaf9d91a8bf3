import { stepNames } from '../../../src/domain/steps.ts';
import { DatabaseRefused } from '../../../src/domain/database-refused.ts';
import { partitionOf } from '../../../src/domain/account-key.ts';
import type { AccountState } from '../../../src/domain/account-state.ts';
import type { AccountEntry, Journal } from '../../../src/journal/journal.ts';
import { runMigration, type RunResult } from '../../../src/pipeline/run/run-migration.ts';
import type { Settings } from '../../../src/pipeline/settings.ts';
import { StopControl } from '../../../src/pipeline/run/stop-control.ts';
import { defaultSettings, pulled, supplier } from '../harness.ts';
import { nameOf, planOfSpec, type AccountSpec } from './accounts.ts';
import { crashingJournal, type Fate } from './crashing-journal.ts';
import { edited } from './edits.ts';
import { LeaseClock } from './lease-clock.ts';
import { ModelPlatform } from './model-platform.ts';
import {
  checkAtRest,
  checkNothingTwice,
  checkSaidIsTrue,
  checkUntouched,
  Violation,
  type Versions,
} from './oracle.ts';
import { Orphans } from './orphans.ts';
import { Person } from './person.ts';
import type { Request } from './request.ts';
import type { Ending } from './schedule.ts';
import type { Failover, Night, Runner, SharedSchedule, Snapshot } from './shared-schedule.ts';
import { excuseUnwitnessed } from './unwitnessed.ts';
import { Wire } from './wire.ts';
import { Life, World } from './world.ts';

const leaseMs = 60_000;
const requestMs = 30_000;
/** Points of all runs of a night after which these are taken to go on for ever. */
const mostPoints = 5_000;
/** Undisturbed runs after which everything must have come to rest. */
const mostRuns = 8;

/** A journal that several runs at once reach. */
export interface SharedJournal {
  /** Opens it anew, as a process does that starts; `machine`: which one. */
  open(machine: number): Promise<Journal>;
  /** Keeps what the journal has now. */
  copy(): Promise<void>;
  /** Replaces it by that, as a server does that takes over: every connection is cut. */
  failOver(): Promise<void>;
  /** The server goes back to what was copied, in its own place, and with it the marks of all machines. */
  putBack(): Promise<void>;
  /** Sets the clock that leases go by, in ms since the epoch. */
  setClock(ms: number): Promise<unknown>;
  /** The run that has the partition of an account in the newest group of the platform. */
  holderOf(platform: string, partition: number): Promise<number | undefined>;
}

export interface PlayedTogether {
  readonly runs: number;
  readonly requests: number;
  readonly faults: number;
  readonly kills: number;
  readonly stalls: number;
  readonly interrupts: number;
  readonly rulings: number;
  readonly failovers: number;
  /** Nights in which every request is sent twice, and times that the journal went back with all marks. */
  readonly doublings: number;
  readonly snapshots: number;
  /** Runs whose accounts others took over while they stood still. */
  readonly takenOver: number;
}

interface Running {
  /** Its number in the journal, as soon as it has one. */
  run: number | undefined;
  readonly name: string;
  readonly life: Life;
  readonly stop: StopControl;
  /** Undefined if its journal was refused. */
  readonly ended: Promise<RunResult | undefined>;
  isOver: boolean;
  wasStalled: boolean;
  /** Its server was replaced under it: it is to notice. */
  isDeprived: boolean;
  /** It began while the server was replaced: it may notice. */
  readonly isBetween: boolean;
  /** At which point of its night it wakes up, while it stands still. */
  wakesAt: number | undefined;
  readonly inFlight: Set<Request>;
}

const calm: Runner = { startsAt: 0, faults: [], doublesFrom: undefined, ending: undefined, sleepsFor: 0 };

/** Plays a schedule to its rest, on a platform that is new to the journal. Throws a Violation, with what happened. */
export async function playShared(
  schedule: SharedSchedule,
  journal: SharedJournal,
  platform: string,
): Promise<PlayedTogether> {
  const game = new Game(schedule, journal, platform);
  try {
    return await game.play();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Violation(`${error.message}\nWhat happened:\n${game.story.join('\n')}`, { cause: error });
  } finally {
    await game.close();
  }
}

/** Whether another run may go on with an account that a run tells in this state. */
function isLeft(state: AccountState): boolean {
  return state === 'pending' || state === 'staged' || state === 'imported';
}

class Game {
  readonly story: string[] = [];
  readonly #schedule: SharedSchedule;
  readonly #shared: SharedJournal;
  readonly #platform: string;
  readonly #world = new World();
  readonly #wire: Wire;
  readonly #person: Person;
  readonly #versions: Versions;
  readonly #accounts: AccountSpec[];
  readonly #opened: Promise<Journal>[] = [];
  #outside: Promise<Journal> | undefined;
  /** Until then a server takes over; who looks at the journal from outside waits for it. */
  #replaced: Promise<unknown> = Promise.resolve();
  #isReplacing = false;
  readonly #clock: LeaseClock;
  #book = 0;
  /** Whether the end of a process is known at once. */
  #areDeathsKnown = true;
  #running: Running[] = [];
  /** Runs of the present night that have not begun, the next one first. */
  #due: Runner[] = [];
  #points = 0;
  /** Accounts that came to their end in the present night. */
  readonly #ended = new Set<string>();
  readonly #orphans = new Orphans();
  /** The accounts of lost journals, as the copy knows them. */
  #copied: Orphans | undefined;
  /** Requests of the present night. */
  #requests = 0;
  #failover: Failover | undefined;
  #broken: Error | undefined;
  readonly #counts = {
    runs: 0,
    kills: 0,
    stalls: 0,
    interrupts: 0,
    rulings: 0,
    takenOver: 0,
    ...{ failovers: 0, doublings: 0, snapshots: 0 },
  };

  constructor(schedule: SharedSchedule, shared: SharedJournal, platform: string) {
    this.#schedule = schedule;
    this.#shared = shared;
    this.#platform = platform;
    this.#clock = new LeaseClock(this.#world, (ms) => shared.setClock(ms));
    this.#wire = new Wire(
      new ModelPlatform(schedule.ways, () => this.#world.wall),
      this.#world,
      schedule.isSlow,
    );
    this.#person = new Person(platform, this.#wire, schedule.checkPreviouslyAdded, (what) =>
      this.story.push(what),
    );
    this.#accounts = [...schedule.accounts];
    this.#versions = new Map(this.#accounts.map((spec, n) => [nameOf(n), [planOfSpec(nameOf(n), spec)]]));
    for (const [n, { isForeign }] of this.#accounts.entries())
      if (isForeign) this.#wire.platform.addForeign(nameOf(n));
  }

  async play(): Promise<PlayedTogether> {
    for (const night of this.#schedule.nights) {
      this.#world.now += night.downtimeMs;
      this.#areDeathsKnown = this.#schedule.isOneMachine;
      this.#edit(night);
      if (night.isAttended) await this.#attend();
      if (night.runners.some(({ doublesFrom }) => doublesFrom !== undefined)) this.#counts.doublings += 1;
      this.#failover = night.failover ?? (night.snapshot && snapshotAsCopy(night.snapshot));
      await this.#night(night.runners);
      if (this.#copied !== undefined && night.snapshot !== undefined) await this.#putBack();
      else if (this.#copied !== undefined) await this.#failOver();
      this.#failover = undefined;
      await this.#check();
    }
    const last = await this.#comeToRest();
    checkAtRest({
      wire: this.#wire,
      versions: this.#versions,
      accounts: this.#accounts,
      entries: await this.#entries(),
      overview: await (await this.#journal).overview(this.#platform),
      last,
      orphans: this.#orphans,
      undecided: this.#person.undecided,
    });
    const { requests, faults } = this.#wire;
    return { ...this.#counts, requests, faults };
  }

  async close(): Promise<void> {
    for (const { life } of this.#running) life.kill();
    for (const opened of this.#opened) await (await opened).close();
  }

  get #journal(): Promise<Journal> {
    return (this.#outside ??= this.#replaced.then(() => this.#open()));
  }

  #open(machine = 0): Promise<Journal> {
    const opened = this.#shared.open(machine).then(async (journal) => {
      await journal.takeMark(this.#world.wall);
      return journal;
    });
    this.#opened.push(opened);
    return opened;
  }

  /** Looks at a request of a night for what becomes of the server before it leaves. */
  async #serve(): Promise<void> {
    if (this.#failover === undefined) return;
    const { lacksFrom, after } = this.#failover;
    const at = this.#requests;
    this.#requests += 1;
    if (at === lacksFrom) {
      this.story.push('the journal is copied');
      this.#copied = this.#orphans.copied();
      await this.#world.during(() => this.#shared.copy());
    }
    if (at === lacksFrom + after) await this.#failOver();
  }

  async #failOver(): Promise<void> {
    const kills = this.#failover?.kills === true;
    this.#failover = undefined;
    this.#counts.failovers += 1;
    this.story.push(`another server takes over${kills ? ', and all runs are dead' : ''}`);
    this.#outside = undefined;
    for (const running of this.#running)
      if (!running.isOver && !running.life.isOver) {
        running.isDeprived = true;
        if (kills) running.life.kill();
      }
    this.#isReplacing = true;
    this.#replaced = this.#world.during(() => this.#shared.failOver());
    await this.#replaced;
    this.#isReplacing = false;
    this.#wire.isJournalLost = true;
    this.#orphans.putBack(this.#copied);
    this.#copied = undefined;
    this.#person.forget();
    for (const [n, { isForeign }] of this.#accounts.entries()) if (isForeign) this.#wire.mistake(nameOf(n));
    // Nothing of what a journal knew that is gone may be expected of the next one.
    for (const n of this.#accounts.keys()) this.#wire.touched.add(nameOf(n));
  }

  /** Nobody but the platform knows what was sent since. */
  async #putBack(): Promise<void> {
    this.#counts.snapshots += 1;
    this.story.push('the server and all marks go back');
    for (const { life } of this.#running) life.kill();
    this.#wire.landAll();
    this.#outside = undefined;
    this.#copied = undefined;
    await this.#world.during(() => this.#shared.putBack());
    this.#wire.isJournalLost = true;
    this.#person.forget();
    for (const n of this.#accounts.keys()) this.#wire.touched.add(nameOf(n));
    const plans = [...this.#versions.values()].flatMap((versions) => versions.slice(-1));
    excuseUnwitnessed(this.#wire, plans, await this.#entries(), this.#schedule.checkPreviouslyAdded);
  }

  #edit({ edits }: Night): void {
    for (const edit of edits) {
      const n = edit.account % this.#accounts.length;
      const spec = this.#accounts[n]!;
      const next = edited(spec, edit);
      if (next === spec) continue;
      this.story.push(`edit ${JSON.stringify({ ...edit, account: n })}`);
      this.#accounts[n] = next;
      this.#versions.get(nameOf(n))?.push(planOfSpec(nameOf(n), next));
      this.#book += 1;
    }
  }

  /** A person looks after what the runs left; gives how often that took a word. */
  async #attend(): Promise<number> {
    const journal = await this.#journal;
    const lease = { platform: this.#platform, supplier, owner: ownerOf('a person') };
    const now = this.#world.wall;
    const taken = await journal.takeLease(lease, now, now + leaseMs, (owner) => this.#isDead(owner));
    if (taken.held) return 0;
    const entries = await this.#entries();
    this.#wire.untellable += this.#orphans.forgetMistaken(entries);
    const ours = entries.filter(({ key }) => !this.#orphans.has(key.account));
    const rulings = await this.#person.ruleOnAll(journal, ours);
    this.#counts.rulings += rulings;
    const retries = await this.#person.retryAll(journal, await this.#entries());
    await journal.releaseLease(lease.platform, lease.supplier, taken.epoch);
    return rulings + retries;
  }

  async #comeToRest(): Promise<RunResult> {
    this.#areDeathsKnown = true;
    for (const [n, spec] of this.#accounts.entries()) {
      if (spec.isFaulty) this.#book += 1;
      this.#accounts[n] = { ...spec, isFaulty: false };
    }
    for (let runs = 0, calmRuns = 0; runs < mostRuns; runs += 1) {
      const words = await this.#attend();
      const [result] = await this.#night([calm]);
      await this.#check();
      if (result === undefined) throw new Violation('An undisturbed run did not end.');
      calmRuns = words === 0 && result.requests === 0 ? calmRuns + 1 : 0;
      if (calmRuns === 2) return result;
    }
    throw new Violation(`Nothing has come to rest after ${mostRuns} undisturbed runs.`);
  }

  /** Runs of one book until all of them are over; gives what those found that came to their end. */
  async #night(runners: readonly Runner[]): Promise<RunResult[]> {
    this.#points = 0;
    this.#requests = 0;
    this.#ended.clear();
    this.#running = [];
    const [first, ...others] = runners;
    this.#due = others.sort((a, b) => a.startsAt - b.startsAt);
    this.#begin(first ?? calm);
    for (;;) {
      if (this.#broken !== undefined) throw this.#broken;
      const awake = this.#running.filter(({ isOver, life }) => !isOver && life.isAwake && !life.isOver);
      if (awake.length > 0) {
        await Promise.race(awake.map((running) => this.#endOrFall(running)));
        continue;
      }
      // What was handed over to be written is written, or not, before anybody else begins.
      await this.#world.quiet();
      const next = this.#due.shift();
      const stalled = this.#running.filter(({ wakesAt }) => wakesAt !== undefined);
      if (next !== undefined) this.#begin(next);
      else if (stalled.length > 0) for (const running of stalled) this.#wake(running);
      else break;
    }
    const results: RunResult[] = [];
    for (const running of this.#running)
      if (running.isOver) {
        const result = await running.ended;
        if (result !== undefined) results.push(this.#judged(running, result));
      }
    return results;
  }

  async #endOrFall({ ended, life, wasStalled }: Running): Promise<void> {
    await Promise.race([ended, wasStalled ? life.dead : life.fallen]);
  }

  /** What a run says at its end must be so. */
  #judged({ name, wasStalled, stop, isDeprived }: Running, result: RunResult): RunResult {
    const reason = result.stop?.reason;
    if (isDeprived && reason === undefined)
      throw new Violation(`${name} did not notice that another server took over.`);
    this.story.push(`  ${name}: ends with exit ${result.exit} ${reason ?? ''}`);
    if (reason === 'lease-lost') {
      if (!wasStalled) throw new Violation(`${name} lost its lease, and never stood still.`);
      this.#counts.takenOver += 1;
    }
    if (reason === 'held' && this.#areDeathsKnown)
      throw new Violation(`${name} was held by one that is dead.`);
    if (stop.reason !== undefined) return result;
    const counted = Object.values(result.taken).reduce((sum, count) => sum + count, 0);
    if (counted !== this.#accounts.length)
      throw new Violation(`${name} ended, and counts ${counted} accounts of ${this.#accounts.length}.`);
    return result;
  }

  #begin(runner: Runner): void {
    this.#counts.runs += 1;
    const name = `run ${this.#counts.runs}`;
    this.story.push(`${name} begins`);
    const life = new Life();
    const stop = new StopControl();
    const inFlight = new Set<Request>();
    const book = `book ${this.#book}`;
    const plans = this.#accounts.map((spec, n) => planOfSpec(nameOf(n), spec));
    const fate = this.#fateOf(runner, () => running);
    const machine = this.#counts.runs % 3;
    const migrate = async (): Promise<RunResult> => {
      const durable = await this.#world.during(() => this.#open(machine));
      const settings = this.#settings();
      return runMigration(
        {
          plans: pulled(plans, settings),
          shared: {
            book,
            plansOf: (numbers) =>
              pulled(
                plans.filter(({ key }) => numbers.has(partitionOf(key.account))),
                settings,
              ),
            inform: (message) => this.story.push(`  ${name}: ${message}`),
          },
          export: 'export',
          place: '/export',
          faults: 0,
          platform: this.#platform,
          platformLabel: this.#platform,
          settings,
          boot: { id: 'boot', at: this.#world.wallAtStart },
          lease: { owner: ownerOf(name), isDead: (owner) => this.#isDead(owner), leaseMs, requestMs },
        },
        {
          client: this.#wire.client({
            ...{ life, fate, faults: new Map(runner.faults), doublesFrom: runner.doublesFrom },
            seen: (request) => this.#seen(running, request),
          }),
          journal: crashingJournal(this.#clock.journal(durable), this.#world, life, fate),
          clock: this.#world.clock(life),
          random: () => 0.5,
          stop,
          emit: (event) => {
            if (event.type !== 'account') return;
            // A run that stops also tells those that it leaves to others.
            if (!isLeft(event.state)) this.#ended.add(event.account);
            this.story.push(`  ${name}: account ${event.account} is ${event.state} ${event.code}`);
          },
        },
      );
    };
    const ended = migrate().catch((error: unknown) => {
      const mayNotice = running.isDeprived || running.isBetween;
      if (!mayNotice || !(error instanceof DatabaseRefused)) throw error;
      this.story.push(`  ${name}: ${error.message}`);
      return undefined;
    });
    const running: Running = {
      ...{ run: undefined, name, life, stop, ended, isOver: false },
      ...{ wasStalled: false, isDeprived: false, isBetween: this.#isReplacing, wakesAt: undefined, inFlight },
    };
    this.#running.push(running);
    ended.then(
      () => (running.isOver = true),
      (error: unknown) => {
        running.isOver = true;
        this.#broken ??= error instanceof Error ? error : new Error(String(error));
      },
    );
  }

  /** Looks at each request before it leaves: it must be intended in the journal, by the run that has the account. */
  async #seen(running: Running, request: Request): Promise<void> {
    const { account, endpoint, hasEffect } = request;
    const isDeprived = (): boolean => running.isDeprived;
    this.story.push(`  ${running.name}: ${endpoint} of ${account}`);
    await this.#serve();
    if (isDeprived()) {
      this.#seenByNobody(request);
      return;
    }
    if (endpoint === 'transferStatus') return;
    const holder = await this.#world.during(() =>
      this.#shared.holderOf(this.#platform, partitionOf(account)),
    );
    if (isDeprived()) {
      this.#seenByNobody(request);
      return;
    }
    if (holder !== running.run)
      throw new Violation(`${running.name} sends ${endpoint} of ${account}, which run ${holder} has.`);
    if (!hasEffect) return;
    const step = stepNames.find((name) => name.replaceAll('-', '') === endpoint.toLowerCase());
    const entry = await this.#world.during(async () =>
      (await this.#journal).find(this.#platform, { supplier, account }),
    );
    if (isDeprived()) {
      this.#seenByNobody(request);
      return;
    }
    if (entry?.parts.some((part) => part.step === step && part.state === 'sent') !== true)
      throw new Violation(`${endpoint} of ${account} is sent, and the journal does not know.`);
  }

  /** It was recorded in a journal that is gone. */
  #seenByNobody(request: Request): void {
    this.#orphans.stillSent(request);
    if (request.hasEffect) this.#wire.comesUnseen(request);
  }

  #settings(): Settings {
    const { ways, checkPreviouslyAdded, billingRefusalCountsAsOurs, concurrency, isSlow } = this.#schedule;
    const { patience } = defaultSettings;
    return {
      ...defaultSettings,
      patience: isSlow ? { ...patience, quietPeriodMs: 40_000, quietFrom: 'sending' } : patience,
      concurrency,
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
  #fateOf({ ending, sleepsFor }: Runner, self: () => Running): Fate {
    let points = 0;
    let blows = 0;
    return (point, outcome) => {
      const running = self();
      if (point === 'after startRun' && typeof outcome === 'number') running.run = outcome;
      const { life } = running;
      if (life.isOver || !life.isAwake) return;
      points += 1;
      this.#points += 1;
      if (this.#points > mostPoints) throw new Violation('The runs of a night do not come to their end.');
      while (this.#due[0] !== undefined && this.#due[0].startsAt <= this.#points)
        this.#begin(this.#due.shift() ?? calm);
      for (const other of this.#running)
        if (other.wakesAt !== undefined && other.wakesAt <= this.#points) this.#wake(other);
      if (ending === undefined || points <= ending.at) return;
      if (!this.#strike(ending.how, point, blows, running)) return;
      blows += 1;
      if (ending.how === 'stall') running.wakesAt = this.#points + sleepsFor;
    };
  }

  #wake(running: Running): void {
    this.story.push(`  ${running.name}: wakes up`);
    running.wakesAt = undefined;
    running.wasStalled = true;
    this.#world.wake(running.life);
  }

  /** Ends a run, or does so for the second time; says whether it did. */
  #strike(how: Ending['how'], point: string, before: number, { name, life, stop }: Running): boolean {
    if (before > (how === 'interrupt-twice' ? 1 : 0)) return false;
    // Between the look at the lease and the request itself nothing can help.
    if (how === 'stall' && point.endsWith('leaves')) return false;
    this.story.push(`  ${name}: ${how} ${point}`);
    if (how !== 'interrupt') this.#touchWhatIsOpen();
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
    return true;
  }

  /** The end of a run may meet the accounts that nobody has finished. */
  #touchWhatIsOpen(): void {
    for (const n of this.#accounts.keys()) if (!this.#ended.has(nameOf(n))) this.#wire.touched.add(nameOf(n));
  }

  async #check(): Promise<void> {
    const entries = await this.#entries();
    this.#wire.untellable += this.#orphans.forgetMistaken(entries);
    checkNothingTwice(this.#wire, this.#versions);
    checkSaidIsTrue(this.#wire, this.#versions, entries, false, this.#person.forgotten);
    checkUntouched(this.#wire, this.#versions, this.#accounts, entries);
  }

  async #entries(): Promise<AccountEntry[]> {
    const entries: AccountEntry[] = [];
    for await (const entry of (await this.#journal).accounts(this.#platform, supplier)) entries.push(entry);
    return entries;
  }

  #isDead({ host }: { readonly host: string }): boolean {
    const isAlive = this.#running.some(({ name, life, isOver }) => name === host && !isOver && !life.isOver);
    return this.#areDeathsKnown && !isAlive;
  }
}

/** It is copied as for a fail-over that comes after the night. */
function snapshotAsCopy({ madeAt }: Snapshot): Failover {
  return { lacksFrom: madeAt, after: Infinity, kills: false };
}

function ownerOf(host: string): { host: string; pid: number; processStart: string } {
  return { host, pid: 1, processStart: 'a' };
}
