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
import { deliver, result, uncertain, type Part, type PartPolicy, type PartResult } from '../part.ts';
import { done, stepResult, together, type StepResult } from './step-result.ts';

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
  /** Items that are sent on their own, because their guarantee is another. */
  alone?(item: JsonObject): boolean;
  /** Whether the platform takes the items again after they changed, keeping what it has (notes, transactions). */
  readonly takesAgain: boolean;
}

/** A run of items that travel together: [from, to). */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly prior?: PartEntry;
}

/**
 * Sends the items of a step. What the journal has as done is left out, whatever the request size was then; what it has
 * as sent is settled first, in the same cut. A refused request of several items is repeated item by item, so that the
 * refusal of one neither loses nor repeats the others.
 */
export async function deliverItems(
  context: RunContext,
  run: AccountRun,
  step: ItemsStep,
): Promise<StepResult> {
  const payload = run.plan.extras[step.step][0];
  const array = payload?.[step.array];
  if (!Array.isArray(array)) return done;
  const items = array as JsonObject[];
  const sending = new ItemsSending(context, run, step, items);
  const results: StepResult[] = [];
  for (const range of sending.ranges(results)) {
    for (const one of await sending.send(range)) results.push(one);
    if (results.at(-1)?.state === 'stopped' || results.at(-1)?.state === 'failed') break;
  }
  return together(results);
}

class ItemsSending {
  readonly #context: RunContext;
  readonly #run: AccountRun;
  readonly #step: ItemsStep;
  readonly #items: readonly JsonObject[];
  readonly #texts: readonly string[];

  constructor(context: RunContext, run: AccountRun, step: ItemsStep, items: readonly JsonObject[]) {
    this.#context = context;
    this.#run = run;
    this.#step = step;
    this.#items = items;
    this.#texts = items.map((item) => stringifyJson(item));
  }

  /** What is still to be sent, in order. Results that need no request (left to a person) go to `settled`. */
  ranges(settled: StepResult[]): Range[] {
    const covered = new Array<'done' | 'held' | undefined>(this.#items.length).fill(undefined);
    const resumed: Range[] = [];
    for (const entry of this.#run.progress.priorParts) {
      if (entry.step !== this.#step.step) continue;
      const range = this.#rangeOf(entry);
      if (range === undefined) {
        const stale = this.#stale(entry);
        if (stale !== undefined) settled.push(stepResult(stale));
      } else if (entry.state === 'done') {
        covered.fill('done', range.from, range.to);
      } else if (entry.state === 'uncertain') {
        covered.fill('held', range.from, range.to);
        settled.push(stepResult(result('uncertain', entry.code ?? '')));
      } else if (entry.state === 'sent') {
        covered.fill('held', range.from, range.to);
        resumed.push({ ...range, prior: entry });
      }
    }
    return [...resumed, ...this.#uncovered(covered)].sort((a, b) => a.from - b.from);
  }

  /** The items that an entry of the journal stands for; undefined when they are not the same any more. */
  #rangeOf(entry: PartEntry): Range | undefined {
    const count = Number(entry.hash.slice(entry.hash.lastIndexOf(':') + 1));
    const range = { from: entry.part, to: entry.part + count };
    return range.to <= this.#items.length && this.#hash(range) === entry.hash ? range : undefined;
  }

  /** An entry whose items have changed in the export since. */
  #stale(entry: PartEntry): PartResult | undefined {
    const { step } = this.#step;
    const ref = { accountId: this.#run.progress.id, step, part: entry.part };
    if (entry.state === 'sent') return uncertain(this.#context, { ref }, 'changed_since_lost_answer');
    if (entry.state === 'uncertain') return result('uncertain', entry.code ?? '');
    if (entry.state === 'done' && !this.#step.takesAgain) return result('refused', 'changed_after_import');
    return undefined;
  }

  #uncovered(covered: readonly ('done' | 'held' | undefined)[]): Range[] {
    const ranges: Range[] = [];
    let from = 0;
    while (from < this.#items.length) {
      if (covered[from] !== undefined) {
        from += 1;
        continue;
      }
      let to = from + 1;
      if (!this.#isAlone(from))
        while (
          to < this.#items.length &&
          to - from < this.#step.size &&
          covered[to] === undefined &&
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
    return item !== undefined && this.#step.alone?.(item) === true;
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

  async #oneByOne(range: Range, lost: boolean): Promise<StepResult[]> {
    const { journal, run, clock } = this.#context;
    const priors = new Map<number, PartEntry>();
    if (lost) {
      // Of each item it is unknown whether it arrived; the journal must say so before the first is sent again.
      let intended: Promise<void> | undefined;
      for (let from = range.from; from < range.to; from += 1) {
        const part = this.#part({ from, to: from + 1 });
        const at = clock.now();
        intended = journal.intend(part.ref, { hash: part.hash, run, at });
        this.#context.record(intended);
        const { step } = this.#step;
        priors.set(from, { step, part: from, state: 'sent', hash: part.hash, attempt: 1, run, sentAt: at });
      }
      await intended;
    }
    const results: StepResult[] = [];
    for (let from = range.from; from < range.to; from += 1) {
      const prior = priors.get(from);
      const single = { from, to: from + 1, ...(prior === undefined ? {} : { prior }) };
      results.push(...(await this.send(single)));
      if (results.at(-1)?.state === 'stopped' || results.at(-1)?.state === 'failed') break;
    }
    return results;
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
    return {
      ref: { accountId: progress.id, step, part: range.from },
      account: plan.key.account,
      endpoint,
      body: `${head.slice(0, -1)},"${array}":[${texts}]}`,
      hash: this.#hash(range),
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
