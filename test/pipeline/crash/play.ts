import { stepNames } from '../../../src/domain/steps.ts';
import {
  JournalGone,
  type AccountEntry,
  type Journal,
  type LeaseHeld,
  type LeaseTaken,
  type MarkFinding,
} from '../../../src/journal/journal.ts';
import { runMigration, type RunResult } from '../../../src/pipeline/run/run-migration.ts';
import type { Settings } from '../../../src/pipeline/settings.ts';
import { StopControl } from '../../../src/pipeline/run/stop-control.ts';
import { defaultSettings, pulled, supplier } from '../harness.ts';
import { nameOf, planOfSpec, type AccountSpec } from './accounts.ts';
import { edited } from './edits.ts';
import { JournalFile } from './journal-file.ts';
import { ModelPlatform } from './model-platform.ts';
import { crashingJournal, type Fate } from './crashing-journal.ts';
import {
  checkAtRest,
  checkNothingTwice,
  checkSaidIsTrue,
  checkUntouched,
  Violation,
  type Versions,
} from './oracle.ts';
import { excuseUnwitnessed, isKnown, type Lost } from './unwitnessed.ts';
import { Orphans } from './orphans.ts';
import { Person } from './person.ts';
import { byReading } from './readings.ts';
import type { Request } from './request.ts';
import type { Ending, Loss, Round, Schedule } from './schedule.ts';
import { Wire } from './wire.ts';
import { Life, World } from './world.ts';

const leaseMs = 60_000;
const requestMs = 30_000;
/** Undisturbed runs after which everything must have come to rest. */
const mostRuns = 8;

/** Opens the journal anew, as a process does that starts; several may be open at once. */
export type OpenJournal = () => Journal | Promise<Journal>;

export interface Played {
  /** What happened, a line each. */
  readonly story: readonly string[];
  readonly runs: number;
  readonly requests: number;
  readonly faults: number;
  readonly kills: number;
  readonly stalls: number;
  readonly interrupts: number;
  readonly clockJumps: number;
  readonly rulings: number;
  /** Times that the journal's file was put back from a copy, deleted, or left without its mark. */
  readonly journalsPutBack: number;
  readonly journalsDeleted: number;
  readonly marksLost: number;
  /** Files that a run saved of a journal that was gone, and that were put in its place. */
  readonly journalsSaved: number;
  /** Accounts of which nobody could tell everything, after a journal was lost. */
  readonly undecided: number;
  /** Replies that were not the platform's, and that nobody could have told from its own. */
  readonly untellable: number;
  /** Points that the first run passed. */
  readonly points: number;
}

/** A run, as others see it. */
interface Running {
  readonly number: number;
  readonly life: Life;
  ended?: Promise<RunResult | undefined>;
  journal?: Journal;
  /** What it may still send: the requests that it had recorded when its journal's file was taken away. */
  recorded?: Promise<Set<string>>;
  /** Another journal has begun since that was taken away: what it still sends, nobody there can know of. */
  isSucceeded?: true;
  /** It has nothing more to record before it gives its leases back. */
  isReleasing?: true;
  /** Others have gone on without it, as it stood still. */
  isLeft?: true;
  /** It has to find out that its file is gone. */
  mustNotice?: true;
  /** When it last asked for the lease that it was given, by the clock on the wall and by the time that had passed, in ms. */
  confirmed?: { readonly wall: number; readonly now: number };
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
  doublesFrom: undefined,
  stretch: undefined,
  ending: undefined,
  wakeAt: 0,
  copyAt: undefined,
  loss: undefined,
};

/**
 * Plays a schedule to its rest, on a platform that is new to the journal. Throws a Violation, with what happened, where
 * anything is not as it must be.
 */
export async function play(schedule: Schedule, open: OpenJournal, platform: string): Promise<Played> {
  const file = schedule.rounds.some(({ loss }) => loss !== undefined) ? new JournalFile() : undefined;
  const game = new Play(schedule, open, platform, file);
  try {
    return { ...(await game.play()), story: game.story };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Violation(`${error.message}\nWhat happened:\n${game.story.join('\n')}`, { cause: error });
  } finally {
    await file?.remove();
  }
}

