import { getHeapStatistics } from 'node:v8';
import type { MessagePort } from 'node:worker_threads';
import { partitionOf } from '../../domain/account-key.ts';
import { joinTexts, splitTexts } from '../../domain/joined-texts.ts';
import type { Problem } from '../../domain/problem.ts';
import { StoredSpellings } from '../../source/stored-spellings.ts';
import { StopControl } from '../../pipeline/run/stop-control.ts';
import {
  compareFirst,
  sharedProblems,
  startComparison,
  type AccountsComparison,
} from '../compare-accounts.ts';
import { keptIndexes, memoryOf } from '../reading/open-plans.ts';
import type { Plans } from '../reading/plans.ts';
import { openPlansWith } from '../reading/open-plans-with.ts';
import { effectiveRules } from '../effective-rules.ts';
import type { Reporter } from '../../host/environment.ts';
import type { PrintedAccount } from '../../source/export.ts';
import { accountSettings } from '../threads/account-settings.ts';
import { sharedValues } from '../threads/check-account.ts';
import { oneThread, threadsOf, type Work } from '../threads/each-account.ts';
import { failureOf } from './failure.ts';
import {
  givenByThreads,
  givenHere,
  givingThreads,
  type GivenAccount,
  type Giving,
  type GivingThreads,
} from './given-accounts.ts';
import {
  foundMarks,
  type WorkerRequest,
  type PlanRequest,
  type WorkerMessage,
  type Told,
} from './messages.ts';
import { Packing } from './packing.ts';
import { HeldMemory } from './held-memory.ts';
import { ThreadHold } from './thread-hold.ts';

const markMeans: ReadonlyMap<string | undefined, keyof typeof foundMarks> = new Map([
  [foundMarks.unchanged, 'unchanged'],
  [foundMarks.same, 'same'],
  [foundMarks.changed, 'changed'],
]);

/** The part of this thread's heap that may be rows of accounts in hand. */
const partOfHeap = 3;

/** The most problems in one message. */
const mostShared = 200;

/**
 * Serves a run at the other end of the channel: reads an export, binds the mapping to it, checks and serialises one
 * account after another, no further ahead than requested.
 */
export function readyPlans(port: MessagePort): void {
  const readying = new Readying(port);
  port.on('message', (asked: WorkerRequest) => readying.hear(asked));
}

interface Opened {
  readonly plans: Plans;
  readonly comparison: AccountsComparison;
  readonly held: HeldMemory;
  readonly how: Giving['how'];
  readonly work: Pick<Work<'ready'>, 'settings' | 'threads' | 'reporter'>;
  readonly giving: GivingThreads | undefined;
}

class Readying {
  readonly #port: MessagePort;
  readonly #stop = new StopControl();
  /** What may be asked about accounts, by their numbers: nothing else of a plan is kept. */
  readonly #places = new Map<number, GivenAccount['locate']>();
  #opened: Opened | undefined;
  #spellings: StoredSpellings | undefined;
  #supplier: string | undefined;
  #giving: Promise<void> | undefined;
  /** While a sample is given, room is room for that. */
  #sampling: Promise<void> | undefined;
  #shared: AsyncGenerator<Problem> | undefined;
  /** Batches that may be sent now. */
  #room = 0;
  /** Accounts that were given. */
  #number = 0;
  #roomMade: () => void = () => undefined;
  #isClosing = false;
  /** Present if accounts are looked up by their rows. */
  #mapping: string | undefined;
  /** Whether anything may be known of their rows. */
  #hasRows = true;
  /** Those who wait for what is known of accounts, in the order of their questions. */
  readonly #asked: ((found: string) => void)[] = [];
  readonly #hold: ThreadHold;

  constructor(port: MessagePort) {
    this.#port = port;
    this.#hold = new ThreadHold(port);
  }

