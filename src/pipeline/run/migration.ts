import type { FoundPace, RunPace } from '../../domain/found-pace.ts';
import { LeaseLost, type LeaseHeld } from '../../journal/journal.ts';
import type { Joined } from '../../journal/run-groups.ts';
import type { LearntBodyLimit } from '../../domain/request-too-large.ts';
import type { AccountKey } from '../../domain/account-key.ts';
import { isExtraStep } from '../../domain/steps.ts';
import { NeededItems } from '../added/needed-items.ts';
import { StepsAround } from '../added/steps-around.ts';
import { AccountDriver } from './account-driver.ts';
import { AccountLimit } from './account-limit.ts';
import { hasAnsweredBefore } from './answered-before.ts';
import { AnswerWatch } from './answer-watch.ts';
import { BodySizes } from '../request/body-sizes.ts';
import { BookCounts } from './book-counts.ts';
import { BreakOff } from './broken-run.ts';
import { Contradictions } from './contradictions.ts';
import type { RequestTally, RunContext } from './context.ts';
import { CredentialWatch } from './credential-watch.ts';
import { FailingSteps } from './failing-steps.ts';
import { FailuresApart } from './failures-apart.ts';
import { FailureWatch } from './failure-watch.ts';
import { HeldSuppliers } from './held-suppliers.ts';
import { NextPlans } from './next-plans.ts';
import { Flow } from '../flow/flow.ts';
import { shareBook } from './join-book.ts';
import { Leases } from './leases.ts';
import { accountsSharingNumbers, NumberClaims } from '../numbers/number-claims.ts';
import { QuietPeriod } from '../request/quiet-period.ts';
import { pause } from '../request/retry.ts';
import { PendingTasks } from '../steps/pending-tasks.ts';
import { RowNotes } from './row-notes.ts';
import type { RunEvent } from './run-events.ts';
import type { RunClock } from './run-clock.ts';
import type { RunInput, RunPorts } from './run-input.ts';
import type { SharedBook } from './shared-book.ts';
import { SharedPasses } from './shared-passes.ts';

/** The number of a journal's first run: the journal knows no account from before. */
const firstRun = 1;

/** What a run goes on from. */
export interface RunBefore {
  /** Since when the clock runs that the journal's times are of, in ms since the epoch. */
  readonly clockSince: number;
  /** Its part in a book that other runs drive as well. */
  readonly joined: Joined | undefined;
  /** The rates that the last run found. */
  readonly remembered?: FoundPace | undefined;
  readonly bodyLimit?: LearntBodyLimit | undefined;
  /** The fixes as this machine has them. */
  readonly fixes: readonly string[];
}

/** Drives the accounts of one run: workers take one account after another, as many at a time as the platform takes. */
export class Migration {
  /** What was counted, whose parts are final when `run` has resolved. */
  readonly counts: BookCounts;
  readonly rows: RowNotes;
  readonly tally: RequestTally = { requests: 0, retries: 0, answered: 0 };
  /** Steps at which accounts fail. */
  readonly failingSteps = new FailingSteps();
  readonly failuresApart = new FailuresApart();
  /** How large bodies may be. */
  readonly sizes: BodySizes;
  /** Accounts of its suppliers that share a platform number with another one. */
  doubled = 0;
  readonly #input: RunInput;
  readonly #ports: RunPorts;
  readonly #context: RunContext;
  readonly #broken: BreakOff;
  readonly #flow: Flow;
  readonly #answers: AnswerWatch;
  readonly #contradictions: Contradictions;
  readonly #leases: Leases;
  /** Absent if this run alone drives the export. */
  readonly #shared: SharedBook | undefined;
  readonly #suppliers: HeldSuppliers;
  readonly #plans: NextPlans;
  readonly #passes: SharedPasses | undefined;
  readonly #failures: FailureWatch;
  readonly #accounts: AccountDriver;
  readonly #limit: AccountLimit;
  readonly #run: number;
  readonly #steps: StepsAround;

