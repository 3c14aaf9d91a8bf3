import type { PostEndpoint } from '../../client/platform-client.ts';
import type { TransactionsQuery } from '../../contract/schemas/transactions.ts';
import type { JsonObject } from '../../domain/json.ts';
import { stringifyJson } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { ExtraStepName } from '../../domain/steps.ts';
import type { PartEntry } from '../../journal/journal.ts';
import type { AccountRun } from '../account-run.ts';
import type { RunContext } from '../context.ts';
import { fingerprint } from '../hash.ts';
import { deliver, result, type Part, type PartPolicy, type PartResult } from '../part.ts';
import { changedAfterImport, RecordedParts, refusedBefore, settleLeftBehind } from './recorded-parts.ts';
import { stepResult, together, type StepResult } from './step-result.ts';

/** A step whose payload is one array, sent in several requests when it is long. */
export interface ItemsStep {
  readonly step: ExtraStepName;
  readonly endpoint: PostEndpoint;
  /** The payload's array: notes, transactions or statements. */
  readonly array: string;
  /** Items in one request at most. */
  readonly size: number;
  readonly query?: TransactionsQuery;
  policy(items: readonly JsonObject[]): PartPolicy;
  /** The item is sent on its own: nothing tells what of a refused request was done before the refusal. */
  isAlone(item: JsonObject): boolean;
  /** The platform recognises the item when it has it already, so that sending it again has no second effect. */
  isRecognised(item: JsonObject): boolean;
}

/** A run of items that travel together: [from, to). */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly prior?: PartEntry;
  /** Its part number in the journal, where that is given. */
  readonly number?: number;
}

/**
 * Sends the items of a step. What the journal has as done is left out, whatever the request size was then and whatever
 * was added around it since; what it has as sent is settled first, in the same cut. A refused request of several items is
 * repeated item by item, so that the refusal of one neither loses nor repeats the others.
 */
export async function deliverItems(
  context: RunContext,
  run: AccountRun,
  step: ItemsStep,
): Promise<StepResult> {
  const array = run.plan.extras[step.step][0]?.[step.array];
  const sending = new ItemsSending(context, run, step, Array.isArray(array) ? (array as JsonObject[]) : []);
  const { ranges, results } = sending.outstanding();
  for (const range of ranges) {
    results.push(...(await sending.send(range)));
    if (isOver(results)) break;
  }
  return together(results);
}

class ItemsSending {
  readonly #context: RunContext;
  readonly #run: AccountRun;
  readonly #step: ItemsStep;
  readonly #items: readonly JsonObject[];
  readonly #texts: readonly string[];
  readonly #recorded: RecordedParts;

  constructor(context: RunContext, run: AccountRun, step: ItemsStep, items: readonly JsonObject[]) {
    this.#context = context;
    this.#run = run;
    this.#step = step;
    this.#items = items;
    this.#texts = items.map((item) => stringifyJson(item));
    this.#recorded = new RecordedParts(run, step.step, items.length);
  }

