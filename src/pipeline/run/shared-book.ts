import type { Clock } from '../../domain/clock.ts';
import { partitionOf } from '../../domain/account-key.ts';
import { LeaseLost } from '../../journal/journal.ts';
import type { Budget, GroupStop, Joined, RunGroups, Turn } from '../../journal/run-groups.ts';
import { isFreshSince, type LeaseSettings, type Moment } from './leases.ts';
import { pause } from '../request/retry.ts';

/** The time between two turns, and while partitions are about to be handed over; ms. */
const turnMs = 1_000;
const handOverMs = 250;
/** For how long a run that has less than its share, or more, looks often for what is handed over; ms. */
const unevenMs = 4 * turnMs;
/** How long another runner must be seen not to renew its lease before the lease is judged; ms. */
const silentMs = 8_000;

/** What a shared book asks of the run that drives its accounts. */
export interface SharedBookPorts {
  readonly clock: Clock;
  readonly lease: LeaseSettings;
  /** Aborted when the run drains. */
  readonly draining: AbortSignal;
  /** The most that the run uses now. */
  readonly uses: () => Budget;
  readonly limitTo: (granted: Budget) => void;
  /** Accounts of these partitions that the present pass has gone through. */
  readonly passedIn: (isIn: (partition: number) => boolean) => number;
  /** What the run knows about the platform, with that number, as JSON; and what the other runners do. */
  readonly heard: (passed: number) => string;
  /** `passed`: the same of this runner, and the accounts of partitions that were passed to their end by whichever. */
  readonly hear: (others: readonly string[], passed: number) => void;
  /** Says which other runs work on the book, when that changes. */
  readonly inform: (message: string) => void;
  /** Everything that the run has gathered to write about accounts is written. */
  readonly settle: () => Promise<void>;
  /** Partitions came from other runners. */
  readonly tookOver: () => void;
  readonly stop: (stopped: GroupStop) => void;
  /** Another runner has taken this one over. */
  readonly lost: () => void;
}

/**
 * The part of a book that this run drives while other runs drive the rest (docs/decisions/several-runners.md). A turn in the
 * journal, every second, renews the lease and changes which partitions are this run's.
 */
export class SharedBook {
  readonly #groups: RunGroups;
  readonly #joined: Joined;
  readonly #ports: SharedBookPorts;
  #held: ReadonlySet<number> = new Set();
  /** Partitions that are given up as soon as no account of them is driven. */
  readonly #leaving = new Set<number>();
  /** Accounts that are driven, by partition. */
  readonly #driven = new Map<number, number>();
  /** Partitions of the current pass that were lost during it, or that had an account left out. */
  readonly #interrupted = new Set<number>();
  #passed: { readonly number: number; readonly result: string }[] = [];
  /** When the lease was last renewed, by both clocks. */
  #fresh: Moment;
  #last: Turn | undefined;
  /** The other runs that the last message named. */
  #named = '';
  #isLost = false;
  /** No account of it was read that could be driven. */
  #isIdle = true;
  #stopped: GroupStop | undefined;
  /** The other runners' leases as they were last seen to change, in ms on the monotonic clock. */
  readonly #seen = new Map<number, { expiresAt: number; at: number }>();
  #lastTurnAt = -Infinity;
  #turning: Promise<boolean> | undefined;
  /** Since when it has no partition or no place for an account, and is to have some, or has more places than are its own. */
  #unevenSince: number | undefined;
  /** Those that wait for the end of the next turn. */
  #turned: (() => void)[] = [];
  readonly #ended = new AbortController();
  #wake: () => void = () => undefined;

  constructor(groups: RunGroups, joined: Joined, ports: SharedBookPorts) {
    this.#groups = groups;
    this.#joined = joined;
    this.#ports = ports;
    this.#fresh = this.#moment();
  }

  get group(): number {
    return this.#joined.group;
  }

  /** Whether every account of the book was passed, by whichever runner. */
  get isDone(): boolean {
    return this.#last?.isDone ?? false;
  }

  #nameNeighbours({ runners, isDone }: Turn): void {
    const others = runners.filter(({ runner }) => runner !== this.#joined.runner);
    const named = others.map(({ run, owner }) => `run ${run} on ${owner.host}`).join(', ');
    if (named === this.#named || isDone) return;
    this.#named = named;
    this.#ports.inform(
      named === ''
        ? 'No other run works on this book any more: this one does the rest.'
        : `This run shares the book with ${named}.`,
    );
  }

