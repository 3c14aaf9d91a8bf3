import { definedFields } from '../../domain/defined-fields.ts';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import type { Spelling } from '../../domain/account-key.ts';
import type { Cell } from '../../domain/cell.ts';
import { joinTexts, splitTexts } from '../../domain/joined-texts.ts';
import type { Problem } from '../../domain/problem.ts';
import type { RowsAsked, RowsFound } from '../../journal/journal.ts';
import type { ReadyPlan } from '../../pipeline/account/ready-plan.ts';
import type { Plans } from '../reading/plans.ts';
import type { Environment, Reporter } from '../../host/environment.ts';
import { packaged } from '../../host/packaged.ts';
import { errorOf } from './failure.ts';
import {
  foundMarks,
  type WorkerRequest,
  type Batch,
  type PlaceAsked,
  type PlanRequest,
  type WorkerMessage,
  type Told,
} from './messages.ts';
import { unchangedPlan, unpacked } from './packing.ts';

/** An export whose accounts are read, mapped, checked and serialised in a separate thread. */
export interface ReadyExport extends Pick<
  Plans,
  'total' | 'faults' | 'ignoredRows' | 'sources' | 'counts' | 'codeTables'
> {
  /** All of them, once. */
  readonly plans: AsyncIterable<ReadyPlan>;
  /** Those of these partitions, instead of all; call it again when all were given, or none is wanted any more. */
  plansOf(partitions: ReadonlySet<number>): AsyncIterable<ReadyPlan>;
  /** These accounts, with the problems of their mapping only, before any others are asked for; those that the export has. Reads it again. */
  sample(accounts: ReadonlySet<string>): AsyncIterable<ReadyPlan>;
  /**
   * From now on accounts are looked up by their rows, or, without `find`, only fingerprinted by them. `mapping` identifies
   * everything that decides how rows are mapped.
   */
  recogniseBy(mapping: string, find?: FindRows): void;
  /** The shared values that are warnings; after the last account. */
  sharedProblems(): AsyncIterable<Problem>;
  /** Resolves when the thread has ended. */
  close(): Promise<void>;
}

/** What is known of accounts by their rows; `same`: unchanged, and to be mapped anyway. */
export type FindRows = (
  accounts: readonly RowsAsked[],
) => Promise<readonly (RowsFound | { readonly is: 'same' })[]>;

/** The most unchanged accounts that are ahead of the run. */
const mostUnchanged = 2_000;
/** The most batches that are ahead of the run. */
const ahead = 4;
/**
 * Space for the garbage of about thirty accounts: with less, much of it survives into the old generation and slows
 * collection; more would only use memory.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 24 };

/** What to prepare. `spellings`: as of `journalSpellings`. */
export interface PlansRequest extends Omit<PlanRequest, 'cwd' | 'now' | 'mapping'> {
  readonly spellings?: AsyncIterable<readonly Spelling[]> | undefined;
}

/**
 * Like `openPlans` and `effectiveRules`, and throws their errors. Aborting `stop` ends the reading: the run drains. With `early`,
 * accounts are looked up while they are first read, which saves reading unchanged ones again.
 */