  /** What is still to be sent, in order, and the results that need no request. */
  outstanding(): { readonly ranges: readonly Range[]; readonly results: StepResult[] } {
    const settled = new Array<boolean>(this.#items.length).fill(false);
    const ranges: Range[] = [];
    const results: StepResult[] = [];
    for (const entry of [...this.#recorded.left]) {
      const range = this.#rangeOf(entry);
      if (range === undefined) continue;
      this.#recorded.take((left) => left === entry);
      const isOne = range.to - range.from === 1;
      // A request of several that was refused, or had no effect, says nothing of the single items.
      if (entry.state === 'failed' || (entry.state === 'refused' && !isOne)) continue;
      settled.fill(true, range.from, range.to);
      if (entry.state === 'sent') ranges.push({ ...range, prior: entry });
      if (entry.state === 'uncertain') results.push(stepResult(result('uncertain', entry.code ?? '')));
      if (entry.state === 'refused') results.push(refusedBefore(entry, `${this.#step.array}.${range.from}`));
    }
    const leftBehind = settleLeftBehind(this.#context, this.#run, this.#recorded.left);
    results.push(...leftBehind.results);
    for (const [index, item] of this.#items.entries()) {
      if (settled[index] === true || this.#step.isRecognised(item)) continue;
      if (!leftBehind.isUnknown && !leftBehind.isDone) continue;
      settled[index] = true;
      if (!leftBehind.isUnknown) results.push(this.#changed(index));
    }
    ranges.push(...this.#cut(settled));
    return { ranges: ranges.sort((a, b) => a.from - b.from), results };
  }

  #changed(index: number): StepResult {
    const detail = 'This changed in the export after its account was imported. Correct it on the platform.';
    const path = `${this.#step.array}.${index}`;
    return stepResult(
      result('refused', changedAfterImport, [{ code: changedAfterImport, path, detail, severity: 'error' }]),
    );
  }

  /** Where the items that an entry stands for are today; undefined when they are not there as they were sent. */
  #rangeOf(entry: PartEntry): Range | undefined {
    const count = Number(entry.hash.slice(entry.hash.lastIndexOf(':') + 1));
    for (const from of [entry.part, ...this.#items.keys()]) {
      const range = { from, to: from + count };
      if (range.to <= this.#items.length && this.#hash(range) === entry.hash) return range;
    }
    return undefined;
  }

  /** The items that are not settled, cut into requests. */
  #cut(settled: readonly boolean[]): Range[] {
    const ranges: Range[] = [];
    let from = 0;
    while (from < this.#items.length) {
      if (settled[from] === true) {
        from += 1;
        continue;
      }
      let to = from + 1;
      if (!this.#isAlone(from))
        while (
          to < this.#items.length &&
          to - from < this.#step.size &&
          settled[to] !== true &&
          !this.#isAlone(to)
        )
          to += 1;
      ranges.push({ from, to });
      from = to;
    }
    return ranges;
  }

  #isAlone(index: number): boolean {
    const item = this.#items[index];
    return item !== undefined && this.#step.isAlone(item);
  }

  async send(range: Range): Promise<StepResult[]> {
    const sent = await this.#deliver(range);
    if (range.to - range.from > 1) {
      if (sent.state === 'refused') return this.#oneByOne(range, false);
      if (sent.state === 'lost') return this.#oneByOne(range, true);
    }
    return [
      stepResult({ ...sent, problems: sent.problems.map((problem) => this.#placed(problem, range.from)) }),
    ];
  }

  /** Takes a request apart. The first item takes the number of the whole, whose entry has then served its time. */
  async #oneByOne(range: Range, lost: boolean): Promise<StepResult[]> {
    const number = this.#part(range).ref.part;
    const singles: Range[] = [];
    for (let from = range.from; from < range.to; from += 1)
      singles.push({ from, to: from + 1, ...(from === range.from ? { number } : {}) });
    const results: StepResult[] = [];
    for (const single of lost ? await this.#markedUnknown(singles) : singles) {
      results.push(...(await this.send(single)));
      if (isOver(results)) break;
    }
    return results;
  }

  /** Of each item it is unknown whether it arrived; the journal must say so before the first is sent again. */
  async #markedUnknown(singles: readonly Range[]): Promise<Range[]> {
    const { journal, run, clock } = this.#context;
    const { step } = this.#step;
    const sentAt = clock.now();
    let written: Promise<void> | undefined;
    const marked = singles.map((single) => {
      const { ref, hash } = this.#part(single);
      written = journal.intend(ref, { hash, run, at: sentAt });
      this.#context.record(written);
      return {
        ...single,
        prior: { step, part: ref.part, state: 'sent' as const, hash, attempt: 1, run, sentAt },
      };
    });
    await written;
    return marked;
  }

  #deliver(range: Range): Promise<PartResult> {
    const single = range.to - range.from === 1;
    const policy = this.#step.policy(this.#items.slice(range.from, range.to));
    // A single item has nothing left to take apart: it is repeated, and its own answer tells.
    const settled =
      single && policy.whenLost === 'settle' ? { ...policy, whenLost: 'repeat' as const } : policy;
    return deliver(this.#context, this.#part(range), settled, range.prior);
  }

  #part(range: Range): Part {
    const { plan, progress } = this.#run;
    const head = stringifyJson({
      import_supplier: plan.key.supplier,
      external_account_number: plan.key.account,
    });
    const texts = this.#texts.slice(range.from, range.to).join(',');
    const { step, endpoint, array, query } = this.#step;
    const hash = this.#hash(range);
    return {
      ref: {
        accountId: progress.id,
        step,
        part: range.prior?.part ?? range.number ?? this.#recorded.number(range.from, hash),
      },
      account: plan.key.account,
      endpoint,
      body: `${head.slice(0, -1)},"${array}":[${texts}]}`,
      hash,
      ...(query === undefined ? {} : { query }),
    };
  }

  /** Says how many items it stands for, so that a later run finds them whatever its request size. */
  #hash(range: Range): string {
    return `${fingerprint(this.#texts.slice(range.from, range.to).join(','))}:${range.to - range.from}`;
  }

  /** A path within a request as a path within the whole payload. */
  #placed(problem: PayloadProblem, offset: number): PayloadProblem {
    const { array } = this.#step;
    const match = new RegExp(`^${array}(?:\\.(\\d+))?(?=\\.|$)`).exec(problem.path);
    if (match === null) return problem.path === '' ? { ...problem, path: `${array}.${offset}` } : problem;
    const index = Number(match[1] ?? '0') + offset;
    return { ...problem, path: `${array}.${index}${problem.path.slice(match[0].length)}` };
  }
}

/** The account goes no further in this run. */
function isOver(results: readonly StepResult[]): boolean {
  const state = results.at(-1)?.state;
  return state === 'stopped' || state === 'failed';
}
