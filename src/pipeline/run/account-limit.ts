/** How many accounts a run may start. */
export class AccountLimit {
  readonly #most: number | undefined;
  #started = 0;
  #isFull = false;

  /** undefined: any number. */
  constructor(most: number | undefined) {
    this.#most = most;
  }

  /** Whether it was reached: those started are run to their end, and no other is started. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Whether one more may be started. */
  admit(): boolean {
    if (this.#most !== undefined && this.#started >= this.#most) {
      this.#isFull = true;
      return false;
    }
    this.#started += 1;
    return true;
  }
}
