import type { JournalAccountRow, PartRow } from '../core/rows.ts';

/** An account in memory: as it is stored, and while a batch is applied as it will be. */
export interface Held {
  row: Mutable<JournalAccountRow>;
  readonly parts: Map<number, PartRow>;
  /** It is not stored yet, and has no id. */
  isNew: boolean;
  isChanged: boolean;
  /** Not only its place has changed. */
  forgetsRows: boolean;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** More than a run has in progress at a time: those that wait are loaded again. */
const mostKnown = 1_000;

/**
 * Accounts as the last batches left them, so that the next ones need not load them. Valid only while nobody else can
 * write them: within an unbroken row of batches under one fence. Whatever else is written, fails or is refused, all
 * are forgotten.
 */
export class KnownAccounts {
  readonly #byId = new Map<number, Held>();
  readonly #byKey = new Map<string, Held>();

  byId(id: number): Held | undefined {
    return this.#byId.get(id);
  }

  byKey(supplier: number, number: string): Held | undefined {
    return this.#byKey.get(keyOf(supplier, number));
  }

  /** Keeps accounts that were stored. The ones that were kept longest ago go. */
  keep(accounts: Iterable<Held>): void {
    for (const held of accounts) {
      const { id } = held.row;
      Object.assign(held, { isNew: false, isChanged: false, forgetsRows: false });
      // Moved to the end.
      this.#byId.delete(id);
      this.#byId.set(id, held);
      this.#byKey.set(keyOf(held.row.supplier, held.row.number), held);
    }
    for (const [id, { row }] of this.#byId) {
      if (this.#byId.size <= mostKnown) return;
      this.#byId.delete(id);
      this.#byKey.delete(keyOf(row.supplier, row.number));
    }
  }

  forget(): void {
    this.#byId.clear();
    this.#byKey.clear();
  }
}

export function keyOf(supplier: number, number: string): string {
  return `${supplier} ${number}`;
}
