import { JournalGone, LeaseLost } from '../../journal/journal.ts';
import type { RunPorts } from './run-input.ts';

/** What breaks a run off, wherever it comes from: a journal that cannot be written, or another run that took over. */
export class BreakOff {
  readonly #stop: RunPorts['stop'];
  #error: Error | undefined;

  constructor(stop: RunPorts['stop']) {
    this.#stop = stop;
  }

  get isBroken(): boolean {
    return this.#error !== undefined;
  }

  /** Throws the first error that broke the run off, if one did. */
  rethrow(): void {
    if (this.#error !== undefined) throw this.#error;
  }

  /** A journal that cannot be written ends the run at once: nothing may be sent that cannot be recorded. */
  by(error: unknown): void {
    if (error instanceof LeaseLost) {
      this.lose(error.supplier);
      return;
    }
    // Requests under way are still recorded, wherever the records are now: they may finish.
    if (error instanceof JournalGone) {
      this.#stop.stop('journal-gone', error.message);
      return;
    }
    this.#error ??= error instanceof Error ? error : new Error(String(error));
    this.#stop.breakOff();
  }

  /** What another run has taken over is its own: this one ends at once. */
  lose(supplier: string): void {
    this.#stop.stop('lease-lost', supplier);
    this.#stop.abort('lease-lost');
  }
}
