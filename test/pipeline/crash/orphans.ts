import { extraStepNames, type ExtraStepName } from '../../../src/domain/steps.ts';
import type { AccountEntry } from '../../../src/journal/journal.ts';
import { effectsIn } from './accounts.ts';
import type { Held } from './model-platform.ts';
import { stepOf, type Request } from './request.ts';

/** An account as a journal left it that is gone. */
interface Left {
  readonly number: string;
  /** Effects that it has, or that a run of that journal's may still bring. */
  readonly effects: Readonly<Record<ExtraStepName, Set<string>>>;
}

/** Accounts that the platform has from a journal that is gone, and that the one there now knows nothing of. */
export class Orphans {
  #accounts = new Map<string, Left>();
  /** The journal is a copy that was put back: what it has not seen yet it takes for its own. */
  #mayBeMistaken = false;

  has(account: string): boolean {
    return this.#accounts.has(account);
  }

  /** A journal begins that knows nothing of what the platform has. */
  begin(accounts: ReadonlyMap<string, Held>): void {
    this.#mayBeMistaken = false;
    this.#accounts = new Map();
    for (const [account, { number, effects }] of accounts)
      if (number !== undefined) this.#accounts.set(account, { number, effects: setsOf(effects) });
  }

  /** Those that a copy of the journal knows nothing of, which is made now. */
  copied(): Orphans {
    const copy = new Orphans();
    copy.#accounts = new Map(this.#accounts);
    return copy;
  }

  /** The journal is such a copy from now on. */
  putBack(copy?: Orphans): void {
    this.become(copy);
    this.#mayBeMistaken = true;
  }

  /** The same, where the journal does not know that it is one. */
  become(copy: Orphans = new Orphans()): void {
    this.#accounts = new Map(copy.#accounts);
  }

  /** A run of a journal that is gone sends what it had recorded before. */
  stillSent({ endpoint, account, body }: Request): void {
    const step = stepOf(endpoint);
    const left = this.#accounts.get(account);
    if (step !== undefined && left !== undefined)
      for (const effect of effectsIn(body, step)) left.effects[step].add(effect);
  }

  /** Forgets those that the journal took for its own, where it may; gives how many. */
  forgetMistaken(entries: readonly AccountEntry[]): number {
    if (!this.#mayBeMistaken) return 0;
    const isOurs = ({ parts }: AccountEntry): boolean =>
      parts.some(({ step, state }) => step === 'process' && state === 'done');
    return entries.filter((entry) => isOurs(entry) && this.#accounts.delete(entry.key.account)).length;
  }

  /** Whether nothing was added to it since. */
  isAsLeft(account: string, held: Held | undefined): boolean {
    const left = this.#accounts.get(account);
    if (left === undefined || held?.number !== left.number) return false;
    return extraStepNames.every((step) =>
      held.effects[step].every((effect) => left.effects[step].has(effect)),
    );
  }
}

function setsOf(effects: Held['effects']): Left['effects'] {
  return Object.fromEntries(extraStepNames.map((step) => [step, new Set(effects[step])])) as Left['effects'];
}
