import type { PlatformClient } from '../client/platform-client.ts';
import {
  accountStates,
  leavesWork,
  withTotal,
  withUncounted,
  zeroCounts,
  type AccountCounts,
  type AccountState,
  type RunCounts,
  uncountedOf,
} from '../domain/account-state.ts';
import type { Actor } from '../domain/actor.ts';
import type { Clock, Random } from '../domain/clock.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../domain/exit-codes.ts';
import type { AccountKey } from '../domain/account-key.ts';
import { isJsonObject, parseJson } from '../domain/json.ts';
import { partitionOf } from '../domain/partition.ts';
import { isExtraStep } from '../domain/steps.ts';
import {
  JournalGone,
  LeaseLost,
  type AccountEntry,
  type Boot,
  type Finished,
  type Journal,
  type LeaseHeld,
  type PartlyRead,
  type SupplierOverview,
} from '../journal/journal.ts';
import type { Budget, Joined } from '../journal/run-groups.ts';
import { isTaken, type AccountFilter } from './account-filter.ts';
import { AnswerWatch } from './answer-watch.ts';
import { Book } from './book.ts';
import type { RequestTally, RunContext } from './context.ts';
import { runAccount } from './account-runner.ts';
import { fixedAccount } from './fixed-account.ts';
import { FailureWatch } from './failure-watch.ts';
import type { AccountSlot } from './flow/account-slot.ts';
import { Flow, type Heard } from './flow/flow.ts';
import { Leases, type LeaseSettings } from './leases.ts';
import { QuietPeriod } from './quiet-period.ts';
import { NumberClaims } from './numbers/number-claims.ts';
import type { ReadyPlan } from './ready-plan.ts';
import { pause } from './retry.ts';
import { beginRun } from './run-record.ts';
import { Restated } from './restated.ts';
import type { AccountEnded, RunEvent, StopReason } from './run-events.ts';
import type { Settings } from './settings.ts';
import { SharedBook } from './shared-book.ts';
import { sumOf, SharedCounts } from './shared-counts.ts';
import type { StopControl } from './stop-control.ts';

export interface RunInput extends AccountFilter {
  /** The accounts, pulled as places become free. */
  readonly plans: AsyncIterable<ReadyPlan>;
  /** Present if the book may be shared with other runs of the journal. */
  readonly shared?: {
    /** Identifies the contents of the export and of everything that decides how it is mapped. */
    readonly book: string;
    /** The accounts of these partitions; ends the last pass. */
    readonly plansOf: (partitions: ReadonlySet<number>) => AsyncIterable<ReadyPlan>;
    /** Takes a message for people. */
    readonly inform: (message: string) => void;
  };
  /** The source of the plans, for the history. */
  readonly export: string;
  /** The same as an absolute path, by which the journal recognises the export. */
  readonly place: string;
  /** The locations of the `--with` directories, as absolute paths. */
  readonly fixes?: readonly string[];
  /**
   * Identifies the unchanged export, so that it need not be read again when it is completed; absent if that is not
   * possible.
   */
  readonly print?: (() => Promise<Pick<Finished, 'fingerprint' | 'content'>>) | undefined;
  /** The number of accounts in it and its fixes. */
  readonly size?: number;
  /** Whether the export has faults that belong to no account: the run cannot end with 0. */
  readonly faults: number;
  readonly platform: string;
  readonly platformLabel: string;
  readonly settings: Settings;
  readonly lease: LeaseSettings;
  /** The boot of this machine: shows whether the clock was set since an earlier run. */
  readonly boot?: Boot;
  /** Who started it, for the history. */
  readonly by?: Actor;
}

/** The largest difference between two readings of the boot time if nobody set the clock. */
const clockGrainMs = 2_000;

/** The resources of a run that it does not own. */
export interface RunPorts {
  readonly client: PlatformClient;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly stop: StopControl;
  readonly emit: (event: RunEvent) => void;
}

