/** What keeps a thread alive while it waits for messages. */
export interface HeldPort {
  ref(): void;
  unref(): void;
}

/**
 * Keeps a thread alive while it waits for the other end, and not by that while it works: work that waits for something that
 * never comes ends the thread, which the other end notices, instead of letting both wait forever.
 */
export class ThreadHold {
  readonly #port: HeldPort;
  #working = 0;
  #waiting = 0;

  constructor(port: HeldPort) {
    this.#port = port;
  }

  /** Work that was asked for, until it ends. */
  async working<Result>(work: Promise<Result>): Promise<Result> {
    this.#change(1, 0);
    try {
      return await work;
    } finally {
      this.#change(-1, 0);
    }
  }

  /** What the other end has to send, within work. */
  async waiting<Result>(message: Promise<Result>): Promise<Result> {
    this.#change(0, 1);
    try {
      return await message;
    } finally {
      this.#change(0, -1);
    }
  }

  #change(working: number, waiting: number): void {
    this.#working += working;
    this.#waiting += waiting;
    if (this.#working > 0 && this.#waiting === 0) this.#port.unref();
    else this.#port.ref();
  }
}
