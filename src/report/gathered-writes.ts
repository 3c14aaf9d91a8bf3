/** The size of a pipe's buffer: more is not kept in memory, so that a slow reader slows the writer. */
const most = 65_536;

/**
 * Collects text and writes it at the end of the current turn of the event loop, because each write is a system call
 * and wakes the reader. (setImmediate is not a timer: it marks the end of the turn, so tests need no clock.)
 */
export class GatheredWrites {
  readonly #write: (text: string) => void;
  #gathered = '';

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  add(text: string): void {
    if (this.#gathered === '') setImmediate(() => this.flush());
    this.#gathered += text;
    if (this.#gathered.length >= most) this.flush();
  }

  /** Writes the collected text at once. */
  flush(): void {
    if (this.#gathered === '') return;
    const text = this.#gathered;
    this.#gathered = '';
    this.#write(text);
  }
}