export interface RunResult {
  readonly run: number;
  readonly suppliers: readonly string[];
  /** The book of the suppliers that were taken: every account of theirs that a run has read from an export. */
  readonly accounts: RunCounts;
  /** The exports of these suppliers that no run has read to their end. */
  readonly partlyRead: readonly PartlyRead[];
  /** Whether the same command, run again, would find accounts to drive. What needs a fix or a ruling is none. */
  readonly workLeft: boolean;
  /** Those of them that the filters took. */
  readonly taken: AccountCounts;
  /** The suppliers of the export, if it has accounts but none of the requested supplier. */
  readonly otherSuppliers?: readonly string[];
  readonly wouldImport: number;
  /** Of the pending accounts of the book, those whose data a dry run staged. */
  readonly stagedByDryRun: number;
  readonly changedInBook: number;
  readonly requests: number;
  readonly retries: number;
  readonly durationMs: number;
  /** The earlier run that left nothing to do in the identical export, which was therefore not read again. */
  readonly unchangedSince?: number;
  readonly stop?: { readonly reason: StopReason; readonly detail: string };
  /** The holder of the supplier, if that ended the run. */
  readonly heldBy?: LeaseHeld;
  /** Whether accounts of these suppliers have the platform number of another account that is not settled. */
  readonly sharesNumbers: boolean;
  readonly exit: ExitCode;
}

/**
 * Migrates every account of an export that has work left, as many concurrently as the platform takes, and records
 * everything in the journal. Can be stopped at any moment and run again.
 */
export async function runMigration(input: RunInput, ports: RunPorts): Promise<RunResult> {
  const { journal, clock, stop } = ports;
  const since = clock.monotonic();
  const { settings, size, accounts } = input;
  const named = size === undefined || accounts !== undefined ? {} : { named: size };
  const { run } = await beginRun({ ...input, ...named, dryRun: settings.dryRun }, ports);
  const clockSince = await journal.sameBootSince(run, input.boot, clockGrainMs);
  const joined = await joinBook(input, ports, run);
  const own = joined === undefined ? input : { ...input, place: joined.place, fixes: joined.fixes };
  const migration = new Migration(own, ports, run, { clockSince, joined, fixes: input.fixes ?? [] });
  const { taken, book, tally, wouldImport, suppliers, heldBy, otherSuppliers, sharesNumbers } =
    await migration.run();
  const { requests, retries } = tally;
  const { unread, partlyRead } = migration;
  // Another export of these suppliers may have accounts that no run has read: how many is not known.
  const uncounted = unread === 0 ? uncountedOf(partlyRead) : unread;

  const endedAt = clock.now();
  const exit = exitCodeOf([
    ...exitCodesHolding(taken, stop.reasons, input.faults + migration.refused),
    ...(otherSuppliers === undefined ? [] : [exitCodes.usage]),
    ...(sharesNumbers ? [exitCodes.uncertain] : []),
  ]);
  await journal.finishRun(run, {
    endedAt,
    exit,
    reason: stop.reason ?? '',
    accounts: book,
    ...(uncounted === 0 ? {} : { uncounted }),
    requests,
    retries,
  });
  return {
    run,
    suppliers: [...suppliers].sort(),
    accounts: withUncounted(book, uncounted),
    partlyRead,
    workLeft: leavesWork(migration.isAllCounted ? withTotal(taken) : withUncounted(book, unread)),
    taken,
    ...(otherSuppliers === undefined ? {} : { otherSuppliers }),
    wouldImport,
    stagedByDryRun: migration.stagedByDryRun,
    changedInBook: migration.changedInBook,
    requests,
    retries,
    durationMs: Math.round(clock.monotonic() - since),
    sharesNumbers,
    exit,
    ...(stop.reason === undefined ? {} : { stop: { reason: stop.reason, detail: stop.detail } }),
    ...(heldBy === undefined ? {} : { heldBy }),
  };
}

/** Joins the runs that work on the same book; undefined if it is not to be shared. */
async function joinBook(
  { shared, platform, place, fixes = [], lease, settings }: RunInput,
  { journal }: RunPorts,
  run: number,
): Promise<Joined | undefined> {
  if (shared === undefined || journal.groups === undefined) return undefined;
  const { owner, isDead, leaseMs, requestMs } = lease;
  const order = {
    ...{ platform, place, fixes, run, owner },
    book: shared.book,
    leaseMs: leaseMs + requestMs,
  };
  return journal.groups.join({ ...order, budget: budgetOf(settings) }, isDead);
}

