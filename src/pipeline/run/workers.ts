/** As many side by side as accounts may be under way; each drives one account after another. */
export class Workers {
  /** Surplus ones end after their account. */
  #workers: Promise<void>[] = [];
  #surplus = 0;
  readonly #work: () => Promise<void>;

  /** `work` drives accounts until none is left, or `isSurplus` says so. It never rejects. */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves when so many of them, and those that join them meanwhile, have ended. */
  async run(count: number): Promise<void> {
    for (let begun = 0; begun < count; begun += 1) this.#workers.push(this.#work());
    for (const worker of this.#workers) await worker;
    this.#workers = [];
    this.#surplus = 0;
  }

  /** While an account stands aside, its worker is blocked: another worker takes other accounts. */
  stoodAside(isAside: boolean): void {
    if (!isAside) this.#surplus += 1;
    else if (this.#surplus > 0) this.#surplus -= 1;
    else this.#workers.push(this.#work());
  }

  /** Whether one is to end; asked by one that is between two accounts. */
  isSurplus(): boolean {
    if (this.#surplus === 0) return false;
    this.#surplus -= 1;
    return true;
  }
}
