import type { AccountKey } from '../../domain/account-key.ts';

interface Read {
  readonly key: AccountKey;
  readonly ignoredRows: number;
}

/** Counts the rows that a mapping excludes on purpose, as the accounts pass: those of one supplier, or of all. */
export class IgnoredRows {
  count: number;
  readonly #supplier: string | undefined;

  /** `without`: rows that belong to no account. */
  constructor(supplier: string | undefined, without: number) {
    this.count = without;
    this.#supplier = supplier;
  }

  async *counting<Plan extends Read>(plans: AsyncIterable<Plan>): AsyncGenerator<Plan> {
    for await (const plan of plans) {
      if (this.#supplier === undefined || plan.key.supplier === this.#supplier)
        this.count += plan.ignoredRows;
      yield plan;
    }
  }
}