function budgetOf({ concurrency, processConcurrency = concurrency, rate }: Settings): Budget {
  return { concurrency, processConcurrency, rate: rate ?? null };
}

/** The most suppliers that a message names. */
const mostMet = 100;

class Migration {
  /** What the filters take. */
  readonly taken = zeroCounts();
  /** All accounts of the suppliers that are taken; filled in at the end. */
  book = zeroCounts();
  /** False if the run was ended before it reached the last account. */
  isAllCounted = false;
  /** Accounts of the export that neither this run nor an earlier one has read; null if their number is unknown. */
  unread: number | null = 0;
  partlyRead: readonly PartlyRead[] = [];
  readonly tally: RequestTally = { requests: 0, retries: 0, answered: 0 };
  readonly suppliers = new Set<string>();
  /** The suppliers whose book this run reports: with `--accounts`, also those without an account in the list. */
  readonly #booked = new Set<string>();
  /** A few of the suppliers that the export has. */
  readonly #met = new Set<string>();
  /** Accounts without a supplier, of which the journal records nothing. */
  readonly #strays = zeroCounts();
  /** The journal's states of the accounts that a dry run took. */
  readonly #before = zeroCounts();
  readonly #entries: Book;
  wouldImport = 0;
  /** Of the pending accounts of the book. */
  stagedByDryRun = 0;
  changedInBook = 0;
  /** Completed accounts whose current data was refused here. */
  refused = 0;
  heldBy: LeaseHeld | undefined;
  sharesNumbers = false;
  readonly #restated: Restated;
  /** Suppliers that this run skips, and why. */
  readonly #closed = new Map<string, { readonly reason: StopReason; readonly detail: string }>();
  readonly #input: RunInput;
  readonly #ports: RunPorts;
  readonly #context: RunContext;
  readonly #flow: Flow;
  readonly #answers: AnswerWatch;
  readonly #leases: Leases;
  /** Absent if this run alone drives the export. */
  readonly #shared: SharedBook | undefined;
  readonly #counts = new SharedCounts();
  /** The fixes as this machine has them; the group may have them elsewhere. */
  readonly #ownFixes: readonly string[];
  #plans: AsyncIterator<ReadyPlan>;
  readonly #failures: FailureWatch;
  readonly #run: number;
  #admitted = 0;
  /** Each runs one account after another; surplus ones end after their account. */
  #workers: Promise<void>[] = [];
  #surplus = 0;
  /** The limit of accounts is reached: those started are run to their end, and no other is started. */
  #isFull = false;
  #toldRunners = '';
  #broken: Error | undefined;

