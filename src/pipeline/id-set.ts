const leastBytes = 1024;

/** A set of numbers from zero, one bit for each up to the largest: a million accounts take 125 KB. */
export class IdSet {
  #bits = new Uint8Array(leastBytes);

  add(id: number): void {
    const at = id >> 3;
    if (at >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(at + 1, this.#bits.length * 2));
      larger.set(this.#bits);
      this.#bits = larger;
    }
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (id & 7));
  }

  has(id: number): boolean {
    return ((this.#bits[id >> 3] ?? 0) & (1 << (id & 7))) !== 0;
  }
}
