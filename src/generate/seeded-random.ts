/**
 * The random numbers of one account: a small generator (sfc32) that depends only on the seed and the
 * account's position, so that any account can be generated without those before it.
 */
export class SeededRandom {
  #a: number;
  #b: number;
  #c = 0x9e3779b9;
  #count = 1;

  /** Any whole numbers; the same pair gives the same throws. */
  constructor(seed: number, position: number) {
    this.#a = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0;
    this.#b = position >>> 0;
    // The first throws still resemble their seeds.
    for (let warmUp = 0; warmUp < 12; warmUp += 1) this.#next();
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor((this.#next() / 2 ** 32) * (high - low + 1));
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.between(0, items.length - 1)] ?? items[0];
  }

  /** The requested number of decimal digits. */
  digits(count: number): string {
    return String(this.between(0, 10 ** count - 1)).padStart(count, '0');
  }

  #next(): number {
    const sum = (this.#a + this.#b + this.#count) >>> 0;
    this.#count = (this.#count + 1) >>> 0;
    this.#a = (this.#b ^ (this.#b >>> 9)) >>> 0;
    this.#b = (this.#c + (this.#c << 3)) >>> 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) >>> 0;
    return sum;
  }
}