/** How a journal's file may stand against its mark after what became of it. */
const findings = {
  put: ['went-back', 'replaced', 'began-anew'],
  deleted: ['new', 'began-anew'],
  unmarked: ['missing', 'new'],
  untouched: ['current', 'new'],
} satisfies Record<string, MarkFinding[]>;

/** After these, nobody knows whether the journal is the newest. */
const inDoubt: ReadonlySet<MarkFinding> = new Set(['went-back', 'replaced', 'missing']);

class Play {
  readonly story: string[] = [];
  readonly #schedule: Schedule;
  readonly #isClockSet: boolean;
  readonly #open: OpenJournal;
  /** Where the journal's file is lost in the course of the schedule. */
  readonly #file: JournalFile | undefined;
  /** For everybody who looks at the journal from outside; opened anew where the file became another one. */
  #outside: Promise<Journal> | undefined;
  /** What the next look at the mark may find. */
  #expected: readonly MarkFinding[] = findings.untouched;
  /** What a person put in the journal's place was saved by a run, and nobody has opened it yet. */
  #isSaved = false;
  readonly #orphans = new Orphans();
  #lost: Lost = new Map();
  /** The same at the moment of each copy. */
  readonly #orphansOfCopies: Orphans[] = [];
  /** The copy that was put back, until it is opened. */
  #putBack: number | undefined;
  readonly #platform: string;
  readonly #world = new World();
  readonly #wire: Wire;
  readonly #person: Person;
  readonly #versions: Versions;
  readonly #accounts: AccountSpec[];
  readonly #counts = {
    runs: 0,
    kills: 0,
    stalls: 0,
    interrupts: 0,
    clockJumps: 0,
    rulings: 0,
    journalsPutBack: 0,
    journalsDeleted: 0,
    marksLost: 0,
    journalsSaved: 0,
    points: 0,
  };
  #current: Running | undefined;
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
  /** Notes the accounts whose requests were left without an outcome by a run that stood still. */
  #touching: Promise<void> = Promise.resolve();

  constructor(schedule: Schedule, open: OpenJournal, platform: string, file: JournalFile | undefined) {
    this.#schedule = schedule;
    this.#isClockSet = schedule.rounds.some(({ clockJumps }) => clockJumps.length > 0);
    this.#file = file;
    this.#open = file === undefined ? open : () => file.open();
    this.#platform = platform;
    this.#wire = new Wire(
      new ModelPlatform(
        schedule.ways,
        () => this.#world.wall,
        () => this.#world.now,
      ),
      this.#world,
      schedule.isSlow,
      schedule.readBack,
    );
    this.#person = new Person(platform, this.#wire, schedule.checkPreviouslyAdded, (what) =>
      this.story.push(what),
    );
    this.#accounts = [...schedule.accounts];
    this.#versions = new Map(this.#accounts.map((spec, n) => [nameOf(n), [planOfSpec(nameOf(n), spec)]]));
    for (const [n, { isForeign }] of this.#accounts.entries())
      if (isForeign) this.#wire.platform.addForeign(nameOf(n));
    if (file !== undefined) for (const [plan] of this.#versions.values()) this.#wire.expect(plan!);
  }

  get #journal(): Promise<Journal> {
    return (this.#outside ??= Promise.resolve(this.#open()));
  }

  async play(): Promise<Omit<Played, 'story'>> {
    for (const round of this.#schedule.rounds) {
      this.#world.now += round.downtimeMs;
      this.#edit(round);
      if (round.copyAt === 0) this.#copy();
      if (round.loss?.how === 'folder put back') await this.#putFolderBack(round, round.loss);
      else if (round.loss !== undefined && round.loss.at === undefined) this.#lose(round.loss);
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
      overview: await (await this.#journal).overview(this.#platform),
      last,
      orphans: this.#orphans,
      undecided: this.#person.undecided,
    });
    const { requests, faults, untellable } = this.#wire;
    return { ...this.#counts, undecided: this.#person.undecided.size, requests, faults, untellable };
  }

  #copy(): void {
    if (this.#file?.copy() === true) this.#orphansOfCopies.push(this.#orphans.copied());
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
    if (this.#file !== undefined) this.#found(await (await this.#journal).takeMark(now));
    const journal = await this.#journal;
    const taken = await journal.takeLease(lease, now, now + leaseMs, (owner) => this.#isDead(owner));
    if (taken.held) return 0;
    // What a journal made that is gone is not ours to rule on: ruled done, its history would be sent once more.
    const entries = await this.#entries();
    this.#wire.untellable += this.#orphans.forgetMistaken(entries);
    const ours = entries.filter(({ key }) => !this.#orphans.has(key.account));
    const rulings = await this.#person.ruleOnAll(journal, ours);
    this.#counts.rulings += rulings;
    const retries = await this.#person.retryAll(journal, await this.#entries());
    await journal.releaseLease(lease.platform, lease.supplier, taken.epoch);
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
    await this.#touching;
    const entries = await this.#entries();
    this.#wire.untellable += this.#orphans.forgetMistaken(entries);
    checkNothingTwice(this.#wire, this.#versions);
    const isOlder = this.#expected.some((finding) => inDoubt.has(finding));
    checkSaidIsTrue(this.#wire, this.#versions, entries, isOlder, this.#person.forgotten);
    checkUntouched(this.#wire, this.#versions, this.#accounts, entries);
  }

  /** One run; undefined where it was killed or stands still. */
  async #run(round: Round): Promise<RunResult | undefined> {
    this.#counts.runs += 1;
    const running: Running = { number: this.#counts.runs, life: new Life() };
    const { number, life } = running;
    this.#alive.add(number);
    this.#current = running;
    const stop = new StopControl();
    const fate = this.#fateOf(round, running, stop);
    const durable = await this.#open();
    running.journal = durable;
    this.story.push(`run ${number}${round.isDryRun ? ', a dry run' : ''}`);
    const seen = this.#watch(running, round);
    const settings = this.#settings(round);
    const plans = this.#accounts.map((spec, n) => planOfSpec(nameOf(n), spec));
    const journal = this.#noting(running, crashingJournal(durable, this.#world, life, fate));
    running.ended = this.#begun(running, journal, () =>
      runMigration(
        {
          plans: pulled(plans, settings),
          export: 'export',
          place: '/export',
          faults: 0,
          platform: this.#platform,
          platformLabel: this.#platform,
          settings,
          boot: { id: 'boot', at: this.#world.wallAtStart },
          lease: {
            owner: ownerOf(`run ${number}`),
            isDead: (owner) => this.#isDead(owner),
            leaseMs,
            requestMs,
          },
        },
        {
          client: this.#wire.client({
            life,
            fate,
            faults: new Map(round.faults),
            doublesFrom: round.doublesFrom,
            stretch: round.stretch,
            seen,
          }),
          journal,
          clock: this.#world.clock(life),
          random: () => 0.5,
          stop,
          ...(this.#schedule.readBack === undefined
            ? {}
            : { byReading: byReading(this.#schedule.readBack, journal, this.#world.clock(life)) }),
          emit: (event) => {
            if (event.type === 'account')
              this.story.push(`  ${number}: account ${event.account} is ${event.state} ${event.code}`);
          },
        },
      ),
    );
    const result = await Promise.race([this.#told(running), life.fallen.then(() => undefined)]);
    if (result === undefined) running.isLeft = true;
    // What it had handed over to be written is written, or not, before anybody looks.
    if (result === undefined) await this.#world.quiet();
    if (result === undefined || stop.aborting.aborted) await this.#touchWhatIsOpen();
    if (life.isOver) this.#alive.delete(number);
    else if (result === undefined && !life.isAwake) this.#stalled.push(running);
    await this.#endOf(this.#woken);
    await this.#afterLoss(running, round, result);
    this.#current = undefined;
    // A dry run keeps no record of its attempts, so nothing can be known of those that are still on their way.
    if (round.isDryRun) this.#wire.landAll();
    return result;
  }

  /** The end of a run, or of its lease, meets the accounts whose requests it leaves without an outcome. */
  async #touchWhatIsOpen(): Promise<void> {
    for (const { key, parts } of await this.#entries())
      if (parts.some(({ state }) => state === 'sent')) {
        this.#wire.touched.add(key.account);
        this.#lost.get(key.account)?.();
        this.#lost.delete(key.account);
      }
  }

  /** The journal, noting when the run's lease was confirmed. */
  #noting(running: Running, journal: Journal): Journal {
    return {
      ...journal,
      takeLease: async (lease, wall, ...rest) => {
        const { now } = this.#world;
        const taken = await journal.takeLease(lease, wall, ...rest);
        if (!taken.held) running.confirmed = { wall, now };
        return taken;
      },
      renewLease: async (platform, ofSupplier, epoch, wall, expiresAt) => {
        const { now } = this.#world;
        const isRenewed = await journal.renewLease(platform, ofSupplier, epoch, wall, expiresAt);
        if (isRenewed) running.confirmed = { wall, now };
        return isRenewed;
      },
    };
  }

  /** Whether the clock was set ahead and back, so that by both clocks the run's lease was confirmed just now. */
  #isDeceived({ confirmed }: Running): boolean {
    if (!this.#isClockSet || confirmed === undefined) return false;
    const shown = this.#world.wall - confirmed.wall;
    return shown >= 0 && shown < leaseMs && this.#world.now - confirmed.now < leaseMs;
  }

  /** Begins a run as the program does: by a look at the mark. Undefined where the journal is gone before it has begun. */
  async #begun(
    { number }: Running,
    journal: Journal,
    run: () => Promise<RunResult>,
  ): Promise<RunResult | undefined> {
    if (this.#file === undefined) return run();
    try {
      await journal.takeMark(this.#world.wall);
      return await run();
    } catch (error) {
      if (!(error instanceof JournalGone)) throw error;
      this.story.push(`  ${number}: its journal is gone`);
      return undefined;
    }
  }

  /** What becomes of the journal's file, before a run or under it. */
  #lose(loss: Loss, under?: Running): void {
    const file = this.#file;
    if (file === undefined) return;
    const { how } = loss;
    this.#outside = undefined;
    // Nobody could tell it from the newest.
    if (how === 'put back' && !(file.hasMark && file.hasCopy)) return;
    const isSettled = this.#expected === findings.untouched;
    if (how === 'left without its mark') {
      if (!isSettled) return;
      this.#counts.marksLost += 1;
      file.deleteMark();
      this.#expected = findings.unmarked;
      this.#person.forget();
      this.#touchAll();
      this.story.push('  the journal is left without its mark');
      return;
    }
    for (const running of [...this.#stalled, ...this.#woken]) this.#deprive(running);
    if (this.#current !== undefined) this.#deprive(this.#current);
    if (under !== undefined) this.#deprive(under);
    const { copy, found } = how === 'put back' ? file.putBack(loss.copy) : {};
    this.#putBack = copy;
    if (how === 'put back') this.#person.forget();
    else file.delete();
    if (how === 'deleted with its mark') file.deleteMark();
    this.story.push(`  the journal is ${how}${found === undefined ? '' : ` (${found})`}`);
    if (how === 'put back') this.#counts.journalsPutBack += 1;
    else this.#counts.journalsDeleted += 1;
    const expected =
      how !== 'put back' ? findings.deleted : found === 'same' ? findings.untouched : findings.put;
    // The mark goes forward when what was saved is opened: until then an older copy may be what it names.
    const isPlain = isSettled && !this.#isSaved;
    this.#isSaved = false;
    this.#expected = isPlain || how !== 'put back' ? expected : [...findings.put, ...findings.untouched];
    if (under !== undefined && under.isLeft !== true) return;
    if (this.#expected === findings.untouched) return;
    this.#touchAll();
  }

  /** The folder goes back with its mark: nobody but the platform knows what was sent since. */
  async #putFolderBack({ ending }: Round, { copy }: Loss): Promise<void> {
    const file = this.#file;
    if (file?.hasCopy !== true || !file.isMarked(copy)) return;
    this.#wire.landAll();
    this.#outside = undefined;
    this.#orphans.become(this.#orphansOfCopies[file.putBackWhole(copy)]);
    this.#expected = findings.untouched;
    this.#person.forget();
    this.#counts.journalsPutBack += 1;
    this.#touchAll();
    this.story.push('  the folder is put back');
    const journal = await this.#journal;
    let hasRun = false;
    for await (const { dryRun } of journal.runs()) hasRun ||= !dryRun;
    // To a journal that has begun nothing all that is there is somebody else's.
    if (!hasRun) this.#orphans.begin(this.#wire.platform.accounts);
    const plans = [...this.#versions.values()].flatMap((versions) => versions.slice(-1));
    const entries = await this.#entries();
    // What a run creates that ends early is newer than what was lost: the next one takes that for somebody else's.
    if (ending !== undefined)
      for (const { key } of plans)
        if (!isKnown(entries, key.account)) this.#wire.createdUnseen.add(key.account);
    this.#lost = excuseUnwitnessed(this.#wire, plans, entries, this.#schedule.checkPreviouslyAdded);
  }

  /** Notes what a run whose file is taken away may still send. */
  #deprive(running: Running): void {
    if (running.recorded !== undefined || running.journal === undefined) return;
    if (running.isReleasing !== true) running.mustNotice = true;
    running.recorded = this.#sentBy(running.journal);
  }

  async #sentBy(journal: Journal): Promise<Set<string>> {
    const sent = new Set<string>();
    for await (const { key, parts } of journal.accounts(this.#platform, supplier))
      for (const { step, state } of parts) if (state === 'sent') sent.add(`${step} of ${key.account}`);
    return sent;
  }

  /** Nothing of what a journal knew that is gone may be expected of the next one. */
  #touchAll(): void {
    this.#wire.isJournalLost = true;
    for (const n of this.#accounts.keys()) this.#wire.touched.add(nameOf(n));
  }

  /** A run under which the file was taken away saves it, and a person may put that in its place. */
  async #afterLoss(running: Running, { loss }: Round, result: RunResult | undefined): Promise<void> {
    if (running.recorded === undefined || loss === undefined) return;
    const isTold = result?.stop?.reason === 'journal-gone' && running.journal !== undefined;
    const saved = isTold ? await running.journal?.whereabouts(this.#world.wall + running.number) : undefined;
    if (isTold && saved?.savedAs === undefined) throw new Violation('A journal that was gone was not saved.');
    if (saved?.savedAs === undefined || !loss.isSavedPutBack) {
      this.#touchAll();
      return;
    }
    this.story.push('a person puts what was saved in its place');
    this.#file?.putSaved(saved.savedAs);
    this.#isSaved = true;
    this.#outside = undefined;
    this.#counts.journalsSaved += 1;
    this.#expected = this.#file?.hasMark === true ? findings.untouched : findings.unmarked;
    if (this.#expected === findings.unmarked) this.#touchAll();
    else await this.#touchWhatIsOpen();
  }

  #found(finding: MarkFinding): void {
    if (finding !== 'current') this.story.push(`  the mark says: ${finding}`);
    if (!this.#expected.includes(finding))
      throw new Violation(`The mark says ${finding}, and not ${this.#expected.join(' or ')}.`);
    this.#expected = findings.untouched;
    this.#isSaved = false;
    if (inDoubt.has(finding)) {
      this.#orphans.putBack(
        finding === 'missing' ? this.#orphans.copied() : this.#orphansOfCopies[this.#putBack ?? -1],
      );
      for (const [n, { isForeign }] of this.#accounts.entries()) if (isForeign) this.#wire.mistake(nameOf(n));
    }
    if (finding !== 'new' && finding !== 'began-anew') return;
    // Nobody is left who knew of what is still under way.
    this.#wire.landAll();
    for (const running of [...this.#stalled, ...this.#woken])
      if (running.recorded !== undefined) running.isSucceeded = true;
    this.#orphans.begin(this.#wire.platform.accounts);
  }

  async #told(running: Running): Promise<RunResult | undefined> {
    const { number } = running;
    const result = await running.ended;
    this.#alive.delete(number);
    const reason = result?.stop?.reason;
    this.story.push(`  ${number}: ends with exit ${result?.exit ?? ''} ${reason ?? ''}`);
    if (running.mustNotice === true && result !== undefined && reason === undefined)
      throw new Violation(`Run ${number} did not notice that its journal is gone.`);
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
  #watch(running: Running, { isDryRun }: Round) {
    const { number } = running;
    return async (request: Request): Promise<void> => {
      const { account, endpoint, hasEffect } = request;
      this.story.push(`  ${number}: ${endpoint} of ${account}`);
      const step = stepNames.find((name) => name.replaceAll('-', '') === endpoint.toLowerCase());
      if (running.recorded !== undefined) {
        const recorded = await running.recorded;
        if (hasEffect && !isDryRun && !recorded.delete(`${step} of ${account}`))
          throw new Violation(`${endpoint} of ${account} is sent, and the journal is gone.`);
        this.#orphans.stillSent(request);
        const isUnseen = number !== this.#holder || running.isSucceeded === true;
        if (hasEffect && !isDryRun && isUnseen) this.#wire.comesUnseen(request);
        return;
      }
      // While the clock is set, a lease may look ended to others and not to its run: that may ask, and change nothing.
      if (number !== this.#holder && (hasEffect || !this.#isClockSet)) {
        if (!this.#isDeceived(running))
          throw new Violation(`Run ${number} sends, and ${this.#holder} has the lease.`);
        if (!isDryRun) this.#wire.comesUnseen(request);
        return;
      }
      const isUnknown = await this.#unknown;
      if (endpoint === 'transferStatus') {
        isUnknown.delete(account);
        return;
      }
      if (isUnknown.has(account))
        throw new Violation(`${endpoint} of ${account} is sent before its unknown process is settled.`);
      if (endpoint === 'validate' || isDryRun) return;
      const entry = await (await this.#journal).find(this.#platform, { supplier, account });
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
  #fateOf(round: Round, running: Running, stop: StopControl): Fate {
    const { ending, wakeAt, clockJumps, copyAt, loss } = round;
    const { number, life } = running;
    let points = 0;
    let blows = 0;
    return (point, outcome) => {
      if (point === 'after takeLease' && !(outcome as LeaseTaken | LeaseHeld).held) {
        this.#holder = number;
        this.#unknown = this.#findUnknown();
        // What one that woke up has recorded since, it must not send any more.
        if (this.#stalled.length + this.#woken.length > 0) this.#touching = this.#touchWhatIsOpen();
      }
      if (point === 'after takeMark') {
        this.#found(outcome as MarkFinding);
        // Who had it open before does not know that it counts as restored.
        if (outcome !== 'current') this.#outside = undefined;
      }
      if (point === 'before releaseLease') running.isReleasing = true;
      if (life.isOver || !life.isAwake) return;
      points += 1;
      if (points === copyAt) this.#copy();
      if (points === loss?.at) this.#lose(loss, running);
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
    for await (const entry of (await this.#journal).accounts(this.#platform, supplier)) entries.push(entry);
    return entries;
  }

  #isDead({ host }: { readonly host: string }): boolean {
    return ![...this.#alive].some((number) => host === `run ${number}`);
  }
}

function ownerOf(host: string): { host: string; pid: number; processStart: string } {
  return { host, pid: 1, processStart: 'a' };
}
