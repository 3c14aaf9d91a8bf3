import {
  accountStates,
  withTotal,
  zeroCounts,
  type AccountCounts,
  type AccountState,
} from '../../domain/account-state.ts';
import { isJsonObject, parseJson, type JsonValue } from '../../domain/json.ts';
import { partitionOf } from '../../domain/account-key.ts';

/** What a pass counted in a part of a book. */
export interface Counted {
  readonly taken: AccountCounts;
  /** Of these, accounts without a supplier. */
  readonly strays: AccountCounts;
  /** Accounts whose state stays, and whose current data does not count. */
  refused: number;
  /** Of the skipped ones, those that a person ruled to be somebody else's. */
  ruled: number;
  readonly suppliers: Set<string>;
}

function nothing(): Counted {
  return { taken: zeroCounts(), strays: zeroCounts(), refused: 0, ruled: 0, suppliers: new Set() };
}

/** Counts the accounts of each partition of a pass, so that those of several runs add up to the book. */
export class SharedCounts {
  readonly #partitions = new Map<number, Counted>();

  /** A new pass begins. */
  clear(): void {
    this.#partitions.clear();
  }

  of(account: string): Counted {
    const number = partitionOf(account);
    let counted = this.#partitions.get(number);
    if (counted === undefined) this.#partitions.set(number, (counted = nothing()));
    return counted;
  }

  /** Accounts of the pass in those partitions that were not taken out. */
  total(isIn: (partition: number) => boolean): number {
    let total = 0;
    for (const [number, { taken }] of this.#partitions) if (isIn(number)) total += withTotal(taken).total;
    return total;
  }

  /** Takes out what was counted in a partition, as JSON; `accounts` is its total. */
  takeOut(number: number): string {
    const { taken, strays, refused, ruled, suppliers } = this.#partitions.get(number) ?? nothing();
    this.#partitions.delete(number);
    const accounts = withTotal(taken).total;
    return JSON.stringify({ accounts, taken, strays, refused, ruled, suppliers: [...suppliers] });
  }
}

/** The sum of what was counted, each as JSON. */
export function sumOf(results: readonly string[]): Counted {
  const sum = nothing();
  for (const result of results) {
    const value = parseJson(result);
    if (!isJsonObject(value)) continue;
    for (const state of accountStates) {
      sum.taken[state] += countIn(value['taken'], state);
      sum.strays[state] += countIn(value['strays'], state);
    }
    sum.refused += Number(value['refused'] ?? 0);
    sum.ruled += Number(value['ruled'] ?? 0);
    const { suppliers } = value;
    if (Array.isArray(suppliers))
      for (const supplier of suppliers) if (typeof supplier === 'string') sum.suppliers.add(supplier);
  }
  return sum;
}

function countIn(value: JsonValue | undefined, state: AccountState): number {
  return isJsonObject(value) ? Number(value[state] ?? 0) : 0;
}
