import type { Refusal } from '../../contract/refusal.ts';
import { noMoney, writeMoney } from '../../domain/money.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { PartEntry } from '../../journal/journal.ts';
import type { AccountRun } from '../account/account-run.ts';
import type { RunContext } from '../run/context.ts';
import { deliver, leaveToPerson, type Part, type PartPolicy, type PartResult } from '../request/part.ts';
import { firstAttempt, type FirstAttempt } from '../account/first-attempt.ts';
import { ItemList, itemsOf } from './item-list.ts';
import type { ItemsStep, Range } from './items-step.ts';
import { noLongerThere } from './recorded-parts.ts';
import { WitnessesFirst, type Delivery } from './witness.ts';
import { endsAccount, stepResult, together, type StepResult } from './step-result.ts';

/**
 * Sends the pending items of a step; what was sent with an unknown outcome is settled first. A refused request of
 * several items is repeated item by item, so that the refusal of one neither loses nor repeats the others.
 */
export function itemsDelivery(context: RunContext, run: AccountRun, step: ItemsStep): Delivery {
  const list = new ItemList(step, run.plan, run.progress.parts);
  const { requests, results: told, lost, recognised, isBeside, isDoubted } = list.outstanding();
  leaveToPerson(context, run.progress.id, lost);
  const sending = new ItemsSending(context, run, step, list, isBeside);
  const results = [...told];
  const waiting = new WitnessesFirst(requests, (one) => step.policy(list.sentIn(one)));
  return async (isWitnessesOnly) => {
    while (!isOver(results)) {
      const range = waiting.next(isWitnessesOnly);
      if (range === undefined) break;
      results.push(...(await sending.sendDoubted(range, isDoubted)));
    }
    if (!isWitnessesOnly && recognised.length > 0 && together(results).state === 'done')
      results.push(...sending.compared(recognised, requests));
    return together(results);
  };
}

class ItemsSending {
  /** Items that the platform already had, of requests that are known to be sent for the first time. */
  #existed = 0;
  readonly #context: RunContext;
  readonly #run: AccountRun;
  readonly #step: ItemsStep;
  readonly #list: ItemList;
  readonly #isBeside: boolean;

  /** `isBeside`: requests of earlier runs may contain some of the same items. */
  constructor(context: RunContext, run: AccountRun, step: ItemsStep, list: ItemList, isBeside: boolean) {
    this.#context = context;
    this.#run = run;
    this.#step = step;
    this.#list = list;
    this.#isBeside = isBeside;
  }

  /**
   * Sends a request. If an earlier one of unknown effect may have added some of its items, each is sent alone, and those
   * are recorded as unknown first: a refusal then does not settle them.
   */
  async sendDoubted(range: Range, isDoubted: (index: number) => boolean): Promise<StepResult[]> {
    const indexes = Array.from({ length: range.to - range.from }, (_, at) => range.from + at);
    if (range.prior !== undefined || !indexes.some(isDoubted)) return this.send(range);
    const singles = indexes.map((from) => ({ from, to: from + 1 }));
    const marked = await this.#markedUnknown(singles.filter(({ from }) => isDoubted(from)));
    const results: StepResult[] = [];
    for (const single of singles) {
      results.push(...(await this.send(marked.find(({ from }) => from === single.from) ?? single)));
      if (isOver(results)) break;
    }
    return results;
  }

