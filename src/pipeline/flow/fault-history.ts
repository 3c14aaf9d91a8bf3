/** Outcomes of which shares are compared. */
const sample = 24;
/** The share of faults that must remain at half the limit for them to be independent of it. */
const remains = 0.6;
/** Outcomes after which faults that were independent of the limit are judged again. */
const judgedAgain = 2000;

/**
 * Tells missing answers that a high limit causes from those that come at any limit: the share of them is compared at two
 * limits.
 */
export class FaultHistory {
  #outcomes = 0;
  #faults = 0;
  /** Before the limit fell. */
  #before: { readonly limit: number; readonly share: number } | undefined;
  /** A share that does not depend on the limit, and how many outcomes ago that was found. */
  #independent: { readonly share: number; outcomes: number } | undefined;

  answered(): void {
    this.#count();
  }

  /**
   * An answer is missing. Returns `lower` if the limit is to fall, `passes` if this says nothing, and the earlier limit
   * if it fell to no avail. `isNew`: it was sent at the present limit.
   */
  failed(limit: number, isNew: boolean): 'lower' | 'passes' | number {
    this.#count();
    this.#faults += 1;
    const share = this.#faults / this.#outcomes;
    if (this.#independent !== undefined) {
      if (this.#outcomes < sample || share <= this.#independent.share * 2) return 'passes';
      this.#independent = undefined;
    }
    if (!isNew) return 'passes';
    const before = this.#before;
    if (before === undefined || limit > before.limit) {
      this.#before = { limit, share };
      this.#outcomes = 0;
      this.#faults = 0;
      return 'lower';
    }
    if (limit > before.limit / 2) return 'lower';
    if (this.#outcomes < sample) return 'passes';
    this.#before = undefined;
    this.#outcomes = 0;
    this.#faults = 0;
    if (share < remains * before.share) return 'lower';
    this.#independent = { share, outcomes: 0 };
    return before.limit;
  }

  #count(): void {
    this.#outcomes += 1;
    if (this.#outcomes > 8 * sample) {
      this.#outcomes /= 2;
      this.#faults /= 2;
    }
    if (this.#independent === undefined) return;
    this.#independent.outcomes += 1;
    if (this.#independent.outcomes > judgedAgain) this.#independent = undefined;
  }
}
