import { Worker } from 'node:worker_threads';
import { packaged } from '../../host/packaged.ts';
import type { AccountRange } from '../../source/sorted/account-range.ts';
import type { PackedRows } from '../../source/packed-rows.ts';
import type { RowsElsewhere } from '../reading/elsewhere.ts';
import { errorOf } from '../worker/failure.ts';
import type { FoundBy, Job } from './jobs.ts';
import type { AccountSettings } from './account-settings.ts';
import type { ThreadAnswer, ThreadMessage } from './messages.ts';

/** Batches that each thread has: one that it works on, and the next. */
const ahead = 2;
/** The most bytes of rows that are on their way, unless one account has more. */
const mostBytes = 64 * 1024 * 1024;
/** Space for garbage, in MB: of all threads together, and at least of each. */
const young = { together: 64, least: 6 };

/** Threads that map accounts and do one job with each; what they find comes in the order of the accounts. */
export class AccountThreads<Of extends Job> {
  readonly #threads: readonly AccountThread<Of>[];

  private constructor(threads: readonly AccountThread<Of>[]) {
    this.#threads = threads;
  }

  /** Starts so many; `isPrinted`: they fingerprint the rows too. Throws what keeps one of them from that. */
  static async open<Of extends Job>(
    count: number,
    job: Of,
    { settings, isPrinted }: { readonly settings: AccountSettings; readonly isPrinted: boolean },
  ): Promise<AccountThreads<Of>> {
    const youngMb = Math.max(young.least, Math.round(young.together / count));
    const threads = new AccountThreads(Array.from({ length: count }, () => new AccountThread<Of>(youngMb)));
    try {
      await threads.#all({ kind: 'open', job, settings, isPrinted });
      return threads;
    } catch (error) {
      await threads.close();
      throw error;
    }
  }

  /** What follows is mapped by this. */
  bind({ binding, ranges }: RowsElsewhere): Promise<void> {
    return this.#all({ kind: 'bind', binding, sorted: ranges?.files });
  }

  /** What is found of each of the accounts that the threads are bound to, as many together as one was given. */
  async *found({ ranges, packed }: RowsElsewhere): AsyncGenerator<readonly FoundBy<Of>[]> {
    let done = 0;
    if (ranges !== undefined)
      try {
        for await (const all of this.#inTurn(rangesGiven(ranges.ranges))) {
          const wanted = all.filter(({ key }) => ranges.isWanted(key.account));
          done += wanted.length;
          yield wanted;
        }
        return;
      } catch (error) {
        if (!(error instanceof Misplaced)) throw error;
        ranges.forget();
      }
    for await (const all of this.#inTurn(rowsGiven(packed()))) {
      const before = Math.min(done, all.length);
      done -= before;
      yield all.slice(before);
    }
  }

  async *#inTurn(all: AsyncIterable<Given> | Iterable<Given>): AsyncGenerator<readonly FoundBy<Of>[]> {
    const underWay: { readonly bytes: number; readonly accounts: Promise<readonly FoundBy<Of>[]> }[] = [];
    let bytesUnderWay = 0;
    const next = async (): Promise<readonly FoundBy<Of>[]> => {
      const first = underWay.shift();
      bytesUnderWay -= first?.bytes ?? 0;
      return (await first?.accounts) ?? [];
    };
    for await (const one of all) {
      const { bytes } = one;
      while (
        underWay.length >= this.#threads.length * ahead ||
        (underWay.length > 0 && bytesUnderWay + bytes > mostBytes)
      )
        yield await next();
      const accounts = this.#leastBusy().find(one);
      // It is waited for in its turn.
      accounts.catch(() => undefined);
      underWay.push({ bytes, accounts });
      bytesUnderWay += bytes;
    }
    while (underWay.length > 0) yield await next();
  }

  #leastBusy(): AccountThread<Of> {
    return this.#threads.reduce((least, one) => (one.waiting < least.waiting ? one : least));
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  async #all(asked: ThreadMessage): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.ask(asked)));
  }
}

/** The rows of a range are not where they were found. */
class Misplaced extends Error {
  override readonly name = 'Misplaced';
}

/** Accounts that a thread is given. */
interface Given {
  readonly asked: ThreadMessage;
  readonly transferred: readonly ArrayBuffer[];
  /** How much memory it takes until its job is done. */
  readonly bytes: number;
}

async function* rowsGiven(packed: AsyncIterable<PackedRows>): AsyncGenerator<Given> {
  for await (const rows of packed)
    yield {
      asked: { kind: 'rows', rows },
      transferred: rows.files.flatMap((file) => (file === undefined ? [] : [file.bytes.buffer])),
      bytes: bytesOf(rows),
    };
}

/** What is found of a range is in memory until those before it were taken: about as much as its rows. */
function rangesGiven(ranges: readonly AccountRange[]): readonly Given[] {
  return ranges.map((range) => ({ asked: { kind: 'range', range }, transferred: [], bytes: range.bytes }));
}

function bytesOf({ entries, files }: PackedRows): number {
  const texts = entries.reduce<number>((sum, one) => sum + (typeof one === 'string' ? one.length : 0), 0);
  return files.reduce((sum, file) => sum + (file?.bytes.length ?? 0), texts);
}

/** One thread, from outside. */
class AccountThread<Of extends Job> {
  readonly #worker: Worker;
  /** The questions that it has not answered. */
  readonly #asked: PromiseWithResolversOf<ThreadAnswer<Of>>[] = [];
  #failure: Error | undefined;

  constructor(youngMb: number) {
    const resourceLimits = { maxYoungGenerationSizeMb: youngMb };
    // Always the built file, even if this one is loaded from source: Node 20 cannot load TypeScript.
    this.#worker = new Worker(packaged('dist/run/threads/account-thread.js'), { resourceLimits })
      .on('message', (said: ThreadAnswer<Of>) => {
        this.#asked.shift()?.resolve(said);
      })
      .on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))))
      .on('exit', () => this.#fail(new Error('A thread that maps accounts has ended.')));
  }

  get waiting(): number {
    return this.#asked.length;
  }

  async find({ asked, transferred }: Given): Promise<readonly FoundBy<Of>[]> {
    const answer = await this.ask(asked, transferred);
    if (answer.kind === 'misplaced') throw new Misplaced();
    return answer.kind === 'found' ? answer.accounts : [];
  }

  /** Throws what it throws. */
  async ask(asked: ThreadMessage, transferred: readonly ArrayBuffer[] = []): Promise<ThreadAnswer<Of>> {
    if (this.#failure !== undefined) throw this.#failure;
    const answered = new Promise<ThreadAnswer<Of>>((resolve, reject) =>
      this.#asked.push({ resolve, reject }),
    );
    this.#worker.postMessage(asked, transferred);
    const answer = await answered;
    if (answer.kind === 'failed') throw errorOf(answer.failure);
    return answer;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#asked.splice(0)) reject(this.#failure);
  }
}

interface PromiseWithResolversOf<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}
