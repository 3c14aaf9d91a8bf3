import type { Clock } from '../domain/clock.ts';
import type { RunEvent } from '../pipeline/run/run-events.ts';
import { endNotice, stallNotice, type Notice, type NoticeEvent, type NoticeSubject } from './notice.ts';
import type { ObservedEnd, RunObserver } from './run-observer.ts';

/**
 * A channel for notifications: returns why a notification did not get through, or undefined. Releases its resources
 * when `signal` is aborted.
 */
export type Deliver = (notice: Notice, signal: AbortSignal) => Promise<string | undefined>;

export interface NotifierOptions {
  /** For messages, such as `the webhook`. */
  readonly name: string;
  readonly on: ReadonlySet<NoticeEvent>;
  /** The run counts as stalled after this time (ms) without progress of any account. */
  readonly stallMs: number;
  readonly deliver: Deliver;
  /** The run's facts that are known before it starts. */
  readonly subject: NoticeSubject;
  readonly clock: Clock;
  /** Called for notifications that did not get through. */
  readonly warn: (message: string) => void;
}

/** The longest time of one attempt, in ms. */
const attemptMs = 10_000;
/** Waits before the second and the third attempt, in milliseconds. */
const waits = [1_000, 5_000];

/** Notifies of a run's end, failure and stall. Never delays the run; at its end, waits for notifications under way. */
export class Notifier implements RunObserver {
  readonly name: string;
  readonly #options: NotifierOptions;
  readonly #ended = new AbortController();
  readonly #givenUp = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  #subject: NoticeSubject;
  #movedAt = 0;

  constructor(options: NotifierOptions) {
    this.name = options.name;
    this.#options = options;
    this.#subject = options.subject;
  }

  hear(event: RunEvent): void {
    const { clock } = this.#options;
    if (event.type === 'begun') {
      const { run, platform, supplier } = event;
      this.#subject = { ...this.#options.subject, run, platform, supplier };
      this.#movedAt = clock.monotonic();
      if (this.#options.on.has('stall')) void this.#watch(this.#subject);
    } else if (movesOn(event)) this.#movedAt = clock.monotonic();
  }

  async end(end: ObservedEnd, givenUp: AbortSignal): Promise<void> {
    givenUp.addEventListener('abort', () => this.#givenUp.abort());
    this.#ended.abort();
    this.#tell(endNotice(this.#subject, end));
    await Promise.all(this.#underWay);
  }

  /** Notifies of a stall once, and again only after progress in between. */
  async #watch(subject: NoticeSubject): Promise<void> {
    const { clock, stallMs } = this.#options;
    let told = -1;
    for (;;) {
      const silentMs = clock.monotonic() - this.#movedAt;
      if (silentMs >= stallMs && told !== this.#movedAt) {
        told = this.#movedAt;
        this.#tell(stallNotice(subject, silentMs));
      }
      try {
        await clock.sleep(Math.max(1_000, stallMs - silentMs), this.#ended.signal);
      } catch {
        return;
      }
    }
  }

  #tell(notice: Notice): void {
    if (!this.#options.on.has(notice.event)) return;
    const done = this.#deliver(notice).then(() => void this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  async #deliver(notice: Notice): Promise<void> {
    const { clock, warn } = this.#options;
    const { signal } = this.#givenUp;
    let fault = await this.#attempt(notice);
    for (const wait of waits) {
      if (fault === undefined) return;
      const isOver = await clock.sleep(wait, signal).then(
        () => false,
        () => true,
      );
      if (isOver) return;
      fault = await this.#attempt(notice);
    }
    if (fault !== undefined) warn(`The notification of ${notice.event} did not get through: ${fault}`);
  }

  async #attempt(notice: Notice): Promise<string | undefined> {
    const { clock, deliver } = this.#options;
    const over = new AbortController();
    const done = new AbortController();
    const limit = clock.sleep(attemptMs, done.signal).then(
      () => `it did not end within ${attemptMs / 1000} s.`,
      () => undefined,
    );
    try {
      return await Promise.race([
        deliver(notice, AbortSignal.any([over.signal, this.#givenUp.signal])),
        limit,
      ]);
    } finally {
      done.abort();
      over.abort();
    }
  }
}

/**
 * Whether an account has progressed: an answer about its status, and an account without work, do not count.
 */
function movesOn(event: RunEvent): boolean {
  if (event.type === 'account') return event.driven;
  return event.type === 'request' && event.outcome === 'ok' && event.isQuestion !== true;
}
