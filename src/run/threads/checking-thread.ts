import { parentPort } from 'node:worker_threads';
import type { BoundMapping } from '../../mapping/plan.ts';
import type { AccountRange } from '../../source/account-range.ts';
import { bundleOf } from '../../source/bundle.ts';
import { Disorder } from '../../source/merge.ts';
import { unpackedRows, type PackedRows } from '../../source/packed-rows.ts';
import { SortedReader } from '../../source/sorted-files.ts';
import type { FileTable } from '../../source/table.ts';
import { effectiveRules } from '../effective-rules.ts';
import { bindAgain } from '../reading/bind-mapping.ts';
import { unbroken } from '../reading/unbroken.ts';
import { failureOf } from '../worker/failure.ts';
import { checkAccount, type AccountRules, type CheckedAccount } from './check-account.ts';
import type { CheckAnswer, CheckMessage, CheckSettings } from './messages.ts';

/** The warnings of the contract are given where the export is opened. */
const silent = { warn: () => undefined };

/** A thread that maps and checks the accounts whose rows it is given. */
class CheckingThread {
  #how: AccountRules | undefined;
  #bound: BoundMapping | undefined;
  #files: readonly FileTable[] = [];
  #sorted: SortedReader | undefined;

  async answer(asked: CheckMessage): Promise<CheckAnswer> {
    switch (asked.kind) {
      case 'open':
        await this.#open(asked.settings);
        return { kind: 'ready' };
      case 'bind':
        await this.#bind(asked);
        return { kind: 'ready' };
      case 'check':
        return { kind: 'checked', accounts: this.#check(asked.rows) };
      case 'check-range':
        return this.#checkRange(asked.range);
    }
  }

  async #open({ config, documents, cutting, cwd, now }: CheckSettings): Promise<void> {
    const here = { cwd, clock: { now: () => now } };
    const rules = await effectiveRules(here, silent, config, documents);
    const { supplier, bytesPerRequest } = config;
    this.#how = { rules, supplier, cutting, bytesPerRequest };
  }

  async #bind({ binding, sorted }: Extract<CheckMessage, { kind: 'bind' }>): Promise<void> {
    this.#files = binding.files;
    const { bound, files } = await bindAgain(binding, this.#how?.rules.contract);
    this.#bound = bound;
    this.#sorted = sorted && new SortedReader(sorted, files);
  }

  async #checkRange(range: AccountRange): Promise<CheckAnswer> {
    const [how, bound, sorted] = [this.#how, this.#bound, this.#sorted];
    if (how === undefined || bound === undefined || sorted === undefined) throw new Error('a range is given before its files'); // prettier-ignore
    const checked: CheckedAccount[] = [];
    try {
      for await (const bundle of unbroken(sorted.bundles(range)))
        checked.push(checkAccount(bound(bundle), how));
    } catch (error) {
      if (error instanceof Disorder) return { kind: 'misplaced' };
      throw error;
    }
    return { kind: 'checked', accounts: checked };
  }

  #check(packed: PackedRows): readonly CheckedAccount[] {
    const [how, bound] = [this.#how, this.#bound];
    if (how === undefined || bound === undefined) throw new Error('rows are given before their mapping');
    const checked: CheckedAccount[] = [];
    for (const { account, rows } of unpackedRows(packed, this.#files)) {
      const bundle = bundleOf(account, rows, this.#files);
      if (bundle !== undefined) checked.push(checkAccount(bound(bundle), how));
    }
    return checked;
  }
}

const thread = new CheckingThread();
let before = Promise.resolve();
parentPort?.on('message', (asked: CheckMessage) => {
  before = before.then(async () => {
    const answer = await thread.answer(asked).catch((error: unknown): CheckAnswer => ({ kind: 'failed', failure: failureOf(error) })); // prettier-ignore
    parentPort?.postMessage(answer);
  });
});