  /** Whether an account may be begun here; one that may not is left to a later pass, of this run or another. */
  holds(account: string): boolean {
    const partition = partitionOf(account);
    if (!this.#held.has(partition)) return false;
    if (!this.#leaving.has(partition)) return true;
    this.#interrupted.add(partition);
    return false;
  }

  /** An account is about to be driven, until `end`: its partition stays here; false if it is another runner's. */
  begin(account: string): boolean {
    if (!this.holds(account)) return false;
    const partition = partitionOf(account);
    this.#driven.set(partition, (this.#driven.get(partition) ?? 0) + 1);
    return true;
  }

  end(account: string): void {
    const partition = partitionOf(account);
    this.#driven.set(partition, (this.#driven.get(partition) ?? 1) - 1);
    if (this.#leaving.has(partition)) this.#wake();
  }

  /** Takes turns until `leave`. */
  async keepAlive(): Promise<void> {
    while (!this.#ended.signal.aborted && !this.#isLost) {
      await this.turn();
      const ended = new AbortController();
      this.#wake = () => ended.abort();
      const signal = AbortSignal.any([ended.signal, this.#ended.signal]);
      await pause(this.#ports.clock, this.#isHandingOver ? handOverMs : turnMs, signal);
    }
  }

  /** Whether partitions are about to be given to another run, or to come from one. */
  get #isHandingOver(): boolean {
    if (this.#leaving.size > 0) return true;
    const since = this.#unevenSince;
    return since !== undefined && this.#ports.clock.monotonic() - since < unevenMs;
  }

  /** Stops all runs of the group for this reason. */
  async stopAll(stopped: GroupStop): Promise<void> {
    this.#stopped ??= stopped;
    await this.#turning;
    await this.turn();
  }

  /** The partitions to pass next; undefined if the book is done, or the run drains. */
  async next(): Promise<ReadonlySet<number> | undefined> {
    const { clock, draining } = this.#ports;
    for (let before = -1, since = 0; ;) {
      if (draining.aborted || this.#isLost || this.isDone) return undefined;
      const waiting = [...this.#held].filter(
        (number) => !this.#leaving.has(number) && !this.#passed.some((passed) => passed.number === number),
      );
      // More may be on their way: a pass over the export is worth waiting for them.
      const now = clock.monotonic();
      if (waiting.length !== before) since = now;
      const isAll = waiting.length >= (this.#last?.share ?? Infinity) || now - since >= turnMs;
      if (waiting.length > 0 && isAll) {
        this.#interrupted.clear();
        return new Set(waiting);
      }
      before = waiting.length;
      await this.#nextTurn(draining);
    }
  }

  /** Resolves after the next turn that `keepAlive` takes, or when the signal is aborted. */
  #nextTurn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        signal.removeEventListener('abort', go);
        resolve();
      };
      signal.addEventListener('abort', go);
      this.#turned.push(go);
    });
  }

  /** An account was read: from the next turn on, its part of the budget is its own. */
  works(): void {
    if (!this.#isIdle) return;
    this.#isIdle = false;
    this.#unevenSince = undefined;
    // Whoever waits for the turn hears of a failure.
    (this.#turning ?? Promise.resolve()).then(() => this.turn()).catch(() => undefined);
  }

  #rest(): void {
    this.#isIdle = true;
    this.#ports.limitTo({ concurrency: 0, processConcurrency: 0, rate: 0 });
  }

  /** Every account of these partitions has been driven or looked at; `result` gives what was counted, as JSON. */
  async passedAll(numbers: Iterable<number>, result: (number: number) => string): Promise<void> {
    for (const number of numbers) {
      if (!this.isWhole(number)) continue;
      this.#leaving.delete(number);
      this.#passed.push({ number, result: result(number) });
    }
    this.#rest();
    await this.turn();
  }

  /** Whether a partition has been this runner's since the pass began, and each of its accounts was looked at. */
  isWhole(number: number): boolean {
    return this.#held.has(number) && !this.#interrupted.has(number);
  }

  /** Whether no other run works on the book, and all that was not passed has been this runner's since the pass over these began. */
  isAllThatIsLeft(numbers: ReadonlySet<number>): boolean {
    const { share, runners } = this.#last ?? { share: Infinity, runners: [] };
    const isAlone = runners.length === 1 && this.#held.size === share;
    return isAlone && [...this.#held].every((number) => numbers.has(number) && this.isWhole(number));
  }

  /**
   * All was passed: these partitions are passed once more. Whether any is, including those that another run
   * has named.
   */
  async passAgain(numbers: readonly number[]): Promise<boolean> {
    if (numbers.length > 0) await this.#groups.reopen(this.#joined, numbers);
    await this.turn();
    return !this.isDone;
  }

  /** What was counted in every partition that was passed. */
  results(): Promise<readonly string[]> {
    return this.#groups.results(this.#joined);
  }

  /** Whether requests may be sent: the lease is fresh by both clocks. */
  get isFresh(): boolean {
    const { clock, lease } = this.#ports;
    return isFreshSince(this.#fresh, clock, lease.leaseMs);
  }

  /** Renews the lease, and exchanges what changed; false if it was taken over. */
  turn(): Promise<boolean> {
    if (this.#isLost) return Promise.resolve(false);
    this.#turning ??= this.#turn().finally(() => {
      this.#turning = undefined;
      for (const go of this.#turned.splice(0)) go();
    });
    return this.#turning;
  }

  async #turn(): Promise<boolean> {
    const { lease, uses, heard, passedIn, settle } = this.#ports;
    const fresh = this.#moment();
    // From here on no account of them is begun, and what is written about them is in the journal before they are given.
    const given = [...this.#leaving].filter((number) => (this.#driven.get(number) ?? 0) === 0);
    if (given.length > 0) await settle();
    const passed = this.#passed;
    const givenNow = new Set(given.filter((number) => this.#leaving.has(number)));
    const report = {
      leaseMs: lease.leaseMs + lease.requestMs,
      given: [...givenNow],
      passed,
      silent: this.#silent(),
      uses: uses(),
      isIdle: this.#isIdle,
      heard: heard(passedIn((number) => this.#held.has(number) && !givenNow.has(number))),
      stopped: this.#stopped,
    };
    try {
      this.#take(await this.#groups.turn(this.#joined, report, lease.isDead), report.given);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      this.#isLost = true;
      this.#held = new Set();
      this.#ports.lost();
      return false;
    }
    this.#passed = this.#passed.filter((one) => !passed.includes(one));
    this.#fresh = fresh;
    return true;
  }

  #take(turn: Turn, given: readonly number[]): void {
    const { limitTo, uses, hear, tookOver, stop } = this.#ports;
    const before = this.#held;
    const held = new Set(turn.held);
    for (const number of before) if (!held.has(number)) this.#interrupted.add(number);
    for (const number of given) this.#leaving.delete(number);
    for (const number of this.#leaving) if (!held.has(number)) this.#leaving.delete(number);
    this.#held = held;
    this.#last = turn;
    if (turn.held.some((number) => !before.has(number))) tookOver();
    if (turn.surplus > 0 && this.#leaving.size === 0) this.#giveUp(turn.surplus);
    this.#watch(turn);
    limitTo(turn.granted);
    const { concurrency } = turn.granted;
    const isUneven =
      (turn.share > 0 && (held.size === 0 || concurrency === 0)) || uses().concurrency > concurrency;
    this.#unevenSince = isUneven ? (this.#unevenSince ?? this.#ports.clock.monotonic()) : undefined;
    hear(
      turn.runners.filter(({ runner }) => runner !== this.#joined.runner).map((other) => other.heard),
      turn.passedAccounts + this.#ports.passedIn((number) => held.has(number)),
    );
    this.#nameNeighbours(turn);
    if (turn.stopped !== undefined) stop(turn.stopped);
  }

  /** Those without accounts at work come first. */
  #giveUp(count: number): void {
    const passed = new Set(this.#passed.map(({ number }) => number));
    const candidates = [...this.#held].filter((number) => !passed.has(number));
    const busy = (number: number): number => this.#driven.get(number) ?? 0;
    candidates.sort((a, b) => busy(a) - busy(b));
    for (const number of candidates.slice(0, count)) this.#leaving.add(number);
  }

  /** A late turn has seen nothing of the others in the meantime. */
  #watch({ runners }: Turn): void {
    const now = this.#ports.clock.monotonic();
    if (now - this.#lastTurnAt > silentMs) this.#seen.clear();
    this.#lastTurnAt = now;
    for (const { runner, expiresAt } of runners)
      if (this.#seen.get(runner)?.expiresAt !== expiresAt) this.#seen.set(runner, { expiresAt, at: now });
  }

  #silent(): readonly number[] {
    const now = this.#ports.clock.monotonic();
    // After a pause of this process, the others had no time to renew before its first look at them.
    if (now - this.#lastTurnAt > silentMs) return [];
    return [...this.#seen].filter(([, { at }]) => now - at >= silentMs).map(([runner]) => runner);
  }

  #moment(): Moment {
    return { wall: this.#ports.clock.now(), monotonic: this.#ports.clock.monotonic() };
  }

  /** Leaves the rest to the other runners. */
  async leave(): Promise<void> {
    this.#ended.abort();
    await this.#turning?.catch(() => undefined);
    this.#held = new Set();
    await this.#groups.leave(this.#joined);
  }
}