  constructor(
    input: RunInput,
    ports: RunPorts,
    run: number,
    {
      clockSince,
      joined,
      fixes,
    }: {
      readonly clockSince: number;
      readonly joined: Joined | undefined;
      readonly fixes: readonly string[];
    },
  ) {
    this.#ownFixes = fixes;
    const { settings, platform } = input;
    this.#input = input;
    this.#run = run;
    this.#ports = ports;
    this.#plans = input.plans[Symbol.asyncIterator]();
    this.#entries = new Book(ports.journal, platform, input.place, input.fixes ?? []);
    this.#failures = new FailureWatch(settings.maxFailures, ports.stop);
    this.#leases = new Leases(ports.journal, platform, input.lease, ports.clock, (supplier) =>
      this.#lose(supplier),
    );
    const client = this.#leases.guard(ports.client);
    this.#flow = new Flow(settings, {
      ...ports,
      client,
      sending: () => void (this.tally.requests += 1),
      stoodAside: (isAside) => this.#stoodAside(isAside),
      isLast: () => this.isAllCounted || this.#isFull,
      fail: (error) => this.#break(error),
    });
    this.#answers = new AnswerWatch((held) => {
      ports.emit({ type: 'held', ...held });
      // Nothing of an account can follow these steps; the further steps are independent.
      if (!isExtraStep(held.step)) this.#stopForHeld();
    });
    this.#restated = new Restated(input);
    const broken = (error: unknown): void => this.#break(error);
    this.#context = {
      ...ports,
      emit: (event) => {
        if (event.type === 'restated') this.#restated.note(event);
        ports.emit(event);
      },
      client,
      run,
      platform,
      place: input.place,
      settings,
      tally: this.tally,
      flow: this.#flow,
      quiet: new QuietPeriod(settings.patience, ports.clock, run, clockSince),
      answers: this.#answers,
      numbers: new NumberClaims(ports.journal, platform),
      record: (write) => void write.catch(broken),
      hold: (key) => this.#hold(key),
      closeSupplier: (supplier, detail) => {
        this.#closed.set(supplier, { reason: 'supplier-not-ongoing', detail });
        this.#flow.accounts.closeSupplier(supplier);
      },
      admit: () => this.#admit(),
      open: (key) => this.#open(key),
    };
    this.#shared = joined && this.#share(joined);
  }

  #share(joined: Joined): SharedBook | undefined {
    const { journal, clock, stop } = this.#ports;
    const { groups } = journal;
    if (groups === undefined) return undefined;
    const flow = this.#flow;
    const { quiet } = this.#context;
    flow.limitTo({ concurrency: 0, processConcurrency: 0, rate: 0 });
    const shared = new SharedBook(groups, joined, {
      ...{ clock, lease: this.#input.lease, draining: stop.draining },
      uses: () => flow.uses,
      limitTo: (granted) => flow.limitTo(granted),
      heard: () => JSON.stringify(flow.heard),
      hear: (others) => flow.hear(others.map(heardIn)),
      settle: () => this.#entries.flush(),
      tookOver: () => quiet.tookOver(),
      stop: ({ reason, detail }) => {
        if (isGroupStop(reason)) stop.stop(reason, detail);
      },
      lost: () => this.#lose(''),
    });
    this.#leases.shareBy(shared);
    return shared;
  }

  async run(): Promise<this> {
    const { stop } = this.#ports;
    const ended = new AbortController();
    const shared = this.#shared;
    const heartbeat = (shared ?? this.#leases).keepAlive().catch((error: unknown) => this.#break(error));
    const time = this.#watchTime(ended.signal);
    try {
      await this.#entries.begin(this.#input.size);
      this.#context.numbers.areShared = await this.#findsShared(() => true);
      if (shared === undefined) await this.#pass();
      else await this.#passShared(shared);
      this.#failures.finish(this.tally.answered);
      for (const { reason, detail } of this.#closed.values()) stop.stop(reason, detail);
      if (this.#isFull) stop.stop('limit', String(this.#input.settings.limit));
      if (this.#answers.held.length > 0) this.#stopForHeld();
      if (stop.reason === 'max-failures') await shared?.stopAll({ reason: stop.reason, detail: stop.detail });
      if (stop.reason !== undefined && !stop.aborting.aborted) await this.#countTheRest();
      if (shared !== undefined) await this.#sumUp(shared);
      this.#restated.correct(this.taken, this.suppliers);
      this.sharesNumbers = await this.#findsShared((supplier) => this.suppliers.has(supplier));
      await this.#closeBook().catch((error: unknown) => this.#break(error));
      await this.#recordFinished().catch((error: unknown) => this.#break(error));
    } finally {
      ended.abort();
      this.#flow.close();
      await time;
      await this.#plans.return?.();
      await this.#leases.release().catch((error: unknown) => this.#break(error));
      await shared?.leave().catch((error: unknown) => this.#break(error));
      await heartbeat;
    }
    if (this.#broken !== undefined) throw this.#broken;
    return this;
  }

  /** Runs the accounts of the export, or of its partitions that are due. */
  async #pass(): Promise<void> {
    for (let count = 0; count < this.#input.settings.concurrency; count += 1)
      this.#workers.push(this.#work());
    // More may join them meanwhile.
    for (const worker of this.#workers) await worker;
    this.#workers = [];
    this.#surplus = 0;
  }

  /** Drives what is this run's of the book, until all of it was passed by one run or another. */
  async #passShared(shared: SharedBook): Promise<void> {
    const source = this.#input.shared;
    for (;;) {
      const due = await shared.next();
      if (due === undefined || source === undefined) break;
      this.#tellRunners(shared);
      this.#counts.clear();
      this.isAllCounted = false;
      this.#plans = source.plansOf(due)[Symbol.asyncIterator]();
      await this.#pass();
      // What was stopped is counted from here on.
      if (this.#isCutShort()) return;
      await this.#entries.closePart(
        { hasUnreadable: this.#input.faults > 0 },
        (account) => due.has(partitionOf(account)) && shared.isWhole(partitionOf(account)),
      );
      await shared.passedAll(due, (number) => this.#counts.written(number));
    }
    this.isAllCounted = shared.isDone;
  }

  /** Whether accounts of the present pass were not looked at. */
  #isCutShort(): boolean {
    const isStopped = this.#ports.stop.reason !== undefined || this.#broken !== undefined;
    return isStopped || !this.isAllCounted || this.#isFull || this.#answers.held.length > 0;
  }

  #tellRunners({ runners }: SharedBook): void {
    const others = runners.filter(({ run }) => run !== this.#run);
    const told = others.map(({ run, owner }) => `run ${run} on ${owner.host}`).join(', ');
    if (told === this.#toldRunners) return;
    this.#toldRunners = told;
    this.#input.shared?.inform(
      told === ''
        ? 'No other run works on this book any more: this one does the rest.'
        : `This run shares the book with ${told}.`,
    );
  }

  /** Counts the book as all runs of it do. */
  async #sumUp(shared: SharedBook): Promise<void> {
    const { aborting } = this.#ports.stop;
    if (aborting.aborted) return;
    this.isAllCounted = shared.isDone;
    const { taken, strays, refused, suppliers } = sumOf(await shared.results());
    for (const supplier of suppliers) {
      this.suppliers.add(supplier);
      this.#booked.add(supplier);
    }
    if (!shared.isDone) return;
    Object.assign(this.taken, taken);
    Object.assign(this.#strays, strays);
    this.refused = refused;
    await this.#entries.end();
  }

  /** Stops the run when its time is over. */
  async #watchTime(ended: AbortSignal): Promise<void> {
    const { runMs } = this.#input.settings.timeouts;
    if (runMs === undefined) return;
    if (await pause(this.#ports.clock, runMs, ended)) this.#ports.stop.stop('run-timeout', String(runMs));
  }

  /** While an account stands aside, its worker is blocked: another worker takes other accounts. */
  #stoodAside(isAside: boolean): void {
    if (!isAside) this.#surplus += 1;
    else if (this.#surplus > 0) this.#surplus -= 1;
    else this.#workers.push(this.#work());
  }

  #isSurplus(): boolean {
    if (this.#surplus === 0) return false;
    this.#surplus -= 1;
    return true;
  }

  /** Whether two accounts of the platform have one number, one of them of such a supplier; a dry run does not ask. */
  async #findsShared(isMeant: (supplier: string) => boolean): Promise<boolean> {
    const { settings, platform } = this.#input;
    if (settings.dryRun || this.#ports.stop.aborting.aborted) return false;
    for await (const { accounts } of this.#ports.journal.sharedNumbers(platform))
      if (accounts.some(({ supplier }) => isMeant(supplier))) return true;
    return false;
  }

  /** Runs one account after another, each as soon as there is room for it. */
  async #work(): Promise<void> {
    try {
      while (!this.#isFull && !this.#isSurplus()) {
        const place = await this.#flow.accounts.begin();
        if (place === undefined) return;
        try {
          if (!(await this.#driveNext(place))) return;
        } finally {
          this.#flow.left(place);
        }
      }
    } catch (error) {
      this.#break(error);
    }
  }

  /** False if there is none left, or none may be started. */
  async #driveNext(place: AccountSlot): Promise<boolean> {
    if (this.#isFull) return false;
    const plan = await this.#next();
    if (plan === undefined) return false;
    const { supplier, account } = plan.key;
    if (this.#shared?.begin(account) === false) {
      plan.close();
      return true;
    }
    try {
      return await this.#driveHeld(place, plan, supplier);
    } finally {
      this.#shared?.end(account);
    }
  }

  async #driveHeld(place: AccountSlot, plan: ReadyPlan, supplier: string): Promise<boolean> {
    // The thread that prepares plans may have stopped when the run began to drain.
    const isStopped = this.#ports.stop.reason !== undefined;
    if (isStopped || (supplier !== '' && !(await this.#holds(supplier)))) {
      await this.#countUntouched(plan);
      return !isStopped;
    }
    this.#flow.accounts.drives(place, plan.key, plan.bytes);
    try {
      const ended = await runAccount(this.#context, plan);
      this.#count(ended, place.hasAsked);
    } catch (error) {
      if (!(error instanceof JournalGone)) throw error;
      this.#break(error);
      // Only for records; nobody is left to report anything else to.
      this.taken[await this.#recordedState(plan)] += 1;
    } finally {
      plan.close();
    }
    return true;
  }

  async #next(): Promise<ReadyPlan | undefined> {
    for (;;) {
      const next = await this.#plans.next();
      if (next.done === true) {
        this.isAllCounted = true;
        return undefined;
      }
      // Partitions that were lost since the pass began are another run's.
      if (this.#shared?.holds(next.value.key.account) === false) {
        next.value.close();
        continue;
      }
      const plan = await this.#named(this.#placed(next.value));
      const { supplier } = plan.key;
      if (supplier === '') this.#entries.stray();
      else if (this.#met.size < mostMet) this.#met.add(supplier);
      const isOfBook = this.#input.supplier === undefined || supplier === this.#input.supplier;
      if (isOfBook && supplier !== '') this.#booked.add(supplier);
      if (isTaken(plan.key, this.#input)) {
        if (supplier !== '') this.suppliers.add(supplier);
        this.#restated.comesUp(plan.key);
        return plan;
      }
      plan.close();
      if (supplier !== '') await this.#entries.enter(plan);
    }
  }

  /** A fix by the location that all runs of the group know it by. */
  #placed(plan: ReadyPlan): ReadyPlan {
    if (plan.fix === undefined || this.#shared === undefined) return plan;
    const place = this.#input.fixes?.[this.#ownFixes.indexOf(plan.fix.place)] ?? plan.fix.place;
    return { ...plan, fix: { ...plan.fix, place } };
  }

  /** Data that names no supplier belongs to the account of which a fix was sent. */
  async #named(plan: ReadyPlan): Promise<ReadyPlan> {
    if (plan.key.supplier !== '') return plan;
    const { platform, place } = this.#input;
    const key = await fixedAccount(this.#ports.journal, platform, plan.key.account, plan.fix?.place ?? place);
    return key === undefined ? plan : { ...plan, key, isUnnamed: true };
  }

  async #holds(supplier: string): Promise<boolean> {
    if (this.#closed.has(supplier)) return false;
    const held = await this.#leases.take(supplier);
    if (held === undefined) return true;
    this.heldBy = held;
    this.#closed.set(supplier, { reason: 'held', detail: supplier });
    return false;
  }

  async #hold(key: AccountKey): Promise<(() => void) | undefined> {
    if ((await this.#leases.take(key.supplier)) !== undefined) return undefined;
    const { account } = key;
    if (this.#shared?.begin(account) === false) return undefined;
    return () => this.#shared?.end(account);
  }

  #admit(): boolean {
    const { limit } = this.#input.settings;
    if (limit !== undefined && this.#admitted >= limit) {
      this.#isFull = true;
      return false;
    }
    this.#admitted += 1;
    return true;
  }

  #count(ended: AccountEnded, wasAsked: boolean): void {
    this.taken[ended.state] += 1;
    if (ended.isRefused === true) this.refused += 1;
    if (ended.supplier === '') this.#strays[ended.state] += 1;
    if (this.#shared !== undefined) {
      const counted = this.#counts.of(ended.account);
      counted.taken[ended.state] += 1;
      if (ended.isRefused === true) counted.refused += 1;
      if (ended.supplier === '') counted.strays[ended.state] += 1;
      else counted.suppliers.add(ended.supplier);
    }
    if (ended.wouldImport) this.wouldImport += 1;
    this.#failures.see(ended, wasAsked);
  }

  /** Accounts that a stopped run did not reach are counted by their state in the journal. */
  async #countTheRest(): Promise<void> {
    for (;;) {
      if (this.#ports.stop.aborting.aborted) return;
      const plan = await this.#next();
      if (plan === undefined) return;
      await this.#countUntouched(plan);
    }
  }

  async #countUntouched(plan: ReadyPlan): Promise<void> {
    plan.close();
    const { account, supplier } = plan.key;
    const counted = this.#shared && this.#counts.of(account);
    if (supplier === '') {
      this.taken.pending += 1;
      this.#strays.pending += 1;
      if (counted !== undefined) counted.taken.pending += 1;
      if (counted !== undefined) counted.strays.pending += 1;
      return;
    }
    counted?.suppliers.add(supplier);
    await this.#entries.enter(plan, (state) => {
      this.taken[state] += 1;
      this.#before[state] += 1;
      if (counted !== undefined) counted.taken[state] += 1;
    });
  }

  /** The entry of an account that is run. */
  async #open({ key, fix }: ReadyPlan): Promise<AccountEntry> {
    const from = this.#entries.from(fix);
    const entry = await this.#ports.journal.open(this.#input.platform, key, from);
    this.#entries.read(entry.id);
    this.#before[entry.state] += 1;
    return entry;
  }

  /** The journal has everything that was read, and its counts are reported. */
  async #closeBook(): Promise<void> {
    if (this.#broken !== undefined) return;
    const { platform, faults, settings } = this.#input;
    if (this.isAllCounted && this.#shared === undefined)
      await this.#entries.close({ hasUnreadable: faults > 0 });
    else await this.#entries.flush();
    const overviews = await this.#ports.journal.overview(platform);
    const books = overviews.filter((overview) => this.#isBooked(overview));
    this.partlyRead = partlyReadOf(books);
    if (!this.isAllCounted) this.unread = await this.#countUnread(overviews);
    for (const state of accountStates) {
      const inJournal = books.reduce((sum, { accounts }) => sum + accounts[state], 0);
      const more = settings.dryRun ? this.taken[state] - this.#before[state] : this.#strays[state];
      this.book[state] = inJournal + more;
    }
    this.stagedByDryRun = books.reduce((sum, { stagedByDryRun: staged }) => sum + staged, 0);
    this.changedInBook = books.reduce((sum, { changedAfterImport: changed }) => sum + changed, 0);
  }

  #isBooked(overview: SupplierOverview): boolean {
    const { supplier } = this.#input;
    // A run that is cut short does not meet every supplier that an earlier one met.
    const isOfExport = supplier === undefined && this.#entries.isPartlyRead(overview);
    return this.#booked.has(overview.supplier) || isOfExport;
  }

  async #countUnread(overviews: readonly SupplierOverview[]): Promise<number | null> {
    const { size, supplier } = this.#input;
    if (size === undefined || supplier !== undefined) {
      const isKnown =
        this.#booked.size > 0 && !overviews.some((overview) => this.#entries.isPartlyRead(overview));
      return isKnown ? 0 : null;
    }
    const strays = Object.values(this.#strays).reduce((sum, count) => sum + count, 0);
    return Math.max(0, size - strays - (await this.#entries.known()));
  }

  /** The suppliers of the export if it was read to its end and has no account of the requested one. */
  get otherSuppliers(): readonly string[] | undefined {
    const isMissed = this.isAllCounted && this.#input.supplier !== undefined && this.#booked.size === 0;
    return isMissed && this.#met.size > 0 ? [...this.#met].sort() : undefined;
  }

  async #recordedState({ key }: ReadyPlan): Promise<AccountState> {
    const entry = await this.#ports.journal.find(this.#input.platform, key);
    return entry?.state ?? 'pending';
  }

  /** While the leases are held: nobody else can have changed what is recorded as finished. */
  async #recordFinished(): Promise<void> {
    const { print, platform, settings, faults } = this.#input;
    const { journal, stop } = this.#ports;
    const { completed: _done, skipped: _left, ...unfinished } = this.taken;
    const isFinished = Object.values(unfinished).every((count) => count === 0);
    const isWhole =
      stop.reason === undefined &&
      this.#broken === undefined &&
      faults + this.refused === 0 &&
      !this.sharesNumbers;
    if (print === undefined || settings.dryRun || !isFinished || !isWhole) return;
    const suppliers = [...this.suppliers];
    await journal.recordFinished({ run: this.#run, platform, suppliers, ...(await print()) });
  }

  #stopForHeld(): void {
    const held = this.#answers.held.map(({ step, looks }) => `${step}: ${looks}`);
    this.#ports.stop.stop('unrecognised-answers', held.join('; '));
  }

  /** What another run has taken over is its own: this one ends at once. */
  #lose(supplier: string): void {
    this.#ports.stop.stop('lease-lost', supplier);
    this.#ports.stop.abort('lease-lost');
  }

  /** A journal that cannot be written ends the run at once: nothing may be sent that cannot be recorded. */
  #break(error: unknown): void {
    if (error instanceof LeaseLost) {
      this.#lose(error.supplier);
      return;
    }
    // Requests under way are still recorded, wherever the records are now: they may finish.
    if (error instanceof JournalGone) {
      this.#ports.stop.stop('journal-gone', error.message);
      return;
    }
    this.#broken ??= error instanceof Error ? error : new Error(String(error));
    this.#ports.stop.breakOff();
  }
}

/** The exports of several suppliers that no run has read to their end, each once. */
export function partlyReadOf(overviews: readonly SupplierOverview[]): readonly PartlyRead[] {
  const byPlace = new Map(
    overviews.flatMap(({ partlyRead }) => partlyRead.map((read) => [read.place, read] as const)),
  );
  return [...byPlace.values()];
}

/** Reasons for which the other runs of a book stop too. */
function isGroupStop(reason: string): reason is 'max-failures' {
  return reason === 'max-failures';
}

function heardIn(text: string): Heard {
  const value = text === '' ? undefined : parseJson(text);
  if (!isJsonObject(value)) return { isDead: false };
  const { isDead, requests, process } = value;
  return {
    isDead: isDead === true,
    ...(requests === undefined ? {} : { requests: Number(requests) }),
    ...(process === undefined ? {} : { process: Number(process) }),
  };
}

const stopExits: Readonly<Record<StopReason, ExitCode>> = {
  interrupt: exitCodes.stoppedEarly,
  hours: exitCodes.stoppedEarly,
  limit: exitCodes.stoppedEarly,
  'max-failures': exitCodes.stoppedEarly,
  'run-timeout': exitCodes.stoppedEarly,
  'same-refusal': exitCodes.stoppedEarly,
  'unrecognised-answers': exitCodes.stoppedEarly,
  credentials: exitCodes.credentialsRefused,
  unavailable: exitCodes.unavailable,
  'supplier-not-ongoing': exitCodes.unavailable,
  held: exitCodes.supplierHeld,
  'lease-lost': exitCodes.supplierHeld,
  'journal-gone': exitCodes.usage,
  'created-meanwhile': exitCodes.supplierHeld,
  'dry-run-ignored': exitCodes.uncertain,
};

function* exitCodesHolding(
  counts: AccountCounts,
  reasons: Iterable<StopReason>,
  faults: number,
): Iterable<ExitCode> {
  for (const reason of reasons) yield stopExits[reason];
  if (counts.uncertain > 0) yield exitCodes.uncertain;
  if (counts.rejected + counts.failed + counts.skipped + faults > 0) yield exitCodes.accountsRejected;
}
