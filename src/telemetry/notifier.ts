import type { Clock } from '../domain/clock.ts';
import type { RunEvent } from '../pipeline/run-events.ts';
import { endNotice, stallNotice, type Notice, type NoticeEvent, type NoticeSubject } from './notice.ts';
import type { EndedRun, RunObserver } from './run-observer.ts';

/** A way to tell somebody: gives why it did not get through, or undefined. */
export type Deliver = (notice: Notice) => Promise<string | undefined>;

export interface NotifierOptions {
  readonly on: ReadonlySet<NoticeEvent>;
  /** Without any account moving on for so long (ms), the run counts as stalled. */
  readonly stallMs: number;
  readonly deliver: readonly Deliver[];
  readonly clock: Clock;
  /** Told of what did not get through. */
  readonly warn: (message: string) => void;
}

/** Waits before the second and the third attempt, in milliseconds. */
const waits = [1_000, 5_000];

/** Tells of a run's end, failure and stall. Never holds the run up; at its end, waits for what is still under way. */
export class Notifier implements RunObserver {
  readonly #options: NotifierOptions;
  readonly #ended = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  #subject: NoticeSubject | undefined;
  #movedAt = 0;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  hear(event: RunEvent): void {
    const { clock } = this.#options;
    if (event.type === 'begun') {
      const { run, platform, supplier } = event;
      this.#subject = { run, platform, ...(supplier === undefined ? {} : { supplier }) };
      this.#movedAt = clock.monotonic();
      if (this.#options.on.has('stall')) void this.#watch(this.#subject);
    } else if (event.type === 'account' || (event.type === 'request' && event.outcome === 'ok'))
      this.#movedAt = clock.monotonic();
  }

  async end(ended: EndedRun | undefined): Promise<void> {
    this.#ended.abort();
    if (this.#subject !== undefined) this.#tell(endNotice(this.#subject, ended));
    await Promise.all(this.#underWay);
  }

  /** Tells of a stall once, and again only after something has moved in between. */
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
    const telling = Promise.all(this.#options.deliver.map((deliver) => this.#deliver(deliver, notice)));
    const done = telling.then(() => void this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  async #deliver(deliver: Deliver, notice: Notice): Promise<void> {
    const { clock, warn } = this.#options;
    let fault = await deliver(notice);
    for (const wait of waits) {
      if (fault === undefined) return;
      await clock.sleep(wait);
      fault = await deliver(notice);
    }
    if (fault !== undefined) warn(`The notification of ${notice.event} did not get through: ${fault}`);
  }
}
