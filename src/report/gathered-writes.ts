/** As much as a pipe holds: more than that is not kept in memory, so that a slow reader holds up who writes. */
const most = 65_536;

/**
 * Text that is written together at the end of the present turn of the event loop. Each write is a system call, and wakes
 * who reads: of those of a run of 6,000 accounts 400 are left so. (setImmediate is no timer: it names the end of the
 * turn, so there is no clock in it for a test to own.)
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

  /** Writes at once what was gathered. */
  flush(): void {
    if (this.#gathered === '') return;
    const text = this.#gathered;
    this.#gathered = '';
    this.#write(text);
  }
}
