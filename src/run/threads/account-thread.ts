import { parentPort } from 'node:worker_threads';
import { defaultRuleContext, type RuleContext } from '../../contract/rules/rule.ts';
import { utcDate } from '../../domain/clock.ts';
import { definedFields } from '../../domain/defined-fields.ts';
import type { BoundMapping } from '../../mapping/plan.ts';
import type { AccountRange } from '../../source/sorted/account-range.ts';
import { bundleOf } from '../../source/bundle.ts';
import { Disorder } from '../../source/merge.ts';
import { unpackedRows, type PackedRows } from '../../source/packed-rows.ts';
import type { PlacedRow } from '../../source/row.ts';
import { RowPrints } from '../../source/row-prints.ts';
import { SortedReader } from '../../source/sorted/sorted-files.ts';
import type { FileTable } from '../../source/table.ts';
import { effectiveRules, readContract } from '../effective-rules.ts';
import { bindAgain } from '../reading/bind-mapping.ts';
import { unbroken } from '../reading/unbroken.ts';
import { failureOf } from '../worker/failure.ts';
import type { AccountRules } from './check-account.ts';
import { jobs, type FoundBy, type Job } from './jobs.ts';
import type { ThreadAnswer, ThreadMessage } from './messages.ts';

/** The warnings of the contract are given where the export is opened. */
const silent = { warn: () => undefined };

/** A thread that maps accounts, and does its job with their plans. */
class AccountThread {
  readonly #do: (typeof jobs)[Job];
  readonly #how: AccountRules;
  readonly #isPrinted: boolean;
  #bound: Bound | undefined;

  private constructor({ job, isPrinted }: Extract<ThreadMessage, { kind: 'open' }>, how: AccountRules) {
    this.#do = jobs[job];
    this.#how = how;
    this.#isPrinted = isPrinted;
  }

  static async open(asked: Extract<ThreadMessage, { kind: 'open' }>): Promise<AccountThread> {
    const { config, accounts, cutting, mostBytes } = asked.settings;
    const { supplier, bytesPerRequest } = config;
    const rules = await rulesFor(asked);
    return new AccountThread(asked, { rules, supplier, accounts, cutting, bytesPerRequest, mostBytes });
  }

  async answer(asked: Exclude<ThreadMessage, { kind: 'open' }>): Promise<ThreadAnswer> {
    switch (asked.kind) {
      case 'bind':
        await this.#bind(asked);
        return { kind: 'ready' };
      case 'rows':
        return { kind: 'found', accounts: this.#inRows(asked.rows) };
      case 'range':
        return this.#inRange(asked.range);
    }
  }

  async #bind({ binding, sorted }: Extract<ThreadMessage, { kind: 'bind' }>): Promise<void> {
    const { bound, files } = await bindAgain(binding, this.#how.rules.contract);
    this.#bound = {
      map: bound,
      files: binding.files,
      prints: this.#isPrinted ? new RowPrints(binding.files) : undefined,
      sorted: sorted && new SortedReader(sorted, files),
    };
  }

  async #inRange(range: AccountRange): Promise<ThreadAnswer> {
    const { sorted } = this.#isBound();
    if (sorted === undefined) throw new Error('a range is given before its files');
    const accounts: FoundBy<Job>[] = [];
    try {
      for await (const rows of unbroken(sorted.rows(range))) accounts.push(...this.#of(rows));
    } catch (error) {
      if (error instanceof Disorder) return { kind: 'misplaced' };
      throw error;
    }
    return { kind: 'found', accounts };
  }

  #inRows(packed: PackedRows): readonly FoundBy<Job>[] {
    const found: FoundBy<Job>[] = [];
    for (const { account, rows } of unpackedRows(packed, this.#isBound().files))
      found.push(...this.#of(rows, account));
    return found;
  }

  /** Nothing of rows that are no account. */
  #of(rows: readonly PlacedRow[], account = rows[0]?.account ?? ''): readonly FoundBy<Job>[] {
    const { map, files, prints } = this.#isBound();
    const bundle = bundleOf(account, rows, files);
    if (bundle === undefined) return [];
    const print = prints?.of(rows);
    const plan = map(bundle);
    return [this.#do(print === undefined ? plan : { ...plan, rows: { print, found: 'unknown' } }, this.#how)];
  }

  #isBound(): Bound {
    if (this.#bound === undefined) throw new Error('rows are given before their mapping');
    return this.#bound;
  }
}

async function rulesFor({
  job,
  settings: { config, documents, cwd, now },
}: Extract<ThreadMessage, { kind: 'open' }>): Promise<RuleContext> {
  if (job !== 'export') return effectiveRules({ cwd, clock: { now: () => now } }, silent, config, documents);
  // A reconciliation checks no payload: of the contract it needs only their shape.
  const contract = await readContract(config, silent, { checks: false });
  return { ...defaultRuleContext(utcDate(now)), ...definedFields({ contract }) };
}

/** A mapping, and the files whose rows it maps. */
interface Bound {
  readonly map: BoundMapping;
  readonly files: readonly FileTable[];
  readonly prints: RowPrints | undefined;
  readonly sorted: SortedReader | undefined;
}

let thread: AccountThread | undefined;

async function answer(asked: ThreadMessage): Promise<ThreadAnswer> {
  if (asked.kind === 'open') {
    thread = await AccountThread.open(asked);
    return { kind: 'ready' };
  }
  if (thread === undefined) throw new Error('a thread is asked before it is open');
  return thread.answer(asked);
}

let before = Promise.resolve();
parentPort?.on('message', (asked: ThreadMessage) => {
  before = before.then(async () => {
    const answered = await answer(asked).catch((error: unknown): ThreadAnswer => ({
      kind: 'failed',
      failure: failureOf(error),
    }));
    parentPort?.postMessage(answered);
  });
});