  async send(waiting: Range): Promise<StepResult[]> {
    const range = (await this.#wasOfRefused(waiting)) ? { ...waiting, mayBeThere: true as const } : waiting;
    const { sizes } = this.#context;
    const { step } = this.#step;
    const { mayBeThere = false } = range;
    if (this.#list.isLarger(range, sizes.targetOf(step)))
      return isFirst(range) && range.isSplit !== true
        ? this.#sendEach(this.#pieces(range))
        : this.#split(range, this.#pieces(range), { isLost: range.prior?.state === 'sent', mayBeThere });
    const sent = await this.#deliver(range);
    if (isFirst(range)) this.#existed += sent.existed?.length ?? 0;
    if (range.to - range.from > 1) {
      if (sent.state === 'too-large')
        return this.#split(range, this.#pieces(range), { isLost: sent.isLost ?? false, mayBeThere });
      // The platform itself may have said so.
      if (sent.state === 'refused' && this.#list.isLarger(range, sizes.targetOf(step)))
        return this.#split(range, this.#pieces(range), { isLost: false, mayBeThere });
      const isKept = mayBeThere || (this.#step.keepsEarlier?.(sent.code) ?? false);
      if (sent.state === 'refused') return this.#oneByOne(range, { isLost: false, mayBeThere: isKept });
      if (sent.state === 'lost') return this.#oneByOne(range, { isLost: true, mayBeThere: isKept });
    }
    return [
      stepResult({ ...sent, problems: sent.problems.map((problem) => this.#placed(problem, range.from)) }),
    ];
  }

  #oneByOne(range: Range, doubts: Doubts): Promise<StepResult[]> {
    const singles: Range[] = [];
    for (let { from } = range; from < range.to; from += 1) singles.push({ from, to: from + 1 });
    return this.#split(range, singles, doubts);
  }

  /** The parts of a request that is too large. */
  #pieces(range: Range): readonly Pick<Range, 'from' | 'to'>[] {
    return this.#list.divide(range, this.#context.sizes.targetOf(this.#step.step));
  }

  /** Sends a request in parts. The first one takes the number of the whole, whose entry is no longer needed then. */
  async #split(
    range: Range,
    parts: readonly Pick<Range, 'from' | 'to'>[],
    { isLost, mayBeThere }: Doubts,
  ): Promise<StepResult[]> {
    const number = this.#part(range).ref.part;
    const more = { mayBeThere: mayBeThere || undefined, isSplit: true as const };
    const [start, ...rest] = parts.map((part) => ({ ...part, ...more }));
    if (start === undefined) return [];
    const first: Range = { ...start, number };
    const others: readonly Range[] = rest;
    // The entry of the whole says that each may be there, until nothing but the first is left to be sent.
    const ordered = mayBeThere ? [...others, first] : [first, ...others];
    return this.#sendEach(isLost ? await this.#markedUnknown([first, ...others]) : ordered);
  }

  async #sendEach(ranges: readonly Range[]): Promise<StepResult[]> {
    const results: StepResult[] = [];
    for (const range of ranges) {
      results.push(...(await this.send(range)));
      if (isOver(results)) break;
    }
    return results;
  }

  /** It is unknown whether each item arrived; the journal must say so before the first is sent again. */
  async #markedUnknown(singles: readonly Range[]): Promise<Range[]> {
    const { journal, run, clock } = this.#context;
    const { step } = this.#step;
    const sentAt = clock.now();
    let written: Promise<void> | undefined;
    // The first one last: it replaces the whole, which represents all of them until then.
    const marked = singles.toReversed().map((single) => {
      const { ref, hash, money, prints } = this.#part(single);
      written = journal.intend(ref, { hash, run, at: sentAt, money, prints });
      this.#context.record(written);
      return {
        ...single,
        prior: { step, part: ref.part, state: 'sent' as const, hash, attempt: 1, run, sentAt },
      };
    });
    await written;
    return marked.reverse();
  }

  /**
   * Whether the item took the number of a refused request that may have added it, and no answer about it came
   * since.
   */
  async #wasOfRefused({ from, to, prior }: Range): Promise<boolean> {
    const { step, keepsEarlier } = this.#step;
    if (keepsEarlier === undefined || prior?.state !== 'failed' || to - from > 1) return false;
    let mayBeThere = false;
    for await (const { hash, state, code = '', ...one } of this.#context.journal.attempts(
      this.#run.progress.id,
    )) {
      if (one.step !== step || one.part !== prior.part) continue;
      if (hash !== prior.hash) mayBeThere ||= state === 'refused' && keepsEarlier(code);
      else if (state === 'refused' || state === 'uncertain') mayBeThere = false;
    }
    return mayBeThere;
  }

