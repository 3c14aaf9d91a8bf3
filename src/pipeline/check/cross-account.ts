import {
  comparesAccounts,
  ownValues,
  sharingRefuses,
  type OwnValue,
} from '../../contract/rules/cross-account-rules.ts';
import type { RuleContext } from '../../contract/rules/rule.ts';
import { place } from '../../domain/cell.ts';
import type { Problem } from '../../domain/problem.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { preflight, traced } from './preflight.ts';

type ComparedValue = readonly [kind: string, value: string];

/** The values of an account that others are not expected to have. */
export function comparedValues(
  { payload, extras }: AccountPlan,
  rules: RuleContext,
): readonly ComparedValue[] {
  return ownValues(payload, extras, rules).map(({ code, value }) => [code, value]);
}

/** Keeps and compares the values of accounts; memory does not grow with their number. */
export interface ValueStore {
  add(account: string, values: readonly ComparedValue[]): void;
  /** Call once, after all values: returns whether any of them is shared. */
  settle(): boolean;
  concerns(account: string): boolean;
  isShared(kind: string, value: string): boolean;
  place(account: string, value: ComparedValue, place: string): void;
  placesOf(
    account: string,
  ): readonly { readonly place: string; readonly other: string; readonly accounts: number }[];
  accounts(): Iterable<string>;
}

/** The values that an account shares with others. */
export interface SharedFinding {
  readonly account: string;
  readonly problems: readonly Problem[];
  /** Whether it has no error of its own. */
  readonly isSound: boolean;
}

interface Place {
  readonly problem: Problem;
  readonly what: string;
  readonly isSound: boolean;
}

/**
 * Compares the accounts of an export with one another: ids and references that two of them have. Every account is
 * passed to `see`; if nothing is shared, that is enough. Otherwise `settle` reads the sharing accounts again, so that
 * each problem names both cells.
 */
export class AcrossAccounts {
  readonly #store: ValueStore;
  readonly #rules: RuleContext;
  #found = false;

  constructor(store: ValueStore, rules: RuleContext) {
    this.#store = store;
    this.#rules = rules;
  }

  /** Whether any of the rules is on. */
  get isWanted(): boolean {
    return comparesAccounts(this.#rules);
  }

  /** Whether shared values prevent sending, so that they must be known before the first account is sent. */
  get refuses(): boolean {
    return sharingRefuses(this.#rules);
  }

  see(plan: AccountPlan): void {
    this.add(plan.key.account, comparedValues(plan, this.#rules));
  }

  /** The same, with what `comparedValues` found. */
  add(account: string, values: readonly ComparedValue[]): void {
    this.#store.add(account, values);
  }

  /** `plansOf` returns the requested accounts again. */
  async settle(
    plansOf: (isWanted: (account: string) => boolean) => AsyncIterable<AccountPlan>,
  ): Promise<void> {
    this.#found = this.#store.settle();
    if (!this.#found) return;
    for await (const plan of plansOf((account) => this.#store.concerns(account))) this.#place(plan);
  }

  /** The problems of one account's shared values; empty for most. */
  of(account: string): readonly Problem[] {
    return this.#found ? this.#findingOf(account).problems : [];
  }

  /** The problems of every account with shared values. */
  *all(): Generator<SharedFinding> {
    if (this.#found) for (const account of this.#store.accounts()) yield this.#findingOf(account);
  }

  #place(plan: AccountPlan): void {
    const { account } = plan.key;
    const firsts = new Map<string, OwnValue>();
    for (const own of ownValues(plan.payload, plan.extras, this.#rules)) {
      const name = `${own.code} ${own.value}`;
      if (!firsts.has(name) && this.#store.isShared(own.code, own.value)) firsts.set(name, own);
    }
    if (firsts.size === 0) return;
    const isSound = !preflight(plan, this.#rules).some(({ severity }) => severity === 'error');
    for (const { code, severity, what, value, step, request, path } of firsts.values()) {
      const problem = traced(plan, step, { code, path, detail: '', severity }, request);
      const place: Place = { problem, what, isSound };
      this.#store.place(account, [code, value], JSON.stringify(place));
    }
  }

  #findingOf(account: string): SharedFinding {
    const found = this.#store.placesOf(account).map(({ place, other, accounts }) => ({
      mine: JSON.parse(place) as Place,
      theirs: JSON.parse(other) as Place,
      accounts,
    }));
    return {
      account,
      isSound: found.every(({ mine }) => mine.isSound),
      problems: found.map(({ mine, theirs, accounts }) => ({
        ...mine.problem,
        detail: sharedWith(mine.what, theirs.problem, accounts - 2),
      })),
    };
  }
}

function sharedWith(what: string, { cell, path }: Problem, more: number): string {
  const where = cell === undefined ? path : place(cell);
  const others = more === 0 ? '' : more === 1 ? ', and one more' : `, and ${more} more`;
  return `Another account also has ${what}, at ${where}${others}. Correct one, or make sure that both are intended.`;
}