  constructor(
    input: RunInput,
    ports: RunPorts & { readonly clock: RunClock },
    run: number,
    { clockSince, joined, remembered, bodyLimit, fixes }: RunBefore,
  ) {
    const { settings, platform } = input;
    this.#limit = new AccountLimit(settings.limit);
    this.sizes = new BodySizes(settings.bytesPerRequest, bodyLimit);
    this.#input = input;
    this.#run = run;
    this.#ports = ports;
    this.rows = new RowNotes(ports.journal, run, ports.emit);
    this.counts = new BookCounts(input, ports.journal, joined !== undefined);
    const hear = (event: RunEvent): void => {
      this.failingSteps.hear(event);
      ports.emit(event);
    };
    this.#broken = new BreakOff(ports.stop);
    this.#steps = new StepsAround(
      input.added ?? [],
      () => ({
        ...{ context: this.#context, ports, lease: input.lease, machine: ports.clock.ofMachine },
        lost: (held) => this.#broken.lose(held),
      }),
      (error) => this.#broken.by(error),
    );
    this.#failures = new FailureWatch(settings.maxFailures, ports.stop, this.failingSteps);
    this.#leases = new Leases(ports.journal, platform, input.lease, ports.clock.ofMachine, (supplier) =>
      this.#broken.lose(supplier),
    );
    this.#suppliers = new HeldSuppliers(this.#leases);
    const client = this.#leases.guard(ports.client);
    const { draining } = ports.stop;
    const stopWaiting = (): void => ports.client.stopWaiting?.();
    if (draining.aborted) stopWaiting();
    else draining.addEventListener('abort', stopWaiting, { once: true });
    this.#flow = new Flow(settings, {
      ...ports,
      emit: hear,
      client,
      remembered,
      sending: () => void (this.tally.requests += 1),
      stoodAside: (isAside) => this.#stoodAside(isAside),
      hasAnsweredBefore: () => hasAnsweredBefore(ports.journal, platform),
      isLast: () => this.counts.isAllCounted || this.#limit.isFull,
      fail: (error) => this.#broken.by(error),
    });
    this.#answers = new AnswerWatch(ports.clock, (held) => {
      ports.emit({ type: 'held', ...held });
      // Nothing of an account can follow these steps; the further steps are independent.
      if (!isExtraStep(held.step)) this.#stopForHeld();
    });
    const { journal, stop, clock } = ports;
    const sent = (): void => void (this.tally.requests += 1);
    this.#contradictions = new Contradictions({ journal, client, platform, stop, clock, sent }, () =>
      this.#firstRun(),
    );
    const broken = (error: unknown): void => this.#broken.by(error);
    this.#context = {
      ...ports,
      emit: (event) => {
        if (event.type === 'restated') this.counts.restated(event);
        ports.emit(event);
      },
      client,
      run,
      platform,
      place: input.place,
      mapping: input.recognition?.mapping,
      settings,
      tally: this.tally,
      flow: this.#flow,
      quiet: new QuietPeriod(settings.patience, ports.clock, run, clockSince),
      answers: this.#answers,
      sizes: this.sizes,
      failingSteps: this.failingSteps,
      credentials: new CredentialWatch({
        clock: ports.clock,
        patienceMs: settings.patience.credentialsMs,
        discard: (tokenId) => client.discardToken(tokenId),
      }),
      numbers: new NumberClaims(ports.journal, platform),
      tasks: new PendingTasks(settings.schedule, settings.patience.statusPollMs),
      needed: new NeededItems(),
      contradictions: this.#contradictions,
      record: (write) => void write.catch(broken),
      hold: (key) => this.#hold(key),
      closeSupplier: (supplier, detail) => {
        this.#suppliers.notOngoing(supplier, detail);
        this.#flow.accounts.closeSupplier(supplier);
      },
      admit: () => this.#limit.admit(),
      open: async (plan) => {
        const entry = await this.counts.open(plan);
        this.rows.opened(plan, entry);
        return entry;
      },
    };
    this.#shared =
      joined &&
      shareBook(joined, ports, {
        ...{ flow: this.#flow, lease: input.lease },
        settle: () => this.counts.flush(),
        tookOver: () => this.#context.quiet.tookOver(),
        lost: () => this.#broken.lose(''),
        inform: (message) => input.shared?.inform(message),
        passedIn: (isIn) => this.counts.passedIn(isIn),
        tell: (passed) => ports.emit({ type: 'book', passed }),
      });
    if (this.#shared !== undefined) this.#leases.shareBy(this.#shared);
    this.#plans = new NextPlans({
      ...{ input, ownFixes: fixes, journal, shared: this.#shared },
      passesOver: (plan) => this.#accounts.passesOver(plan),
      meet: (plan) => this.counts.meet(plan),
    });
    this.#accounts = new AccountDriver({
      ...{ settings, stop, context: this.#context, flow: this.#flow, limit: this.#limit },
      ...{ plans: this.#plans, suppliers: this.#suppliers, shared: this.#shared, broken: this.#broken },
      ...{ counts: this.counts, rows: this.rows, failures: this.#failures, apart: this.failuresApart },
    });
    if (this.#shared !== undefined && input.shared !== undefined)
      this.#passes = new SharedPasses(this.#shared, input.shared, {
        ...{ counts: this.counts, plans: this.#plans, stop },
        pass: () => this.#accounts.pass(),
        isCutShort: () => this.#isCutShort(),
        sharingNumbers: () => this.#sharingNumbers(),
      });
  }

  /** Who holds a supplier that this run asked for. */
  get heldBy(): LeaseHeld | undefined {
    return this.#suppliers.heldBy;
  }

  /** What was refused so far, and the rate that was accepted. */
  get pace(): RunPace {
    return this.#flow.pace;
  }

  async run(): Promise<this> {
    const ended = new AbortController();
    const shared = this.#shared;
    const heartbeat = (shared ?? this.#leases).keepAlive().catch((error: unknown) => this.#broken.by(error));
    const time = this.#watchTime(ended.signal);
    try {
      // A run that stood still may find at any of its writes that it was taken over.
      await this.#driveBook().catch((error: unknown) => {
        if (!(error instanceof LeaseLost)) throw error;
        this.#broken.by(error);
      });
      if (!this.#broken.isBroken) await this.#contradictions.conclude();
      this.counts.correct();
      const sharing = await this.#sharingNumbers();
      this.doubled = sharing.filter(({ supplier }) => this.counts.suppliers.has(supplier)).length;
      await this.#closeBook().catch((error: unknown) => this.#broken.by(error));
      await this.#recordFinished().catch((error: unknown) => this.#broken.by(error));
    } finally {
      ended.abort();
      this.#flow.close();
      await time;
      await this.#plans.close();
      await this.#leases.release().catch((error: unknown) => this.#broken.by(error));
      await shared?.leave().catch((error: unknown) => this.#broken.by(error));
      await heartbeat;
    }
    this.#broken.rethrow();
    return this;
  }

  /** Drives what is this run's, and counts the accounts. */
  async #driveBook(): Promise<void> {
    const { stop } = this.#ports;
    await this.counts.begin();
    await this.#sharingNumbers();
    const { recognition, platform, place } = this.#input;
    await this.#countTasks();
    // Accounts that have one number are looked at, changed or not.
    if (!this.#context.numbers.areShared)
      recognition?.begin(
        this.#run === firstRun
          ? undefined
          : (accounts) => this.#ports.journal.recognise(platform, place, accounts),
      );
    if (await this.#driveBeforeAccounts())
      await (this.#passes === undefined ? this.#accounts.pass() : this.#passes.drive());
    this.#failures.finish(this.tally.answered);
    await this.#driveAfterAccounts();
    for (const { reason, detail } of this.#suppliers.skipped) stop.stop(reason, detail);
    if (this.#limit.isFull) stop.stop('limit', String(this.#input.settings.limit));
    if (this.#answers.held.length > 0) this.#stopForHeld();
    await this.#passes?.stopOthers();
    if (stop.reason !== undefined && !stop.aborting.aborted) await this.#accounts.countTheRest();
    if (!stop.aborting.aborted) await this.#passes?.sumUp();
    const { left, waiting } = this.#steps;
    if (left !== undefined) stop.stop(left.reason, left.detail);
    // Accounts that are not completed are told by themselves.
    const isAllElse = this.counts.isFinished && stop.reason === undefined;
    if (isAllElse && waiting !== undefined) stop.stop('step-not-done', waiting);
    const { scheduled } = this.counts.taken;
    const { passedOver } = this.#context.tasks;
    if (scheduled + passedOver > 0 && stop.reason === undefined)
      stop.stop(
        'scheduled',
        passedOver === 0 ? String(scheduled) : `${scheduled}, ${passedOver} without room`,
      );
  }

  /** Sends what the tenancy adds before the accounts; false if none of them may be driven. */
  async #driveBeforeAccounts(): Promise<boolean> {
    if (this.#steps.hasBefore && (await this.#isOfOthers())) return true;
    return this.#steps.before();
  }

  /** Whether the export is that of other suppliers, whose items are not this run's either. A pass over a shared book cannot tell. */
  async #isOfOthers(): Promise<boolean> {
    if (this.#input.supplier === undefined || this.#passes !== undefined) return false;
    this.counts.isAllCounted = !(await this.#plans.hasNext());
    return this.counts.otherSuppliers !== undefined;
  }

  /** Sends what the tenancy adds after the accounts: not in a dry run, which completes none, nor while some are scheduled. */
  async #driveAfterAccounts(): Promise<void> {
    const { dryRun } = this.#input.settings;
    const isOver = this.#ports.stop.reason === undefined && !this.#broken.isBroken;
    // The export of another supplier.
    if (this.#passes === undefined && this.counts.otherSuppliers !== undefined) return;
    if (isOver && !this.#limit.isFull && !dryRun && this.counts.taken.scheduled === 0)
      await this.#steps.after();
  }

  /** The workers' accounts wait for what is sent before them. */
  #stoodAside(isAside: boolean): void {
    if (this.#steps.mayDrive) this.#accounts.stoodAside(isAside);
  }

  /** The tasks that earlier runs left on the platform. */
  async #countTasks(): Promise<void> {
    const { settings, platform, supplier } = this.#input;
    if (settings.importKind !== 'v2') return;
    const books = await this.#ports.journal.overview(platform);
    const own = books.filter((book) => supplier === undefined || book.supplier === supplier);
    this.#context.tasks.begin(own.reduce((sum, { accounts }) => sum + accounts.scheduled, 0));
  }

  /** The first run whose records are this run's own, or of others that share its book. */
  async #firstRun(): Promise<number> {
    const runs = (await this.#ports.journal.groups?.runsWith(this.#run)) ?? [];
    return Math.min(this.#run, ...runs);
  }

  /** Whether accounts of the present pass were not looked at. */
  #isCutShort(): boolean {
    const isStopped = this.#ports.stop.reason !== undefined || this.#broken.isBroken;
    return isStopped || !this.counts.isAllCounted || this.#limit.isFull || this.#answers.held.length > 0;
  }

  /** Stops the run when its time is over. */
  async #watchTime(ended: AbortSignal): Promise<void> {
    const { runMs } = this.#input.settings.timeouts;
    if (runMs === undefined) return;
    if (await pause(this.#ports.clock, runMs, ended)) this.#ports.stop.stop('run-timeout', String(runMs));
  }

  /** Accounts that have one number, as they are looked at from here on. A dry run does not ask. */
  async #sharingNumbers(): Promise<readonly AccountKey[]> {
    const { settings, platform } = this.#input;
    const isAsked = !settings.dryRun && !this.#ports.stop.aborting.aborted;
    const sharing = isAsked ? await accountsSharingNumbers(this.#ports.journal, platform) : [];
    this.#context.numbers.areShared = sharing.length > 0;
    return sharing;
  }

  async #hold(key: AccountKey): Promise<(() => void) | undefined> {
    if ((await this.#leases.take(key.supplier)) !== undefined) return undefined;
    const { account } = key;
    if (this.#shared?.begin(account) === false) return undefined;
    return () => this.#shared?.end(account);
  }

  async #closeBook(): Promise<void> {
    if (!this.#broken.isBroken) await this.counts.close();
  }

  /** While the leases are held: nobody else can have changed what is recorded as finished. */
  async #recordFinished(): Promise<void> {
    const { print, platform, settings, faults } = this.#input;
    const { journal, stop } = this.#ports;
    const isWhole = stop.reason === undefined && !this.#broken.isBroken && faults === 0 && this.doubled === 0;
    const isDone = this.counts.isFinished && this.counts.otherSuppliers === undefined;
    if (print === undefined || settings.dryRun || !isDone || !isWhole) return;
    const suppliers = [...this.counts.suppliers];
    await journal.recordFinished({ run: this.#run, platform, suppliers, ...(await print()) });
  }

  #stopForHeld(): void {
    const held = this.#answers.held.map(({ step, looks }) => `${step}: ${looks}`);
    this.#ports.stop.stop('unrecognised-answers', held.join('; '));
  }
}
