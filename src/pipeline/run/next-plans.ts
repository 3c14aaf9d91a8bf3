import type { Journal } from '../../journal/journal.ts';
import { knownAccount } from '../account/known-account.ts';
import type { ReadyPlan } from '../account/ready-plan.ts';
import type { RunInput } from './run-input.ts';
import type { SharedBook } from './shared-book.ts';

interface NextPlansInput {
  readonly input: Pick<RunInput, 'plans' | 'platform' | 'place' | 'fixes' | 'shared'>;
  /** The fixes as this machine has them; the group may have them elsewhere. */
  readonly ownFixes: readonly string[];
  readonly journal: Pick<Journal, 'find' | 'overview'>;
  /** Absent if this run alone drives the export. */
  readonly shared: Pick<SharedBook, 'holds'> | undefined;
  /** Leaves an account alone that is as the journal has it; false if it is to be driven. */
  readonly passesOver: (plan: ReadyPlan) => boolean;
  /** Whether it is the first time that this run meets the account. */
  readonly meet: (plan: ReadyPlan) => Promise<boolean>;
}

/** The accounts that are to be driven, one after another: all, or those of the partitions of a shared book that are due. */
export class NextPlans {
  /** The partitions that the present pass is about. */
  due: ReadonlySet<number> = new Set();
  readonly #input: NextPlansInput;
  #plans: AsyncIterator<ReadyPlan>;
  /** An account that is read and not yet given out. */
  #first: ReadyPlan | undefined;
  /** The first account of a pass over a shared book. */
  #ahead: Promise<IteratorResult<ReadyPlan>> | undefined;

  constructor(input: NextPlansInput) {
    this.#input = input;
    this.#plans = input.input.plans[Symbol.asyncIterator]();
  }

  /** Begins a pass over partitions of a shared book. Resolves when its first account is read. */
  async begin(due: ReadonlySet<number>, { plansOf }: NonNullable<RunInput['shared']>): Promise<void> {
    this.due = due;
    this.#plans = plansOf(due)[Symbol.asyncIterator]();
    this.#ahead = this.#plans.next();
    // Whoever takes it hears of a failure.
    await this.#ahead.catch(() => undefined);
  }

  /** Whether there is an account to drive: reads on to the first one. */
  async hasNext(): Promise<boolean> {
    this.#first ??= await this.next();
    return this.#first !== undefined;
  }

  /** Undefined if there is none left. */
  async next(): Promise<ReadyPlan | undefined> {
    const first = this.#first;
    this.#first = undefined;
    return first ?? (await this.#read());
  }

  async #read(): Promise<ReadyPlan | undefined> {
    const { shared, passesOver, meet } = this.#input;
    for (;;) {
      const ahead = this.#ahead;
      this.#ahead = undefined;
      const next = await (ahead ?? this.#plans.next());
      if (next.done === true) return undefined;
      // Partitions that were lost since the pass began are another run's.
      if (shared?.holds(next.value.key.account) === false) {
        next.value.close();
        continue;
      }
      if (passesOver(next.value)) continue;
      const plan = await this.#named(this.#placed(next.value));
      if (await meet(plan)) return plan;
      plan.close();
    }
  }

  async close(): Promise<void> {
    this.#first?.close();
    await this.#plans.return?.();
  }

  /** A fix by the location that all runs of the group know it by. */
  #placed(plan: ReadyPlan): ReadyPlan {
    const { input, ownFixes, shared } = this.#input;
    if (plan.fix === undefined || shared === undefined) return plan;
    const place = input.fixes?.[ownFixes.indexOf(plan.fix.place)] ?? plan.fix.place;
    return { ...plan, fix: { ...plan.fix, place } };
  }

  /** Data that names no supplier belongs to the account that the journal knows by its number. */
  async #named(plan: ReadyPlan): Promise<ReadyPlan> {
    if (plan.key.supplier !== '') return plan;
    const { input, journal } = this.#input;
    const from = plan.fix?.place ?? input.place;
    const known = await knownAccount(journal, input.platform, plan.key.account, from);
    if (known === undefined) return plan;
    return { ...plan, key: known.key, ...(known.isFixed ? { isUnnamed: true } : {}) };
  }
}
