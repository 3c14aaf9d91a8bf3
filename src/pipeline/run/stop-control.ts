import { setMaxListeners } from 'node:events';
import { aboutStop, type StopReason } from '../../domain/stop-reason.ts';

/**
 * Stops a run. First it drains (no new account, no new request, waits are cut short; requests in flight finish and
 * are recorded); a second stop aborts what is in flight.
 */
export class StopControl {
  /** The first reason, which is reported to people. */
  reason: StopReason | undefined;
  /** All of them, for the exit code. */
  readonly reasons = new Set<StopReason>();
  detail = '';
  readonly #drain = new AbortController();
  readonly #abort = new AbortController();
  readonly #told: (reason: StopReason, detail: string) => void;

  constructor(told: (reason: StopReason, detail: string) => void = () => undefined) {
    this.#told = told;
    // Every account under way listens, more than the ten listeners above which Node warns of a leak.
    setMaxListeners(0, this.draining, this.aborting);
  }

  /** Aborted once the run drains: ends waits. */
  get draining(): AbortSignal {
    return this.#drain.signal;
  }

  /** Aborted once the run is to end at once: ends requests. */
  get aborting(): AbortSignal {
    return this.#abort.signal;
  }

  /** Drains; the first reason is the one that counts. */
  stop(reason: StopReason, detail = ''): void {
    this.reasons.add(reason);
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.detail = detail;
    this.#told(reason, detail);
    this.#drain.abort();
  }

  /** Says more precisely why it drains, if this was the first reason. */
  restate(reason: StopReason, detail: string): void {
    if (this.reason === undefined || aboutStop(this.reason).isSuspicion !== true) return;
    this.reasons.delete(this.reason);
    this.reasons.add(reason);
    this.reason = reason;
    this.detail = detail;
  }

  /** Says more of the reason, once what was in flight has ended; nothing if another came first. */
  complete(reason: StopReason, detail: string): void {
    if (this.reason === reason) this.detail = detail;
  }

  /** Ends at once. */
  abort(reason: StopReason): void {
    this.stop(reason);
    this.#abort.abort();
  }

  /**
   * Says that a stop met a platform that was away, and what that showed: no more could be done before it. That is why a planned stop
   * counts as one for the outage; a requested one keeps it as its detail.
   */
  metOutage(cause: string): void {
    if (this.reason === undefined) return;
    if (aboutStop(this.reason).kind === 'requested') this.detail = cause;
    if (aboutStop(this.reason).kind !== 'planned') return;
    this.reasons.add('unavailable');
    this.reason = 'unavailable';
    this.detail = cause;
  }

  /** Ends at once because of a failure, which is reported by itself and is not a reason to stop. */
  breakOff(): void {
    this.#drain.abort();
    this.#abort.abort();
  }
}