  /**
   * The result of requests of earlier runs whose items are sent again among others: the platform had all of them, and
   * they count as the new ones from now on; or some are no longer in the export.
   */
  compared(recognised: readonly PartEntry[], [first]: readonly Range[]): readonly StepResult[] {
    const before = recognised.reduce((sum, entry) => sum + itemsOf(entry), 0);
    if (first === undefined || this.#existed < before) return [noLongerThere(this.#step.array)];
    const { journal, run, clock } = this.#context;
    const at = clock.now();
    for (const { step, part, money } of recognised) {
      const ref = { accountId: this.#run.progress.id, step, part };
      const intent = { hash: this.#list.hashOf(first), run, at, money };
      this.#context.record(journal.recordSent(ref, intent, { state: 'done', outcome: 'recognised', at }));
    }
    return [];
  }

  #deliver(range: Range): Promise<PartResult> {
    return deliver(this.#context, this.#part(range), this.#policyOf(range), range.prior);
  }

  #policyOf(range: Range): PartPolicy {
    const { array } = this.#step;
    const policy = this.#step.policy(this.#list.sentIn(range));
    if (!this.#isBeside && range.mayBeThere !== true) return policy;
    const isNoProof = (refusal: Refusal) => !isOfItem(refusal, array) && policy.saysThere?.(refusal) !== true;
    return {
      ...policy,
      ownMoney: this.#isBeside ? (existed) => this.#ownMoney(range, existed) : policy.ownMoney,
      isNoProof: range.mayBeThere === true ? isNoProof : policy.isNoProof,
    };
  }

  /** The money of the items that are in no request of an earlier run; unknown if the answer does not name them. */
  #ownMoney(range: Range, existed: readonly number[] | undefined): string | undefined {
    const items = this.#list.itemsIn(range);
    if (this.#list.moneyOf(items) === undefined) return undefined;
    if (existed === undefined || !isFirst(range)) return writeMoney(undefined);
    return this.#list.moneyOf(items.filter((_, index) => !existed.includes(index))) ?? noMoney;
  }

  #part(range: Range): Part {
    const { plan, progress } = this.#run;
    const { step, endpoint, query } = this.#step;
    const { body, hash, money, prints } = range.ready ?? this.#list.requestOf(range);
    return {
      ref: { accountId: progress.id, step, part: this.#list.numberOf(range) },
      key: plan.key,
      krakenAccountNumber: progress.krakenAccountNumber,
      about: this.#run.sent,
      endpoint,
      body,
      hash,
      money,
      prints,
      query,
      first: this.#firstOf(range),
    };
  }

  #firstOf(range: Range): FirstAttempt | undefined {
    const { step } = this.#step;
    const { parts } = this.#run.progress;
    const isFirstOfAll = isFirst(range) && range.isSplit !== true && !this.#isBeside;
    if (!isFirstOfAll || parts.some((part) => part.step === step && part.state !== 'done')) return undefined;
    return firstAttempt(this.#run, (at) => this.#isExplained(range.from + at));
  }

  /** Whether another item, or another payload of the account, may have brought an item. */
  #isExplained(index: number): boolean {
    const { items } = this.#list;
    const { isLike, nameOf } = this.#step;
    const item = items[index];
    if (item === undefined) return true;
    if (items.some((other, at) => at !== index && isLike?.(item, other) === true)) return true;
    const name = nameOf?.(item);
    if (name === undefined) return false;
    const { plan, payloadBody } = this.#run;
    const quoted = JSON.stringify(name);
    const others = plan.requests('billing-documents').map(({ body }) => body);
    return [payloadBody, ...others].some((body) => body.includes(quoted));
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

/** What may have become of a request that is sent again in parts. */
interface Doubts {
  readonly isLost: boolean;
  /** See Range. */
  readonly mayBeThere: boolean;
}

/** Whether its items are sent for the first time. */
function isFirst({ prior, number, mayBeThere }: Range): boolean {
  return prior === undefined && number === undefined && mayBeThere !== true;
}

/** Whether the platform refused an item, and not the whole request before reading the items. */
function isOfItem({ problems }: Refusal, array: string): boolean {
  return problems.some(({ path }) => path === array || path.startsWith(`${array}.`));
}

function isOver(results: readonly StepResult[]): boolean {
  return endsAccount(results.at(-1));
}