export async function openReady(
  { cwd, clock }: Pick<Environment, 'cwd' | 'clock'>,
  reporter: Reporter,
  { config, spellings, ...request }: PlansRequest,
  stop: AbortSignal,
  early?: { readonly mapping: string; readonly find: FindRows },
): Promise<ReadyExport> {
  // Only these settings: the thread needs no others.
  const { rules, mapping, supplier, encoding, delimiter, followLinks, memoryMb } = config;
  const { contract, strictContract, workDirectory, import: kind, steps, threads } = config;
  const readying = new ReadyingThread(reporter, early?.find);
  const drain = (): void => readying.ask({ kind: 'stop' });
  stop.addEventListener('abort', drain);
  if (stop.aborted) drain();
  const close = async (): Promise<void> => {
    stop.removeEventListener('abort', drain);
    await readying.close();
  };
  try {
    for await (const page of spellings ?? []) await readying.spell(page);
    const opened = await readying.open({
      ...request,
      mapping: early?.mapping,
      cwd,
      now: clock.now(),
      config: {
        ...{ rules, mapping, supplier, encoding, delimiter, followLinks, memoryMb },
        ...{ contract, strictContract, workDirectory },
        ...definedFields({ import: kind, steps, threads }),
      },
    });
    return {
      ...opened,
      plans: readying.plans(),
      plansOf: (partitions) => readying.plansOf(partitions),
      sample: (accounts) => readying.sample(accounts),
      recogniseBy: (mapping, find) => readying.recogniseBy(mapping, find),
      sharedProblems: () => readying.sharedProblems(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Opened = Extract<WorkerMessage, { kind: 'opened' }>;
type Located = Extract<WorkerMessage, { kind: 'located' }>;
type Shared = Extract<WorkerMessage, { kind: 'shared' }>;

interface Wait {
  readonly resolve: (said: WorkerMessage) => void;
  readonly reject: (error: Error) => void;
}

/** Asks the thread, and waits for its answer. An error of the thread ends every wait. */
class ReadyingThread {
  readonly #port: MessagePort;
  readonly #reporter: Reporter;
  /** Resolves when the thread has ended. */
  readonly #ended: Promise<void>;
  /** Keyed by what is waited for. */
  readonly #waits = new Map<string, Wait>();
  /** Plans that the run has not taken yet; undefined after the last. */
  readonly #batches: (Batch | undefined)[] = [];
  /** Accounts about which nothing more will be asked. */
  readonly #closed: number[] = [];
  #questions = 0;
  #failure: Error | undefined;
  #find: FindRows | undefined;
  /** Whether unchanged accounts are passed on to the run; before, they are only looked up. */
  #isTaking = false;
  /** Accounts that were recognised, and that the run has not taken yet. */
  readonly #unchanged: ReadyPlan[] = [];
  /** Questions are answered one after another. */
  #recognising = Promise.resolve();
  #taken: () => void = () => undefined;
  #isClosing = false;

  constructor(reporter: Reporter, early: FindRows | undefined) {
    this.#find = early;
    this.#reporter = reporter;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (said: WorkerMessage) => this.#hear(said));
    this.#ended = new Promise((resolve) => {
      port1.on('close', resolve);
    });
    // Always the built file, even if this one is loaded from source: Node 20 cannot load TypeScript.
    new Worker(packaged('dist/run/worker/thread.js'), {
      workerData: port2,
      transferList: [port2],
      resourceLimits,
    })
      .on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))))
      .on('exit', () => this.#fail(new Error('The thread that reads the export has ended.')));
  }

  ask(asked: WorkerRequest): void {
    this.#port.postMessage(asked);
  }

  async spell(page: readonly Spelling[]): Promise<void> {
    this.ask({ kind: 'spellings', page });
    await this.#answer('spelled');
  }

  async open(request: PlanRequest): Promise<Omit<Opened, 'kind'>> {
    this.ask({ kind: 'open', request });
    const { kind: _kind, ...opened } = (await this.#answer('opened')) as Opened;
    return opened;
  }

  plansOf(partitions: ReadonlySet<number>): AsyncIterable<ReadyPlan> {
    this.ask({ kind: 'pass', partitions: [...partitions] });
    return this.plans();
  }

  async *sample(accounts: ReadonlySet<string>): AsyncGenerator<ReadyPlan> {
    this.ask({ kind: 'sample', accounts: joinTexts([...accounts]) });
    yield* this.plans();
    this.#tellClosed();
    this.ask({ kind: 'sampled' });
  }

  async *plans(): AsyncGenerator<ReadyPlan> {
    for (let batches = 0; batches < ahead; batches += 1) this.ask({ kind: 'more', closed: [] });
    for (;;) {
      for (let plan = this.#unchanged.shift(); plan !== undefined; plan = this.#unchanged.shift()) {
        yield plan;
        if (this.#unchanged.length <= mostUnchanged) this.#taken();
      }
      if (this.#batches.length === 0) {
        this.#tellClosed();
        await this.#answer('batch');
        continue;
      }
      const batch = this.#batches.shift();
      if (batch === undefined) return;
      this.ask({ kind: 'more', closed: this.#closed.splice(0) });
      for (const account of batch.accounts)
        yield unpacked(account, batch.bytes, {
          locate: (step, path, request) => this.#locate({ account: account.number, step, path, request }),
          close: () => this.#close(account.number),
        });
    }
  }

  /** While a batch is waited for, the thread may wait for the memory of this account. */
  #close(account: number): void {
    this.#closed.push(account);
    if (this.#waits.has('batch')) this.#tellClosed();
  }

  #tellClosed(): void {
    if (this.#closed.length > 0) this.ask({ kind: 'closed', closed: this.#closed.splice(0) });
  }

  recogniseBy(mapping: string, find?: FindRows): void {
    this.#find = find;
    this.#isTaking = true;
    this.ask({ kind: 'recognising', mapping, hasRows: find !== undefined });
  }

  /**
   * Passes unchanged accounts on, and sends the thread what is known once the run has taken most of the
   * earlier ones.
   */
  async #recognise(mapping: string, accounts: readonly string[], prints: readonly string[]): Promise<void> {
    let found: Awaited<ReturnType<FindRows>> = [];
    try {
      const asked = accounts.map((account, at) => ({ account, print: prints[at] ?? '', mapping }));
      found = (await this.#find?.(asked)) ?? [];
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
    if (this.#isTaking)
      for (const [at, one] of found.entries())
        if (one.is === 'unchanged') this.#unchanged.push(unchangedPlan(accounts[at] ?? '', one));
    if (this.#unchanged.length > 0) this.#wake('batch');
    while (this.#unchanged.length > mostUnchanged && !this.#isClosing)
      await new Promise<void>((resolve) => (this.#taken = resolve));
    // The thread waits for an answer, even if nobody waits for the thread any more.
    this.ask({ kind: 'recognised', found: found.map(({ is }) => foundMarks[is]).join('') });
  }

  async *sharedProblems(): AsyncGenerator<Problem> {
    for (;;) {
      this.ask({ kind: 'shared' });
      const { problems } = (await this.#answer('shared')) as Shared;
      if (problems.length === 0) return;
      yield* problems;
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#taken();
    this.ask({ kind: 'close' });
    await this.#ended;
  }

  async #locate(place: PlaceAsked): Promise<Cell | undefined> {
    const question = (this.#questions += 1);
    this.ask({ kind: 'locate', question, place });
    return ((await this.#answer(`located ${question}`)) as Located).cell;
  }

  #answer(what: string): Promise<WorkerMessage> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => this.#waits.set(what, { resolve, reject }));
  }

  #hear(said: WorkerMessage): void {
    switch (said.kind) {
      case 'told':
        tell(this.#reporter, said.told);
        return;
      case 'failed':
        this.#fail(errorOf(said.failure));
        return;
      case 'batch':
      case 'end':
        this.#batches.push(said.kind === 'batch' ? said.batch : undefined);
        this.#settle('batch', said);
        return;
      case 'located':
        this.#settle(`located ${said.question}`, said);
        return;
      case 'recognise':
        this.#recognising = this.#recognising.then(() =>
          this.#recognise(said.mapping, splitTexts(said.accounts), said.prints.split(' ')),
        );
        return;
      case 'opened':
      case 'shared':
      case 'spelled':
        this.#settle(said.kind, said);
    }
  }

  #settle(what: string, said: WorkerMessage): void {
    this.#waits.get(what)?.resolve(said);
    this.#waits.delete(what);
  }

  /** Ends a wait; its result does not matter. */
  #wake(what: string): void {
    this.#settle(what, { kind: 'end' });
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waits.values()) reject(this.#failure);
    this.#waits.clear();
  }
}

function tell(reporter: Reporter, told: Told): void {
  switch (told.what) {
    case 'begin':
      reporter.progress.begin(...told.with);
      return;
    case 'advance':
      reporter.progress.advance(...told.with);
      return;
    case 'note':
      reporter.progress.note(...told.with);
      return;
    default:
      reporter[told.what](told.message);
  }
}