  hear(asked: WorkerRequest): void {
    this.#hold
      .working(this.#do(asked))
      .catch((error: unknown) => this.#say({ kind: 'failed', failure: failureOf(error) }));
  }

  async #do(asked: WorkerRequest): Promise<void> {
    switch (asked.kind) {
      case 'spellings':
        (this.#spellings ??= new StoredSpellings()).add(asked.page);
        this.#say({ kind: 'spelled' });
        return;
      case 'open':
        return this.#open(asked.request);
      case 'more':
        this.#release(asked.closed);
        this.#room += 1;
        this.#roomMade();
        if (this.#sampling !== undefined) return;
        return (this.#giving ??= this.#give());
      case 'closed':
        this.#release(asked.closed);
        this.#roomMade();
        return;
      case 'pass':
        return (this.#giving = this.#passAfter(this.#giving, new Set(asked.partitions)));
      case 'sample':
        return (this.#sampling = this.#sample(new Set(splitTexts(asked.accounts))));
      case 'sampled':
        await this.#sampling;
        this.#sampling = undefined;
        this.#room = 0;
        return;
      case 'locate': {
        const { account, step, path, request } = asked.place;
        const cell = await this.#places.get(account)?.(step, path, request);
        this.#say({ kind: 'located', question: asked.question, cell });
        return;
      }
      case 'recognising':
        this.#mapping = asked.mapping;
        this.#hasRows = asked.hasRows;
        // Several threads read only for a run that knows no account.
        if (asked.hasRows) await this.#endThreads();
        return;
      case 'recognised':
        this.#asked.shift()?.(asked.found);
        return;
      case 'shared':
        return this.#tellShared();
      case 'stop':
        this.#stop.stop('interrupt');
        return;
      case 'close':
        return this.#close();
    }
  }

  async #open({ config, ...request }: PlanRequest): Promise<void> {
    const { cwd, now, path, documents, cutting, mapping } = request;
    const here = { cwd, clock: { now: () => now } };
    this.#supplier = config.supplier;
    const rules = await effectiveRules(here, this.#reporter(), config, documents);
    const comparison = startComparison(rules);
    const isCompared = mapping !== undefined && !comparison.across.refuses;
    const plans = await openPlansWith(here, this.#reporter(), path, {
      ...config,
      with: request.with,
      refusesNew: request.withNew !== true,
      stop: this.#stop.draining,
      tenancy: rules.contract,
      kept: keptIndexes(config),
      spellings: this.#spellings?.of,
      recognise: isCompared ? (accounts) => this.#recognise(accounts, mapping) : undefined,
    });
    const mostBytes = memoryOf(config) ?? Infinity;
    const held = new HeldMemory(Math.min(mostBytes, getHeapStatistics().heap_size_limit / partOfHeap));
    const work = {
      settings: accountSettings(here, config, { documents, cutting, mostBytes }),
      threads: threadsOf(config),
      reporter: this.#reporter(),
    };
    const how = { rules, cutting, supplier: config.supplier, mostBytes };
    // Where accounts are looked up by their rows, few are mapped.
    const isThreaded = mapping === undefined && (config.threads ?? 1) > 1;
    this.#opened = { plans, comparison, held, how, work, giving: undefined };
    if (isThreaded) this.#opened = { ...this.#opened, giving: await givingThreads(plans, work) };
    const { total, faults, ignoredRows, sources, counts, codeTables } = plans;
    this.#say({ kind: 'opened', total, faults, ignoredRows, sources, counts, codeTables });
  }

  async #passAfter(before: Promise<void> | undefined, partitions: ReadonlySet<number>): Promise<void> {
    await before;
    this.#room = 0;
    await this.#give(partitions);
  }

  /** Sends these accounts, before the others and as well as among them. */
  async #sample(accounts: ReadonlySet<string>): Promise<void> {
    const { plans, how } = this.#isOpen();
    const { cutting, mostBytes } = how;
    const packing = new Packing();
    for await (const plan of plans.plansOf((account) => accounts.has(account))) {
      if (this.#stop.reason !== undefined) break;
      const number = (this.#number += 1);
      this.#places.set(number, plan.locate);
      packing.add(number, plan, plan.problems, { cutting, mostBytes });
      if (packing.isFull) await this.#sayBatch(packing);
      if (this.#isClosing) return;
    }
    if (!packing.isEmpty) await this.#sayBatch(packing);
    this.#say({ kind: 'end' });
  }

  /** Sends all accounts, or those of partitions, batch by batch, as there is room for them. */
  async #give(partitions?: ReadonlySet<number>): Promise<void> {
    const { plans, comparison, how, work } = this.#isOpen();
    const packing = new Packing();
    await compareFirst(plans, comparison, {
      ...work,
      // Threads would load a module anew, which may have been edited since the approval was asked for.
      threads: oneThread,
      here: (plan) => sharedValues(plan, how),
      stop: this.#stop,
    });
    for await (const given of this.#given(partitions)) {
      const number = (this.#number += 1);
      if (this.#stop.reason !== undefined) packing.addUnready(number, given);
      else {
        this.#places.set(number, given.locate);
        given.pack(packing, number);
      }
      if (packing.isFull) await this.#sayBatch(packing);
      if (this.#isClosing) return;
    }
    if (!packing.isEmpty) await this.#sayBatch(packing);
    this.#say({ kind: 'end' });
  }

  /** By several threads only if they were asked for: what a run waits for is its sending. */
  #given(partitions: ReadonlySet<number> | undefined): AsyncIterable<GivenAccount> {
    const { plans, comparison, how, giving } = this.#isOpen();
    const mapping = this.#mapping;
    const knowsNone = mapping === undefined || !this.#hasRows;
    if (giving !== undefined && knowsNone && partitions === undefined) {
      this.#reporter().progress.begin(plans.total, 'account');
      return givenByThreads(plans, comparison, { ...giving, mapping });
    }
    return givenHere(plans, comparison, {
      how,
      mapping,
      reporter: this.#reporter(),
      supplier: this.#supplier,
      isWanted: partitions && ((account) => partitions.has(partitionOf(account))),
      recognise: mapping === undefined ? undefined : (accounts) => this.#recognise(accounts, mapping),
    });
  }

  async #recognise(
    accounts: readonly PrintedAccount[],
    mapping: string,
  ): Promise<readonly (keyof typeof foundMarks)[]> {
    if (accounts.length === 0 || !this.#hasRows || this.#isClosing) return accounts.map(() => 'unknown');
    this.#say({
      kind: 'recognise',
      mapping,
      accounts: joinTexts(accounts.map(({ account }) => account)),
      prints: accounts.map(({ print }) => print).join(' '),
    });
    const found = await this.#hold.waiting(new Promise<string>((resolve) => this.#asked.push(resolve)));
    return accounts.map((_, at) => markMeans.get(found[at]) ?? 'unknown');
  }

  async #sayBatch(packing: Packing): Promise<void> {
    const { held } = this.#isOpen();
    const isFree = (): boolean => this.#room > 0 && held.fits(packing.bytes);
    while (!isFree() && !this.#isClosing)
      await this.#hold.waiting(new Promise<void>((resolve) => (this.#roomMade = resolve)));
    this.#room -= 1;
    for (const [account, bytes] of packing.sizes) held.take(account, bytes);
    const batch = packing.take();
    this.#port.postMessage({ kind: 'batch', batch } satisfies WorkerMessage, [batch.bytes]);
  }

  #release(accounts: readonly number[]): void {
    for (const account of accounts) {
      this.#places.delete(account);
      this.#opened?.held.release(account);
    }
  }

  async #tellShared(): Promise<void> {
    const { plans, comparison } = this.#isOpen();
    this.#shared ??= sharedProblems(plans, comparison);
    const problems: Problem[] = [];
    while (problems.length < mostShared) {
      const next = await this.#shared.next();
      if (next.done === true) break;
      problems.push(next.value);
    }
    this.#say({ kind: 'shared', problems });
  }

  async #close(): Promise<void> {
    this.#isClosing = true;
    this.#roomMade();
    // Its failure was already reported.
    await this.#sampling?.catch(() => undefined);
    await this.#giving?.catch(() => undefined);
    await this.#endThreads();
    this.#opened?.comparison.close();
    this.#opened?.plans.close();
    this.#spellings?.close();
    this.#port.close();
  }

  async #endThreads(): Promise<void> {
    const opened = this.#opened;
    if (opened?.giving === undefined) return;
    this.#opened = { ...opened, giving: undefined };
    await opened.giving.threads.close();
  }

  #isOpen(): Opened {
    if (this.#opened === undefined) throw new Error('accounts are asked for before the export is open');
    return this.#opened;
  }

  #say(said: WorkerMessage): void {
    this.#port.postMessage(said);
  }

  #reporter(): Reporter {
    const tell = (told: Told): void => this.#say({ kind: 'told', told });
    return {
      info: (message) => tell({ what: 'info', message }),
      detail: (message) => tell({ what: 'detail', message }),
      warn: (message) => tell({ what: 'warn', message }),
      progress: {
        begin: (...args) => tell({ what: 'begin', with: args }),
        advance: (...args) => tell({ what: 'advance', with: args }),
        note: (...args) => tell({ what: 'note', with: args }),
      },
    };
  }
}
