import { Worker } from 'node:worker_threads';
import { packaged } from '../../host/packaged.ts';
import type { AccountRange } from '../../source/account-range.ts';
import type { PackedRows } from '../../source/packed-rows.ts';
import type { RowsElsewhere } from '../reading/elsewhere.ts';
import { errorOf } from '../worker/failure.ts';
import type { CheckedAccount } from './check-account.ts';
import type { CheckAnswer, CheckMessage, CheckSettings } from './messages.ts';

/** Batches that each thread has: one that it checks, and the next. */
const ahead = 2;
/** The most bytes of rows that are on their way, unless one account has more. */
const mostBytes = 64 * 1024 * 1024;
/** Space for garbage, in MB: of all threads together, and at least of each. */
const young = { together: 64, least: 6 };

/** Threads that map and check accounts; what they find comes in the order of the accounts. */
export class CheckingThreads {
  readonly #threads: readonly CheckingThread[];

  private constructor(threads: readonly CheckingThread[]) {
    this.#threads = threads;
  }

  /** Starts so many. Throws what keeps one of them from that. */
  static async open(count: number, settings: CheckSettings): Promise<CheckingThreads> {
    const youngMb = Math.max(young.least, Math.round(young.together / count));
    const threads = new CheckingThreads(Array.from({ length: count }, () => new CheckingThread(youngMb)));
    try {
      await threads.#all({ kind: 'open', settings });
      return threads;
    } catch (error) {
      await threads.close();
      throw error;
    }
  }

  async *checked({ binding, ranges, packed }: RowsElsewhere): AsyncGenerator<CheckedAccount> {
    await this.#all({ kind: 'bind', binding, sorted: ranges?.files });
    let done = 0;
    if (ranges !== undefined)
      try {
        for await (const checked of this.#inTurn(rangesGiven(ranges.ranges)))
          if (ranges.isWanted(checked.key.account)) {
            done += 1;
            yield checked;
          }
        return;
      } catch (error) {
        if (!(error instanceof Misplaced)) throw error;
        await ranges.forget();
      }
    for await (const checked of this.#inTurn(rowsGiven(packed()))) {
      done -= 1;
      if (done < 0) yield checked;
    }
  }

  async *#inTurn(all: AsyncIterable<Given> | Iterable<Given>): AsyncGenerator<CheckedAccount> {
    const underWay: { readonly bytes: number; readonly accounts: Promise<readonly CheckedAccount[]> }[] = [];
    let bytesUnderWay = 0;
    const next = async (): Promise<readonly CheckedAccount[]> => {
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
        yield* await next();
      const accounts = this.#leastBusy().check(one);
      // It is waited for in its turn.
      accounts.catch(() => undefined);
      underWay.push({ bytes, accounts });
      bytesUnderWay += bytes;
    }
    while (underWay.length > 0) yield* await next();
  }

  #leastBusy(): CheckingThread {
    return this.#threads.reduce((least, one) => (one.waiting < least.waiting ? one : least));
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  async #all(asked: CheckMessage): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.ask(asked)));
  }
}

/** The rows of a range are not where they were found. */
class Misplaced extends Error {
  override readonly name = 'Misplaced';
}

/** Accounts that a thread is given. */
interface Given {
  readonly asked: CheckMessage;
  readonly transferred: readonly ArrayBuffer[];
  /** How much memory it takes until it is checked. */
  readonly bytes: number;
}

async function* rowsGiven(packed: AsyncIterable<PackedRows>): AsyncGenerator<Given> {
  for await (const rows of packed)
    yield {
      asked: { kind: 'check', rows },
      transferred: rows.files.flatMap((file) => (file === undefined ? [] : [file.bytes.buffer])),
      bytes: bytesOf(rows),
    };
}

/** The threads read a range themselves, a block at a time. */
function rangesGiven(ranges: readonly AccountRange[]): readonly Given[] {
  return ranges.map((range) => ({ asked: { kind: 'check-range', range }, transferred: [], bytes: 0 }));
}

function bytesOf({ entries, files }: PackedRows): number {
  const texts = entries.reduce<number>((sum, one) => sum + (typeof one === 'string' ? one.length : 0), 0);
  return files.reduce((sum, file) => sum + (file?.bytes.length ?? 0), texts);
}

/** One thread, from outside. */
class CheckingThread {
  readonly #worker: Worker;
  /** The questions that it has not answered. */
  readonly #asked: PromiseWithResolversOf<CheckAnswer>[] = [];
  #failure: Error | undefined;

  constructor(youngMb: number) {
    const resourceLimits = { maxYoungGenerationSizeMb: youngMb };
    // Always the built file, even if this one is loaded from source: Node 20 cannot load TypeScript.
    this.#worker = new Worker(packaged('dist/run/threads/checking-thread.js'), { resourceLimits })
      .on('message', (said: CheckAnswer) => {
        this.#asked.shift()?.resolve(said);
      })
      .on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))))
      .on('exit', () => this.#fail(new Error('A thread that checks accounts has ended.')));
  }

  get waiting(): number {
    return this.#asked.length;
  }

  async check({ asked, transferred }: Given): Promise<readonly CheckedAccount[]> {
    const answer = await this.ask(asked, transferred);
    if (answer.kind === 'misplaced') throw new Misplaced();
    return answer.kind === 'checked' ? answer.accounts : [];
  }

  /** Throws what it throws. */
  async ask(asked: CheckMessage, transferred: readonly ArrayBuffer[] = []): Promise<CheckAnswer> {
    if (this.#failure !== undefined) throw this.#failure;
    const answered = new Promise<CheckAnswer>((resolve, reject) => this.#asked.push({ resolve, reject }));
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
